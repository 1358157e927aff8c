import CLilv
import FxAudio
import Glibc

/// Checks whether a Turtle file can be read. lilv itself ignores the statements that it cannot
/// read.
enum TurtleFile {
  private final class FirstError {
    var sentence: String?
  }

  /// The reason why the file cannot be used: it is unreadable or empty. nil for a readable file.
  static func problem(_ path: String) -> String? {
    let name = LV2PropertyReader.lastPart(of: path)
    guard let file = fopen(path, "re") else {
      return "'\(name)': \(String(cString: strerror(errno)))"
    }
    defer { fclose(file) }
    var statementCount = 0
    let first = FirstError()
    let status = withUnsafeMutablePointer(to: &statementCount) { count -> SerdStatus in
      guard let reader = fx_turtle_counter(count) else { return SERD_SUCCESS }
      defer { serd_reader_free(reader) }
      serd_reader_set_error_sink(
        reader,
        { first, error in
          guard let first else { return SERD_SUCCESS }
          let found = Unmanaged<FirstError>.fromOpaque(first).takeUnretainedValue()
          found.sentence = found.sentence ?? TurtleMessages.sentence(error)
          return SERD_SUCCESS
        }, Unmanaged.passUnretained(first).toOpaque())
      return serd_reader_read_file_handle(reader, file, name)
    }
    if let sentence = first.sentence { return "\(name):\(sentence)" }
    if status.rawValue > SERD_FAILURE.rawValue { return "'\(name)' is not Turtle" }
    return statementCount == 0 ? "'\(name)' is empty" : nil
  }
}
