package import Foundation
package import FxAudio
package import FxMedia
import Glibc
import Testing

package func contents(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count <= 0 { return bytes }
    bytes.append(contentsOf: chunk[0..<count])
  }
}

/// Reads a source to its end, in blocks of odd sizes.
package func readAll(_ source: any AudioSource, block: Int = 1000) throws -> [[Float]] {
  let width = source.format.channelCount
  let buffer = PlanarBuffer(channelCount: width, frameCount: block)
  var channels = [[Float]](repeating: [], count: width)
  while true {
    let count = try source.read(into: buffer.channels, frameCount: block)
    if count == 0 { return channels }
    for channel in 0..<width {
      channels[channel].append(
        contentsOf: UnsafeBufferPointer(start: buffer[channel], count: count))
    }
  }
}

/// Writes channels to a sink in blocks.
package func writeAll(_ channels: [[Float]], to sink: any AudioSink, block: Int = 777) throws {
  let total = channels.first?.count ?? 0
  let buffer = PlanarBuffer(channelCount: channels.count, frameCount: block)
  var done = 0
  while done < total {
    let count = min(block, total - done)
    for (channel, samples) in channels.enumerated() {
      for frame in 0..<count { buffer[channel][frame] = samples[done + frame] }
    }
    try sink.write(buffer.readable, frameCount: count)
    done += count
  }
}

/// A sine for each channel, each of another frequency.
package func tones(
  _ frequencies: [Double], frameCount: Int, sampleRate: Double = 44100, amplitude: Double = 0.5
) -> [[Float]] {
  frequencies.map { frequency in
    (0..<frameCount).map { frame in
      Float(amplitude * sin(2 * Double.pi * frequency * Double(frame) / sampleRate))
    }
  }
}

/// The error that a closure throws.
package func ioError(_ body: () throws -> Void) -> Failure? {
  do {
    try body()
    return nil
  } catch {
    return error as? Failure
  }
}

/// A source of given samples.
package final class ArraySource: AudioSource {
  package let name = "array"
  package let format: StreamFormat
  package var frameCount: Int? { isLengthKnown ? channels.first?.count ?? 0 : nil }
  private let channels: [[Float]]
  private let isLengthKnown: Bool
  private var position = 0

  package init(_ channels: [[Float]], sampleRate: Double = 44100, isLengthKnown: Bool = true) {
    self.channels = channels
    self.isLengthKnown = isLengthKnown
    format = StreamFormat(sampleRate: sampleRate, channelCount: channels.count)
  }

  package func read(
    into target: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = min(frameCount, (channels.first?.count ?? 0) - position, 300)
    for channel in channels.indices {
      for frame in 0..<count { target[channel][frame] = channels[channel][position + frame] }
    }
    position += count
    return count
  }

  package func seek(toFrame frame: Int) throws(Failure) { position = frame }
}

/// A sink that keeps what it gets.
package final class ArraySink: AudioSink {
  package let name = "array"
  package let format: StreamFormat
  package private(set) var statistics: SinkStatistics
  package private(set) var channels: [[Float]]
  package private(set) var isFinished = false
  package private(set) var isAbandoned = false
  /// Frames after which writing fails.
  package var capacity = Int.max
  /// A test locks it to keep the writer waiting.
  package let gate = NSLock()

  package init(_ format: StreamFormat) {
    self.format = format
    statistics = SinkStatistics(channelCount: format.channelCount)
    channels = Array(repeating: [], count: format.channelCount)
  }

  package func write(
    _ source: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    gate.lock()
    defer { gate.unlock() }
    statistics.measure(source, frameCount: frameCount)
    for channel in channels.indices {
      channels[channel].append(
        contentsOf: UnsafeBufferPointer(start: source[channel], count: frameCount))
    }
    if statistics.frameCount > capacity { throw .writing(name, errno: ENOSPC) }
  }

  package func finish() throws(Failure) { isFinished = true }

  package func abandon(keepingPartial: Bool) throws(Failure) -> String? {
    isAbandoned = true
    return keepingPartial ? "array.partial" : nil
  }
}
