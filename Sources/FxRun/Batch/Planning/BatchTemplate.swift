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
    /// With `--split`: the number of the part.
    case n
    /// With `--split`: the title of the part's chapter.
    case title
  }

  /// Fields that `--split` fills in.
  private static let partFields: [Field] = [.n, .title]

  private let template: NameTemplate<Field>
  private let isSplit: Bool

  /// The template's text.
  package var text: String { template.text }

  /// - Throws: `ChainFailure` of kind `request` for unknown fields in braces.
  ///
  /// - Parameter isSplit: true if each input becomes several files.
  package init(_ text: String, isSplit: Bool = false) throws(ChainFailure) {
    self.isSplit = isSplit
    do {
      template = try NameTemplate(text)
    } catch {
      throw ChainFailure(
        .request, code: .usage, "the output '\(text)' cannot be filled in: \(error.message)",
        hints: error.hints)
    }
    if !isSplit, let field = Self.partFields.first(where: template.contains) {
      throw ChainFailure(
        .request, code: .usage,
        "the output '\(text)' has {\(field.rawValue)}, which numbers the parts of --split",
        hints: ["{index} is the number of an input"])
    }
  }

  /// The folder of all outputs: the text before the first field, up to its last slash.
  package var folder: String {
    let beginning = template.beginning
    guard let slash = beginning.lastIndex(of: "/") else { return "." }
    return slash == beginning.startIndex ? "/" : String(beginning[..<slash])
  }

  /// The name for one input; with `--split` the template for the names of its parts.
  package func filled(_ file: BatchFile, index: Int, of count: Int, id: String?) -> String {
    // No name contains a zero byte.
    func mark(_ field: Field) -> String { "\0\(field.rawValue)\0" }
    let name = template.filled { field in
      switch field {
      case .name, .stem: file.stem
      case .ext: file.ending
      case .parent: file.parent
      case .path: file.relativeStem
      case .index: Self.number(index, of: count)
      case .id: id.map(Self.name) ?? Self.number(index, of: count)
      case .n, .title: mark(field)
      }
    }
    guard isSplit else { return name }
    return Self.partFields.reduce(BatchParts.escaped(name)) { text, field in
      text.replacing(mark(field), with: "{\(field.rawValue)}")
    }
  }

  private static func number(_ index: Int, of count: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: max(0, String(count).count - digits.count)) + digits
  }

  /// An id cannot lead to another folder.
  private static func name(_ id: String) -> String { id.replacing("/", with: "_") }
}
