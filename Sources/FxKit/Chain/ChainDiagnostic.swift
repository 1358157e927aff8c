package import FxDiagnostics

/// One message about a chain: what is wrong, where it stands and what would do.
public struct ChainDiagnostic: Sendable, Equatable, CustomStringConvertible {
  public enum Severity: String, Sendable {
    case error, warning, note
  }

  public let severity: Severity
  /// Stable, for programs: `unknown-key`, `out-of-range`, `cycle` and so on.
  public let code: String
  public let message: String
  /// Ways out, one a line.
  public let hints: [String]
  /// The file; nil for what was said by argument.
  public let file: String?
  /// From 1, in lines and characters.
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
