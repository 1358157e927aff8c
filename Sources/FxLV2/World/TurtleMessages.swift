import CLilv
import FxAudio
import Glibc
import Synchronization

/// The messages of the parser of plugin descriptions.
///
/// By default, the parser prints them to standard error each time it reads a file, with raw
/// characters of the file.
package enum TurtleMessages {
  /// The messages that were printed.
  private static let known = Mutex<Set<String>>([])

  /// Makes a reader like `serd_reader_new` that prints each message once, with control characters
  /// made visible. For a program that replaces that function with this one.
  package static func makeReader(
    _ syntax: UInt32, _ handle: UnsafeMutableRawPointer?, _ free: UnsafeRawPointer?,
    _ base: UnsafeRawPointer?, _ prefix: UnsafeRawPointer?, _ statement: UnsafeRawPointer?,
    _ end: UnsafeRawPointer?
  ) -> OpaquePointer? {
    guard
      let reader = fx_serd_reader_new(
        SerdSyntax(syntax), handle,
        unsafeBitCast(free, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?.self),
        unsafeBitCast(base, to: SerdBaseSink?.self),
        unsafeBitCast(prefix, to: SerdPrefixSink?.self),
        unsafeBitCast(statement, to: SerdStatementSink?.self),
        unsafeBitCast(end, to: SerdEndSink?.self))
    else { return nil }
    serd_reader_set_error_sink(reader, { _, error in TurtleMessages.take(error) }, nil)
    return reader
  }

  private static func take(_ error: UnsafePointer<SerdError>?) -> SerdStatus {
    guard let error else { return SERD_SUCCESS }
    let file = error.pointee.filename.map { String(cString: $0) } ?? "an LV2 description"
    let message = "warning: \(file):\(sentence(error))"
    guard known.withLock({ $0.insert(message).inserted }) else { return SERD_SUCCESS }
    let line = Array("\(ForeignText.visible(message))\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return SERD_SUCCESS
  }

  /// The line, the column and the error.
  static func sentence(_ error: UnsafePointer<SerdError>) -> String {
    var buffer = [CChar](repeating: 0, count: 512)
    let count = min(max(Int(fx_turtle_message(error, &buffer, buffer.count)), 0), buffer.count - 1)
    let words = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "\(error.pointee.line):\(error.pointee.col): " + ForeignText.visible(words.trimmed)
  }
}

extension String {
  /// Without line feeds at its end.
  fileprivate var trimmed: Substring {
    self[..<(lastIndex { $0 != "\n" }.map(index(after:)) ?? startIndex)]
  }
}
