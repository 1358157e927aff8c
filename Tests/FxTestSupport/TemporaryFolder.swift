package import Foundation

/// A folder for one test, removed with its contents when it is released.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() {
    var template = Array("\(NSTemporaryDirectory())fxrun-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
    precondition(!path.isEmpty, "no temporary folder")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Of everything in it, hidden files included.
  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Writes a file, and makes its folder. Returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) -> String {
    try? FileManager.default.createDirectory(
      at: URL(filePath: file(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
    let isWritten = FileManager.default.createFile(atPath: file(name), contents: Data(bytes))
    precondition(isWritten, "\(file(name)) cannot be written")
    return file(name)
  }
}

/// Files that come with the tests.
package enum Fixture {
  package static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().path

  package static let repository = URL(filePath: tests).deletingLastPathComponent().path

  package static func audio(_ name: String) -> String { "\(tests)/Fixtures/audio/\(name)" }
}
