package import FxKit
import FxMedia

/// The name of an output, with fields that each input fills: `done/{path}.flac`.
package struct BatchTemplate: Sendable, Equatable {
  /// What may stand in braces.
  package enum Field: String, Sendable, CaseIterable {
    /// The input's name without its ending.
    case name
    /// The same.
    case stem
    /// The ending without its dot, as the input has it.
    case ext
    /// The name of the folder that the input lies in.
    case parent
    /// The input's path within the folder that was given, without its ending.
    case path
    /// The input's number among all inputs, with as many digits as the last one has.
    case index
    /// What a line of JSON calls the job; else the number.
    case id
  }

  private let template: NameTemplate<Field>

  /// As it was given.
  package var text: String { template.text }

  /// - Throws: `ChainFailure` of kind `request` for braces that hold no field.
  package init(_ text: String) throws(ChainFailure) {
    do {
      template = try NameTemplate(text)
    } catch {
      throw ChainFailure(
        .request, code: "usage", "the output '\(text)' cannot be filled in: \(error.problem)",
        hints: [error.hint])
    }
  }

  /// The folder that every output lies in: what stands before the first field, up to its last slash.
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

  /// An id leads to no other folder.
  private static func name(_ id: String) -> String { id.replacing("/", with: "_") }
}
