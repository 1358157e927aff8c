import ArgumentParser
import FxKit

/// The exit status of the process. Scripts rely on these numbers.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case internalError = 1
  case chain = 2
  case plugin = 3
  case input = 4
  case output = 5
  case device = 6
  case differs = 7
  case incomplete = 8
  case usage = 64
  case temporary = 75
  /// The exit status of the system's loader: fxrun itself did not start.
  case library = 127
  case interrupted = 130

  var meaning: String {
    switch self {
    case .success: "done"
    case .internalError: "a mistake in fxrun itself"
    case .chain: "the chain has mistakes, or its signal grows without limit"
    case .plugin: "a plugin is missing, cannot be used or failed while it rendered"
    case .input: "an input cannot be read"
    case .output:
      "an output cannot be written, or not as fast as it is recorded; or standard output cannot be written"
    case .device:
      "there is no such sound device, or it was lost; or no chain answers a request"
    case .differs:
      "a sound, or the cost of a chain, differs from what it should be; or lint has warnings"
    case .incomplete: "some files of a batch failed, or their records are missing or duplicate"
    case .usage: "a mistake in the command line: a wrong option or value, an unknown name"
    case .temporary:
      "a batch stopped for a reason that may pass: the same command continues it"
    case .library: "a library of the system is missing or cannot be loaded"
    case .interrupted: "stopped by Ctrl-C or a signal; what was rendered is in NAME.partial.EXT"
    }
  }

  init(_ kind: ChainFailure.Kind) {
    self =
      switch kind {
      case .chain: .chain
      case .plugin: .plugin
      case .input: .input
      case .output: .output
      case .device: .device
      case .request: .usage
      case .internalError: .internalError
      }
  }

  var exitCode: ExitCode { ExitCode(rawValue) }

  /// For the end of `fxrun --help`.
  static var table: String {
    let rows = allCases.map { status in
      let number = String(status.rawValue).padded(to: 6)
      return "  \(number)\(status.meaning)"
    }
    return Text.lines(["EXIT STATUS:"] + rows)
  }

  /// For the man page.
  static var help: String {
    "Exit status: "
      + allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ") + "."
  }
}
