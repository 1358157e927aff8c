import FxLV2
import Synchronization

/// Probes plugins, several at a time, and caches the verdicts.
package struct PluginTrials: Sendable {
  /// The number of probed plugins, the number to probe in all, and the URI of the last one.
  package typealias Progress = @Sendable (_ done: Int, _ count: Int, _ uri: String) -> Void

  /// The time limit for a plugin in seconds.
  package var timeout = 20.0
  /// The number of plugins probed at the same time.
  package var jobs = 1
  /// Probes plugins again that have a verdict.
  package var refreshes = false

  package init() {}

  /// The verdicts in the order of the plugins, from the cache where it has them.
  package func run(_ plugins: [PluginReport], progress: @escaping Progress) -> ProbeReport {
    let known = plugins.map { refreshes ? nil : $0.verdict }
    let missing = plugins.indices.filter { known[$0] == nil }
    let round = Round(verdicts: known, count: missing.count, progress)
    var probe = PluginProbe()
    probe.timeout = timeout
    probe.verdicts(of: missing.map { plugins[$0].plugin }, jobs: jobs) { index, verdict in
      round.take(verdict, of: plugins[missing[index]].plugin, at: missing[index])
    }
    return ProbeReport(results: zip(plugins.map(\.plugin), round.end()).map { ($0, $1) })
  }

  /// Collects and caches verdicts, and reports the progress.
  private final class Round: Sendable {
    private struct State {
      var cache = VerdictCache()
      var verdicts: [PluginVerdict?]
      var done = 0
    }

    private let state: Mutex<State>
    private let count: Int
    private let progress: Progress

    init(verdicts: [PluginVerdict?], count: Int, _ progress: @escaping Progress) {
      state = Mutex(State(verdicts: verdicts))
      self.count = count
      self.progress = progress
    }

    func take(_ verdict: PluginVerdict, of plugin: LV2Description, at index: Int) {
      state.withLock { state in
        state.verdicts[index] = verdict
        state.cache[plugin] = verdict
        state.done += 1
        // So that a stopped round does not lose everything.
        if state.done.isMultiple(of: 20) { state.cache.write() }
        progress(state.done, count, plugin.uri)
      }
    }

    func end() -> [PluginVerdict] {
      state.withLock { state in
        if state.done > 0 { state.cache.write() }
        return state.verdicts.compactMap { $0 }
      }
    }
  }
}
