import CLilv
import FxAudio

/// The messages of the parser of plugin descriptions.
enum TurtleMessages {
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
