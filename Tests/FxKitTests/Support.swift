import Foundation
@testable import FxKit
import FxTestSupport
import Synchronization
import Testing

/// Noise between -0.5 and 0.5, the same for a seed everywhere.
func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int32(truncatingIfNeeded: state >> 33)) / 0x1p32
  }
}

/// A list chain of these nodes, by default without a tail.
func list(_ nodes: String, tail: String = #""none""#) -> Chain {
  Chain(json: #"{ "version": 1, "chain": [\#(nodes)], "tail": \#(tail) }"#)
}

/// The failure that a closure throws.
func failure(_ body: () throws -> Void) -> ChainFailure? {
  do {
    try body()
    return nil
  } catch {
    return error as? ChainFailure
  }
}

/// The same range of each channel.
func slice(_ channels: [[Float]], _ range: Range<Int>) -> [[Float]] {
  channels.map { Array($0[range]) }
}

extension TemporaryFolder {
  /// Writes a WAV file of 16 bits from interleaved samples.
  func writeSound(
    _ name: String, _ samples: [Float], rate: Int = 44100, channels: Int = 1
  ) throws -> String {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let data = samples.flatMap { bytes(Int($0 * 32768), 2) }
    let header =
      Array("RIFF".utf8) + bytes(36 + data.count, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
      + bytes(1, 2) + bytes(channels, 2) + bytes(rate, 4) + bytes(2 * channels * rate, 4)
      + bytes(2 * channels, 2) + bytes(16, 2)
      + Array("data".utf8) + bytes(data.count, 4)
    try Data(header + data).write(to: URL(filePath: file(name)))
    return file(name)
  }
}

/// Keeps the samples that a render sends.
final class SampleCollector: Sendable {
  private let channels = Mutex<[[Float]]>([])

  var samples: [[Float]] { channels.withLock { $0 } }

  func add(_ more: [[Float]]) {
    channels.withLock { channels in
      if channels.isEmpty { channels = more.map { _ in [] } }
      for index in more.indices { channels[index] += more[index] }
    }
  }
}

/// A thread that pushes samples while a chain renders.
final class Pushing {
  private let thread: Thread

  init(_ body: @escaping @Sendable () -> Void) {
    let done = Done()
    thread = Thread {
      body()
      done.signal.signal()
    }
    self.done = done
    thread.start()
  }

  private let done: Done

  private final class Done: Sendable {
    let signal = DispatchSemaphore(value: 0)
  }

  func join() { done.signal.wait() }
}
