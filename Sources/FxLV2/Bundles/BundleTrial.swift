import CRealtime
import FxAudio
import Glibc
import Synchronization

/// Reads bundles in a separate process, which may crash or hang.
struct BundleTrial {
  /// The result of a bundle.
  enum Verdict: Sendable, Hashable {
    case good
    /// The reason why it cannot be read.
    case bad(String)
    /// The same, but a later trial may succeed.
    case late(String)
    /// No process could read it.
    case untried
  }

  /// Seconds without progress until the process is killed.
  static let patience = 60.0

  /// The program of the process; nil for fxrun itself.
  var host: String?

  /// Verdicts in the order of the paths. After a crash, a new process reads the remaining bundles.
  func verdicts(of paths: [String]) -> [Verdict] {
    var verdicts: [Verdict] = []
    while verdicts.count < paths.count {
      let rest = Array(paths[verdicts.count...])
      let found = (try? round(rest)) ?? []
      guard !found.isEmpty else { break }
      verdicts += found
    }
    return verdicts + [Verdict](repeating: .untried, count: paths.count - verdicts.count)
  }

  /// Starts one process. Returns the verdicts of the first bundles, up to one that ends the
  /// process.
  private func round(_ paths: [String]) throws(Failure) -> [Verdict] {
    var request = ByteEncoder()
    request.put(paths) { $0.put($1) }
    let memory = try SharedMemory(size: BundleExchange.size(count: paths.count))
    let exchange = BundleExchange.make(at: memory.base)
    // lilv's messages are printed again when the bundle is used.
    let messages = try UnnamedFile()
    let child = try ChildTask(.bundles, request: request.bytes, host: host).start(
      sharing: memory, messages: messages)
    let end = wait(for: child, exchange)
    var verdicts: [Verdict] = []
    let begun = min(exchange.begun.pointee.load(ordering: .acquiring), paths.count)
    for index in 0..<max(begun, 0) {
      switch exchange.outcome(index) {
      case .good: verdicts.append(.good)
      case .bad: verdicts.append(.bad(exchange.problem(index)))
      case .none: return verdicts + [BundleTrial.verdict(end)]
      }
    }
    return verdicts
  }

  /// How the process ended; nil when it made no progress and was killed.
  private func wait(for child: ChildProcess, _ exchange: BundleExchange) -> ChildProcess.End? {
    var begun = 0
    var waited = 0.0
    while true {
      if let end = child.wait(seconds: 1) { return end }
      waited += 1
      let now = exchange.begun.pointee.load(ordering: .acquiring)
      if now != begun { (begun, waited) = (now, 0) }
      if waited >= BundleTrial.patience {
        _ = child.kill()
        return nil
      }
    }
  }

  private static func verdict(_ end: ChildProcess.End?) -> Verdict {
    switch end {
    case nil: .late("reading it did not end within \(Int(patience)) s")
    case .signal(SIGXCPU)?:
      .bad(
        "reading it takes more than \(ChildRole.bundles.limits.processor ?? 0) s of processor time")
    case .signal(SIGKILL)?, .unknown?: .late("the process that read it was killed")
    case .some(let end): .bad("reading it ended in a crash: \(end.description)")
    }
  }
}
