import CYAML
import FxAudio
import FxKit

/// Reads YAML with libyaml; JSON is a part of it.
struct YAMLParser: ~Copyable {
  private let path: String
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  /// The values with a name, which an alias repeats.
  private var anchors: [String: SourceValue] = [:]
  private var count = 0

  private static let depthLimit = 100
  /// Values that a file may have. An alias counts each time that it is named.
  private static let countLimit = 200_000

  private struct Event: ~Copyable {
    var raw: yaml_event_t

    deinit {
      var raw = raw
      yaml_event_delete(&raw)
    }

    var line: Int { raw.start_mark.line + 1 }

    /// The name that the event gives to its value.
    var anchor: String? {
      let name =
        switch raw.type {
        case YAML_SCALAR_EVENT: raw.data.scalar.anchor
        case YAML_SEQUENCE_START_EVENT: raw.data.sequence_start.anchor
        case YAML_MAPPING_START_EVENT: raw.data.mapping_start.anchor
        case YAML_ALIAS_EVENT: raw.data.alias.anchor
        default: UnsafeMutablePointer<yaml_char_t>?.none
        }
      return name.map { String(cString: $0) }
    }

    var text: String {
      let scalar = raw.data.scalar
      return String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    }

    var isAbsent: Bool {
      raw.data.scalar.style == YAML_PLAIN_SCALAR_STYLE
        && ["", "~", "null", "Null", "NULL"].contains(text)
    }
  }

  private init(path: String) {
    self.path = path
    yaml_parser_initialize(parser)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// - Throws: `ChainFailure` of kind `input` with the line of a mistake.
  static func value(_ text: String, path: String) throws(ChainFailure) -> SourceValue {
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(ChainFailure) in
        var parser = YAMLParser(path: path)
        yaml_parser_set_input_string(parser.parser, bytes.baseAddress, bytes.count)
        return try parser.document()
      }
    }
    return try result.get()
  }

  private mutating func document() throws(ChainFailure) -> SourceValue {
    _ = try next()
    guard try next().raw.type == YAML_DOCUMENT_START_EVENT else {
      throw ChainFailure(.input, code: .unreadable, "\(path): the file is empty", path: path)
    }
    let root = try value(of: try next(), path: "", depth: 1)
    _ = try next()
    let end = try next()
    guard end.raw.type == YAML_STREAM_END_EVENT else {
      throw mistake("a second document begins here", at: end.raw.start_mark)
    }
    return root
  }

  private func mistake(_ problem: String, at mark: yaml_mark_t) -> ChainFailure {
    ChainFailure(
      .input, code: .unreadable,
      "\(path):\(mark.line + 1):\(mark.column + 1): this is not YAML: "
        + ForeignText.visible(problem), path: path)
  }

  private mutating func next() throws(ChainFailure) -> Event {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else {
      throw mistake(
        parser.pointee.problem.map { String(cString: $0) } ?? "the memory is too small",
        at: parser.pointee.problem_mark)
    }
    return Event(raw: raw)
  }

  private mutating func value(
    of event: consuming Event, path: String, depth: Int
  ) throws(ChainFailure) -> SourceValue {
    count += 1
    guard depth < Self.depthLimit, count < Self.countLimit else {
      throw mistake("the file has too many values, or too deep ones", at: event.raw.start_mark)
    }
    let (anchor, line) = (event.anchor, event.line)
    let content: SourceValue.Content
    switch event.raw.type {
    case YAML_ALIAS_EVENT:
      guard let named = anchor.flatMap({ anchors[$0] }) else {
        throw mistake("no value has the name of this alias before it", at: event.raw.start_mark)
      }
      return try copy(named, path: path, depth: depth)
    case YAML_SCALAR_EVENT: content = event.isAbsent ? .absent : .scalar(event.text)
    case YAML_SEQUENCE_START_EVENT: content = .list(try elements(path: path, depth: depth))
    default: content = .map(try members(path: path, depth: depth))
    }
    let value = SourceValue(content, line: line, path: path)
    if let anchor { anchors[anchor] = value }
    return value
  }

  private mutating func elements(path: String, depth: Int) throws(ChainFailure) -> [SourceValue] {
    var elements: [SourceValue] = []
    while true {
      let event = try next()
      guard event.raw.type != YAML_SEQUENCE_END_EVENT else { return elements }
      elements.append(try value(of: event, path: "\(path).\(elements.count)", depth: depth + 1))
    }
  }

  private mutating func members(
    path: String, depth: Int
  ) throws(ChainFailure) -> [(key: String, value: SourceValue)] {
    var members: [(key: String, value: SourceValue)] = []
    var keys: Set<String> = []
    while true {
      let event = try next()
      guard event.raw.type != YAML_MAPPING_END_EVENT else { return members }
      guard event.raw.type == YAML_SCALAR_EVENT else {
        throw mistake("a key is not a text", at: event.raw.start_mark)
      }
      let key = event.text
      guard keys.insert(key).inserted else {
        throw mistake("the key '\(key)' is there twice", at: event.raw.start_mark)
      }
      let line = event.line
      let path = path.isEmpty ? key : "\(path).\(key)"
      let value = try value(of: try next(), path: path, depth: depth + 1)
      members.append((key, SourceValue(value.content, line: line, path: path)))
    }
  }

  /// The value of an alias, with the path at which it is named: each use has its own outcome.
  private mutating func copy(
    _ value: SourceValue, path: String, depth: Int
  ) throws(ChainFailure) -> SourceValue {
    count += 1
    guard depth < Self.depthLimit, count < Self.countLimit else {
      throw mistake("the file has too many values, or too deep ones", at: parser.pointee.mark)
    }
    let content: SourceValue.Content
    switch value.content {
    case .scalar, .absent: content = value.content
    case .list(let elements):
      var copies: [SourceValue] = []
      for (index, element) in elements.enumerated() {
        copies.append(try copy(element, path: "\(path).\(index)", depth: depth + 1))
      }
      content = .list(copies)
    case .map(let members):
      var copies: [(key: String, value: SourceValue)] = []
      for (key, member) in members {
        copies.append((key, try copy(member, path: "\(path).\(key)", depth: depth + 1)))
      }
      content = .map(copies)
    }
    return SourceValue(content, line: value.line, path: path)
  }
}
