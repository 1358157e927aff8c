import Glibc

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// What is said to the library that runs the test, Swift Testing or XCTest.
///
/// Each ignores reports while the other one's tests run, and the threads and detached tasks of
/// a test know of neither: so both get the report.
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

  /// Makes the test fail.
  func fail(_ message: String) {
    #if canImport(Testing)
      Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
    #endif
    #if canImport(XCTest)
      XCTFail(message, file: filePath, line: UInt(max(line, 0)))
    #endif
  }

  /// Says something that is no failure: a warning of Swift Testing, otherwise a line on standard
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

  /// A line on standard error.
  static func say(_ message: String) {
    let words = Array("\(message)\n".utf8)
    _ = write(STDERR_FILENO, words, words.count)
  }

  /// Gives a Swift Testing test a file; `swift test --attachments-path FOLDER` keeps it.
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
