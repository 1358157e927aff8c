import FxAudio
import FxKit
import FxMedia

/// The name of an output with fields that depend on the input: `done/{path}.flac`.
struct BatchTemplate: Sendable, Equatable {
  /// The fields that may be in braces.
  package enum Field: String, Sendable, CaseIterable {
    /// The input's name without its ending.
    case name
    /// The same as `name`.
    case stem
    /// The input's ending without its dot.
    case ext
    /// The name of the folder that contains the input.
    case parent
    /// The input's path within the given folder, without its ending.
    case path
    /// The input's number among all inputs, padded to the digits of the last number.
    case index
    /// The job's id from a job file; otherwise its number.
    case id
  }

  private let template: NameTemplate<Field>

  /// The template's text.
  package var text: String { template.text }

  /// - Throws: `ChainFailure` of kind `request` for unknown fields in braces.
  package init(_ text: String) throws(ChainFailure) {
    do {
      template = try NameTemplate(text)
    } catch {
      throw ChainFailure(
        .request, code: .usage, "the output '\(text)' cannot be filled in: \(error.message)",
        hints: error.hints)
    }
  }

  /// The folder of all outputs: the text before the first field, up to its last slash.
  package var folder: String {
    let beginning = template.beginning
    guard let slash = beginning.lastIndex(of: "/") else { return "." }
    return slash == beginning.startIndex ? "/" : String(beginning[..<slash])
  }

  /// The name for one input.
  package func filled(_ file: BatchFile, index: Int, of count: Int, id: String?) -> String {
    template.filled { field in
      switch field {
      case .name, .stem: file.stem
      case .ext: file.ending
      case .parent: file.parent
      case .path: file.relativeStem
      case .index: Self.number(index, of: count)
      case .id: id.map(Self.name) ?? Self.number(index, of: count)
      }
    }
  }

  private static func number(_ index: Int, of count: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: max(0, String(count).count - digits.count)) + digits
  }

  /// An id cannot lead to another folder.
  private static func name(_ id: String) -> String { id.replacing("/", with: "_") }
}
