import Glibc

/// Whether goldens are held against or written, as the environment variable `FXTESTING_RECORD` says.
enum RecordingMode: Equatable {
  /// Goldens are held against; one that is not there is a failure.
  case off
  /// Those are written that are not there.
  case missing
  /// All are written that sound otherwise or are not there.
  case all
  /// The variable says something else.
  case unknown(String)

  static let variable = "FXTESTING_RECORD"

  init(_ text: String?) {
    switch text?.lowercased() {
    case nil, "", "0", "off", "false", "no": self = .off
    case "1", "all", "true", "yes": self = .all
    case "missing": self = .missing
    default: self = .unknown(text ?? "")
    }
  }

  static var current: RecordingMode { RecordingMode(environment(variable)) }
}

/// A variable of the process; nil where it is not set.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
