package import FxChain

/// One message about a chain: the mistake, its place, and hints for correction.
public struct ChainDiagnostic: Sendable, Equatable, CustomStringConvertible {
  public enum Severity: String, Sendable {
    case error, warning, note
  }

  public let severity: Severity
  /// A stable code for programs: `unknown-key`, `out-of-range`, `cycle` and so on.
  public let code: String
  public let message: String
  /// Possible corrections, one per entry.
  public let hints: [String]
  /// The file of the chain, or of the Swift code that made the part with the mistake
  /// (`Studio/Voice.swift`); nil if the message is about an argument.
  public let file: String?
  /// Line and column, from 1; the column counts characters. A line of Swift code has no column.
  public let line: Int?
  public let column: Int?
  /// The JSON pointer of the key or value.
  public let path: String?

  package init(_ diagnostic: Diagnostic) {
    severity = Severity(rawValue: diagnostic.severity.rawValue) ?? .error
    code = diagnostic.code.rawValue
    message = diagnostic.message
    hints = diagnostic.hints
    file = diagnostic.file
    line = diagnostic.line
    column = diagnostic.column
    path = diagnostic.path
  }

  /// `voice.json:7:22: error: unit 'highPass' has no parameter 'freq'`
  public var description: String {
    let place = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }
    let words = "\(severity.rawValue): \(message)"
    return place.isEmpty ? words : place.joined(separator: ":") + ": " + words
  }
}
