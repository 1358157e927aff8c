import Foundation
import FxKit
@testable import FxTesting
import FxTestSupport

/// A folder of goldens for the time of a test.
final class GoldenFolder: Sendable {
  private let folder = TemporaryFolder()

  var path: String { folder.path }

  deinit {
    // The sounds that failures have written.
    let root = FileManager.default.temporaryDirectory.path + "/fxtesting-\(getuid())"
    let name = URL(filePath: path).lastPathComponent
    for left in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    where left.hasPrefix(name) {
      try? FileManager.default.removeItem(atPath: "\(root)/\(left)")
    }
  }

  func golden(_ name: String, within tolerance: Golden.Tolerance = .exact) -> Golden {
    .golden(name, within: tolerance, in: path)
  }

  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }
}

extension Chain {
  /// A gain in decibels, then an equalizer.
  static func voice(gain: Double = -3) -> Chain {
    Chain(
      json: """
        { "version": 1, "tail": "none", "chain": [
          { "id": "fader", "unit": "gain", "parameters": { "gain": "\(gain) dB" } },
          { "id": "cut", "unit": "highPass", "parameters": { "frequency": "120 Hz" } } ] }
        """, path: "voice.json")
  }
}
