import Glibc

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// Reports to the library that runs the test, Swift Testing or XCTest.
///
/// Each library ignores reports while the other runs a test. A test's own threads and detached
/// tasks belong to neither. So both libraries get each report.
struct TestReport {
  private let fileID: String
  private let filePath: StaticString
  private let line: Int
  private let column: Int

  init(fileID: String, filePath: StaticString, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// Fails the test.
  func fail(_ message: String) {
    #if canImport(Testing)
      Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
    #endif
    #if canImport(XCTest)
      XCTFail(message, file: filePath, line: UInt(max(line, 0)))
    #endif
  }

  /// Reports something that is not a failure: as a warning in Swift Testing, otherwise on standard
  /// error.
  func note(_ message: String) {
    #if canImport(Testing)
      if Test.current != nil {
        Issue.record(
          Comment(rawValue: message), severity: .warning, sourceLocation: sourceLocation)
        return
      }
    #endif
    Self.say("\(filePath):\(line): \(message)")
  }

  /// Prints a line on standard error.
  static func say(_ message: String) {
    let words = Array("\(message)\n".utf8)
    _ = write(STDERR_FILENO, words, words.count)
  }

  /// Attaches a file to a Swift Testing test; `swift test --attachments-path FOLDER` keeps it.
  static func attach(_ bytes: [UInt8], named name: String) {
    #if canImport(Testing)
      if Test.current != nil { Attachment.record(bytes, named: name) }
    #endif
  }

  #if canImport(Testing)
    private var sourceLocation: SourceLocation {
      SourceLocation(
        fileID: fileID, filePath: filePath.description, line: max(line, 1),
        column: max(column, 1))
    }
  #endif
}
