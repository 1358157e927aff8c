package import FxAudio
import FxEngine

/// The generated parts of the format's documentation.
package enum ChainReference {
  /// The tables of `docs/chain-format.md`: every object and its keys.
  package static func keys(_ endpoints: EndpointCatalog) -> String {
    tables(of: ChainFormat.objects(endpoints))
  }

  /// A heading and a table for each object.
  package static func tables(of objects: [ObjectSpec]) -> String {
    objects.map { object in
      let rows = object.keys.map { key in
        "| `\(key.key)` | \(escaped(shape(key.shape))) | \(escaped(remark(key)))\(escaped(key.summary)) |"
      }
      return "### \(title(object))\n\n\(object.summary)\n\n| key | value | |\n|---|---|---|\n"
        + rows.joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// The table of `docs/diagnostics.md`.
  package static var codes: String { table(DiagnosticCode.allCases.filter { !$0.isLint }) }

  /// The table of `docs/diagnostics.md` for everything that is no mistake of a chain.
  static var failureCodes: String {
    "| code | meaning |\n|---|---|\n"
      + FailureCode.allCases.map { "| `\($0.rawValue)` | \(escaped($0.summary)) |" }
      .joined(separator: "\n") + "\n"
  }

  /// The table of `docs/lint.md`.
  static var lintCodes: String {
    table(DiagnosticCode.allCases.filter { $0.isLint || $0 == .notRealtime })
  }

  private static func table(_ codes: [DiagnosticCode]) -> String {
    "| code | severity | meaning |\n|---|---|---|\n"
      + codes.map {
        "| `\($0.rawValue)` | \($0.severity.rawValue) | \(escaped($0.summary)) |"
      }.joined(separator: "\n") + "\n"
  }

  private static func title(_ object: ObjectSpec) -> String {
    let words = object.name.drop { $0 != " " }.dropFirst()
    switch object.id {
    case "source", "sink": return "The \(words) object"
    case "unitNode", "lv2Node", "useNode", "sourceNode", "sinkNode": return "Node: \(words)"
    default: return words.prefix(1).uppercased() + words.dropFirst()
    }
  }

  private static func remark(_ key: KeySpec) -> String {
    key.isRequired ? "Required. " : key.isSupported ? "" : "Not implemented yet. "
  }

  private static func shape(_ shape: ValueShape) -> String {
    switch shape {
    case .string: "string"
    case .boolean: "true, false"
    case .on: "true"
    case .integer(let range):
      range.upperBound > 1_000_000
        ? "whole number" : "whole number, \(range.lowerBound)…\(range.upperBound)"
    case .quantity(let measure, let range): rangeText(range, measure: measure)
    case .word(let words): words.map { "`\"\($0)\"`" }.joined(separator: ", ")
    case .value: "value"
    case .object(let spec): spec.name.drop { $0 != " " }.dropFirst() + " object"
    case .list(let element): "list of: \(self.shape(element))"
    case .map(let element): "by name: \(self.shape(element))"
    case .either(let shapes): shapes.map { self.shape($0) }.joined(separator: ", or ")
    case .anything: "anything"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
