import Foundation
import FxTestSupport
import Testing

/// Texts that are compared with files in `Fixtures/golden`. `FXRUN_RECORD=1` writes these again.
enum Golden {
  private static let records = ProcessInfo.processInfo.environment["FXRUN_RECORD"] == "1"

  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = "\(Fixture.tests)/Fixtures/golden/\(name)"
    if records {
      try FileManager.default.createDirectory(
        atPath: "\(Fixture.tests)/Fixtures/golden", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    let golden = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(
      text == golden, "differs from \(name); FXRUN_RECORD=1 swift test records it anew",
      sourceLocation: sourceLocation)
  }
}
