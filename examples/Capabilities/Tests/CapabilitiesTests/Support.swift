import Foundation
import FxKit
import Synchronization

let mono = SampleFormat(sampleRate: 48000, channels: 1)

/// A folder that is removed with its owner.
final class Folder {
  private let url = FileManager.default.temporaryDirectory.appending(
    path: "capabilities-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a second of a constant level, 48 kHz, mono.
  func sound(_ name: String, level: Float = 0.25) throws -> String {
    var request = RenderRequest()
    request.sampleInputs["main"] = .samples(mono, [[Float](repeating: level, count: 48000)])
    request.outputs["main"] = file(name)
    try Chain { Gain() }.render(request)
    return file(name)
  }
}

/// The greatest level that a closure on the render thread has seen.
final class Peak: Sendable {
  private let bits = Atomic<UInt32>(0)

  var level: Float { Float(bitPattern: bits.load(ordering: .relaxed)) }

  func note(_ block: RenderBlock) {
    var highest = level
    for sample in block.input(0) { highest = max(highest, abs(sample)) }
    bits.store(highest.bitPattern, ordering: .relaxed)
  }

  /// Waits up to ten seconds for a level.
  func wait(for wanted: Float) async throws -> Bool {
    for _ in 0..<10_000 {
      if level >= wanted { return true }
      try await Task.sleep(for: .milliseconds(1))
    }
    return false
  }
}
