import CLilv
import FxKit

/// Reads the statements of a Turtle text with serd.
final class TurtleParser {
  /// Subject, predicate and object. Names in the text's own folder are relative: `delay/time`.
  struct Statement {
    let subject: String
    let predicate: String
    /// The object, whose path is the statement as a report names it.
    let object: SourceValue

    /// The part of the predicate after its namespace: `value` of `ingen#value`.
    var key: String { TurtleParser.localName(predicate) }
    var text: String {
      if case .scalar(let text) = object.content { text } else { "" }
    }
  }

  private static let countLimit = 200_000

  private let bytes: [UInt8]
  private let path: String
  private var at = 0
  private var line = 1
  private var statements: [Statement] = []
  private var mistake: ChainFailure?
  private let names = serd_env_new(nil)

  private init(_ text: String, _ path: String) {
    bytes = Array(text.utf8)
    self.path = path
  }

  deinit { serd_env_free(names) }

  /// - Throws: `ChainFailure` of kind `input` with the line of a mistake.
  static func statements(_ text: String, path: String) throws(ChainFailure) -> [Statement] {
    let parser = TurtleParser(text, path)
    parser.read()
    if let mistake = parser.mistake { throw mistake }
    return parser.statements
  }

  static func localName(_ uri: String) -> String {
    String(
      uri[
        (uri.lastIndex { $0 == "#" || $0 == "/" }.map { uri.index(after: $0) } ?? uri.startIndex)...
      ])
  }

  private func read() {
    let handle = Unmanaged.passUnretained(self).toOpaque()
    let reader = fx_serd_reader_new(
      SERD_TURTLE, handle, nil, nil,
      { handle, name, uri in
        guard let handle, let names = TurtleParser.from(handle).names else {
          return SERD_ERR_BAD_ARG
        }
        return serd_env_set_prefix(names, name, uri)
      },
      { handle, _, _, subject, predicate, object, _, _ in
        guard let handle else { return SERD_ERR_BAD_ARG }
        return TurtleParser.from(handle).add(subject, predicate, object)
      }, nil)
    guard let reader else { return refuse("serd cannot be used") }
    defer { serd_reader_free(reader) }
    serd_reader_set_error_sink(
      reader,
      { handle, error in
        guard let handle else { return SERD_ERR_BAD_ARG }
        var buffer = [CChar](repeating: 0, count: 512)
        _ = fx_turtle_message(error, &buffer, buffer.count)
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        TurtleParser.from(handle).refuse(String(decoding: bytes, as: UTF8.self).trimmed)
        return SERD_SUCCESS
      }, handle)
    // Byte by byte, so that each statement knows its line.
    serd_reader_start_source_stream(
      reader,
      { buffer, _, _, stream in
        TurtleParser.from(stream).give(buffer)
      },
      { _ in 0 }, handle, nil, 1)
    var status = SERD_SUCCESS
    while status == SERD_SUCCESS { status = serd_reader_read_chunk(reader) }
    serd_reader_end_stream(reader)
    // What follows the last statement is no end of the text.
    if status != SERD_FAILURE || at < bytes.count { refuse("this is no Turtle") }
  }

  private static func from(_ handle: UnsafeMutableRawPointer) -> TurtleParser {
    Unmanaged<TurtleParser>.fromOpaque(handle).takeUnretainedValue()
  }

  private func give(_ buffer: UnsafeMutableRawPointer) -> Int {
    guard at < bytes.count else { return 0 }
    if at > 0, bytes[at - 1] == UInt8(ascii: "\n") { line += 1 }
    buffer.storeBytes(of: bytes[at], as: UInt8.self)
    at += 1
    return 1
  }

  private func add(
    _ subject: UnsafePointer<SerdNode>, _ predicate: UnsafePointer<SerdNode>,
    _ object: UnsafePointer<SerdNode>
  ) -> SerdStatus {
    guard statements.count < Self.countLimit else {
      refuse("it has more than \(Self.countLimit) statements")
      return SERD_ERR_UNKNOWN
    }
    let (from, key) = (text(subject), text(predicate))
    let name = "\(from) \(Self.localName(key))".trimmed
    statements.append(
      Statement(
        subject: from, predicate: key,
        object: SourceValue(.scalar(text(object)), line: line, path: name)))
    return SERD_SUCCESS
  }

  /// The text of a node, with its prefix replaced.
  private func text(_ node: UnsafePointer<SerdNode>) -> String {
    var expanded = serd_env_expand_node(names, node)
    defer { serd_node_free(&expanded) }
    let used = node.pointee.type == SERD_CURIE && expanded.buf != nil ? expanded : node.pointee
    return used.buf.map { String(cString: $0) } ?? ""
  }

  private func refuse(_ message: String) {
    guard mistake == nil else { return }
    mistake = ChainFailure(.input, code: .unreadable, "\(path):\(line): \(message)", path: path)
  }
}
