import Glibc

/// Whether goldens are compared or written, according to the environment variable
/// `FXTESTING_RECORD`.
enum RecordingMode: Equatable {
  /// Compare goldens; a missing golden is a failure.
  case off
  /// Write missing goldens.
  case missing
  /// Write goldens that are missing or differ.
  case all
  /// The variable has an unknown value.
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

/// The value of an environment variable; nil if it is not set.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
