import FxAudio
import Glibc
import Synchronization

/// A skipped bundle, and the reason.
package struct LV2SkippedBundle: Sendable, Hashable {
  /// The folder, with a slash at its end.
  package let bundle: String
  package let problem: String

  /// `LV2 bundle '/usr/lib/lv2/bad.lv2/' is skipped: manifest.ttl is a pipe, not a file`.
  package var sentence: String { "LV2 bundle '\(bundle)' is skipped: \(problem)" }
}

/// Selects the bundles that can be read safely: some bundles crash lilv and thus the process.
///
/// Each unknown bundle is first read by a separate process. Where no process can be started, only
/// the bundle's files are checked.
final class LV2BundleGate: Sendable {
  private struct Known {
    var stamp: TreeStamp
    /// nil for a good bundle.
    var problem: String?
  }

  private struct State {
    /// Read from the file at first use.
    var cache: BundleCache?
    var known: [String: Known] = [:]
  }

  private let state = Mutex(State())
  private let host: String?

  /// `host` is the program that reads the bundles; nil for fxrun itself.
  init(host: String? = nil) { self.host = host }

  /// The bundles that can be read, in the given order.
  func passing(_ bundles: [String]) -> [String] {
    let problems = problems(of: bundles)
    return zip(bundles, problems).filter { $1 == nil }.map(\.0)
  }

  /// The bundles that cannot be read, with the reasons.
  func skipped(_ bundles: [String]) -> [LV2SkippedBundle] {
    zip(bundles, problems(of: bundles)).compactMap { bundle, problem in
      problem.map { LV2SkippedBundle(bundle: bundle, problem: $0) }
    }
  }

  /// The reason why a file or a folder with a saved state cannot be read; nil when it can.
  func problem(ofState path: String) -> String? {
    let isFolder = FileTree.kind(path, follows: true) == S_IFDIR && !path.hasSuffix("/")
    return problems(of: [isFolder ? path + "/" : path])[0]
  }

  private func problems(of paths: [String]) -> [String?] {
    state.withLock { state in
      judge(paths, &state)
      return paths.map { state.known[$0]?.problem }
    }
  }

  /// For new and changed bundles, uses the verdict of the cache or a new trial.
  private func judge(_ paths: [String], _ state: inout State) {
    var untried: [(path: String, stamp: TreeStamp)] = []
    for path in paths {
      let files = BundleFiles(path)
      if state.known[path]?.stamp == files.stamp { continue }
      var cache = state.cache ?? BundleCache()
      if let kept = cache.problem(of: path, stamp: files.stamp) {
        state.known[path] = Known(stamp: files.stamp, problem: kept.isEmpty ? nil : kept)
      } else if let problem = files.problem ?? files.contentProblem() {
        cache.keep(problem, of: path, stamp: files.stamp)
        state.known[path] = Known(stamp: files.stamp, problem: problem)
      } else {
        untried.append((path, files.stamp))
      }
      state.cache = cache
    }
    let verdicts = BundleTrial(host: host).verdicts(of: untried.map(\.path))
    for (bundle, verdict) in zip(untried, verdicts) {
      var problem: String?
      switch verdict {
      case .good: state.cache?.keep("", of: bundle.path, stamp: bundle.stamp)
      case .bad(let reason):
        problem = reason
        state.cache?.keep(reason, of: bundle.path, stamp: bundle.stamp)
      case .late(let reason): problem = reason
      case .untried: break
      }
      state.known[bundle.path] = Known(stamp: bundle.stamp, problem: problem)
    }
    state.cache?.write()
  }
}
