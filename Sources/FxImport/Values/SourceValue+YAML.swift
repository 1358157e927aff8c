import FxAudio
import FxKit
import Yams

extension SourceValue {
  /// Values that a file may have. An alias counts each time that it is named.
  private static let limit = 200_000

  /// Reads a YAML text, of which JSON is a part.
  ///
  /// - Throws: `ChainFailure` of kind `input` with the line of a mistake.
  static func yaml(_ text: String, path: String) throws(ChainFailure) -> SourceValue {
    let node: Yams.Node?
    do {
      node = try Yams.compose(yaml: text)
    } catch {
      throw failure(error, path: path)
    }
    guard let node else {
      throw ChainFailure(.input, code: .unreadable, "\(path): the file is empty", path: path)
    }
    var count = 0
    guard let value = value(node, line: 1, path: "", &count) else {
      throw ChainFailure(
        .input, code: .unreadable, "\(path): the file has more than \(limit) values", path: path)
    }
    return value
  }

  private static func failure(_ error: any Error, path: String) -> ChainFailure {
    var place = path
    var reason = "\(error)"
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _)?, .parser(_, let problem, let mark, _)?,
      .composer(_, let problem, let mark, _)?:
      (place, reason) = ("\(path):\(mark.line):\(mark.column)", problem)
    case .duplicatedKeysInMapping(let duplicates, _)?:
      reason = "a key is there twice: \(duplicates.map { "\($0)" }.joined(separator: ", "))"
    default: break
    }
    return ChainFailure(
      .input, code: .unreadable, "\(place): this is not YAML: \(ForeignText.visible(reason))",
      path: path)
  }

  private static func value(
    _ node: Yams.Node, line: Int, path: String, _ count: inout Int
  ) -> SourceValue? {
    count += 1
    guard count <= limit else { return nil }
    let line = node.mark?.line ?? line
    switch node {
    case .scalar(let scalar):
      let isAbsent =
        scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
      return SourceValue(isAbsent ? .absent : .scalar(scalar.string), line: line, path: path)
    case .sequence(let sequence):
      var elements: [SourceValue] = []
      for (index, element) in sequence.enumerated() {
        guard let value = value(element, line: line, path: "\(path).\(index)", &count) else {
          return nil
        }
        elements.append(value)
      }
      return SourceValue(.list(elements), line: line, path: path)
    case .mapping(let mapping):
      var members: [(key: String, value: SourceValue)] = []
      for (key, element) in mapping {
        let name = key.string ?? "?"
        let line = key.mark?.line ?? line
        let path = path.isEmpty ? name : "\(path).\(name)"
        guard let value = value(element, line: line, path: path, &count) else { return nil }
        members.append((name, value))
      }
      return SourceValue(.map(members), line: line, path: path)
    case .alias: return nil
    }
  }
}
