import FxProcesses
import CRealtime
import FxAudio
import Glibc
import Synchronization

/// Reads bundles in a process of its own, which may crash over them or not come back.
struct BundleTrial {
  /// What became of a bundle.
  enum Verdict: Sendable, Hashable {
    case good
    /// Why it cannot be read.
    case bad(String)
    /// The same, where another time may be better.
    case late(String)
    /// There was no process to read it.
    case untried
  }

  /// Seconds without a step forward.
  static let patience = 20.0
  /// Seconds of processor time for a bundle.
  static let processorLimit = 5
  /// Bytes that the process may map.
  static let memoryLimit = 2 << 30

  /// The program that is the process; nil for fxrun, wherever it is.
  var host: String?

  /// Verdicts in the order of the paths. After a crash another process reads what is left.
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

  /// One process: the verdicts of the first bundles, up to one that ends it.
  private func round(_ paths: [String]) throws(ProcessError) -> [Verdict] {
    let request = BundleRequest(paths: paths, parent: getpid()).bytes
    let memory = try SharedMemory(
      size: BundleExchange.size(count: paths.count, request: request))
    let exchange = BundleExchange.make(at: memory.base, count: paths.count, request: request)
    let child = try ChildProcess(
      executable: try HostExecutable.path(host), arguments: [HostExecutable.command, "bundles"],
      sharing: memory)
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

  /// The end of the process; nil when it made no progress and was killed.
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
      .bad("reading it takes more than \(processorLimit) s of processor time")
    case .signal(SIGKILL)?, .unknown?: .late("the process that read it was killed")
    case .some(let end): .bad("reading it ended in a crash: \(end.description)")
    }
  }
}
