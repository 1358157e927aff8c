import FxDiagnostics
import ArgumentParser
import FxChain
import FxKit
import FxLV2
import Glibc
import Synchronization

/// Tries plugins out, each in a process of its own.
struct PluginsProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Try plugins out in processes of their own, and keep what became of them.",
    discussion: """
      Each is loaded, made, run over a second of noise and half a second of silence, and cleaned up. \
      The verdict is kept until the plugin's files change, and 'fxrun plugins show' prints it.

      Exit status: 0 when every plugin that was named runs, 3 when one does not; with --all 0 \
      whatever becomes of them.
      """)

  @Argument(help: "URIs of plugins.")
  var uris: [String] = []

  @Flag(help: "Try every installed plugin.")
  var all = false

  @Flag(help: "Try again what has a verdict.")
  var refresh = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that a plugin may take.", valueName: "seconds"))
  var timeout: Double = 20

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Plugins at a time (default: as many as there are processors).", valueName: "count"))
  var jobs: Int?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let plugins: [LV2Description]
    do throws(ChainFailure) {
      plugins = try self.plugins()
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
    let verdicts = probe(plugins)
    let report = ProbeReport(results: zip(plugins, verdicts).map { ($0, $1) })
    if json {
      let skipped = all ? UnitLibrary.shared.plugins.skippedBundles() : []
      Output.json(.array(report.elements + skipped.map(PluginReport.json)))
    } else {
      Output.line(all ? report.table : report.lines)
    }
    if !all, !verdicts.allSatisfy(\.isGood) { throw ExitStatus.plugin.exitCode }
  }

  private func plugins() throws(ChainFailure) -> [LV2Description] {
    guard all != !uris.isEmpty else {
      throw ChainFailure(
        .request, code: "usage", "name the plugins to try, or give --all, one of the two")
    }
    guard timeout > 0, timeout <= 3600, (1...64).contains(jobs ?? 1) else {
      throw ChainFailure(
        .request, code: "usage", "--timeout is up to 3600 seconds and --jobs 1 to 64")
    }
    let world = UnitLibrary.shared.plugins
    if all {
      let plugins = world.list()
      PluginsCommand.warn(of: world.skippedBundles())
      return plugins
    }
    var plugins: [LV2Description] = []
    for uri in uris { plugins.append(try PluginsCommand.plugin(uri, in: world)) }
    return plugins
  }

  /// The verdicts in the order of the plugins, from the cache where it has them.
  private func probe(_ plugins: [LV2Description]) -> [PluginVerdict] {
    let cache = VerdictCache()
    let known = plugins.map { refresh ? nil : cache[$0] }
    let missing = plugins.indices.filter { known[$0] == nil }
    let round = Round(cache: cache, verdicts: known, count: missing.count)
    var probe = PluginProbe()
    probe.timeout = timeout
    let processors = max(1, min(64, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    probe.verdicts(of: missing.map { plugins[$0] }, jobs: jobs ?? processors) { index, verdict in
      round.take(verdict, of: plugins[missing[index]], at: missing[index])
    }
    return round.end()
  }

  /// Collects verdicts, keeps them and says how far it is.
  private final class Round: Sendable {
    private struct State {
      var cache: VerdictCache
      var verdicts: [PluginVerdict?]
      var done = 0
    }

    private let state: Mutex<State>
    private let count: Int
    private let isShown = Output.isTerminal(.error)

    init(cache: VerdictCache, verdicts: [PluginVerdict?], count: Int) {
      state = Mutex(State(cache: cache, verdicts: verdicts))
      self.count = count
    }

    func take(_ verdict: PluginVerdict, of plugin: LV2Description, at index: Int) {
      state.withLock { state in
        state.verdicts[index] = verdict
        state.cache[plugin] = verdict
        state.done += 1
        // So that a round that is stopped is not all lost.
        if state.done.isMultiple(of: 20) { state.cache.write() }
        guard isShown else { return }
        let line = "[\(state.done)/\(count)] \(plugin.uri)"
        Output.write("\r\(line.prefix(max(8, Output.width - 1)))\u{1B}[K", to: .error)
      }
    }

    func end() -> [PluginVerdict] {
      state.withLock { state in
        if isShown, state.done > 0 { Output.write("\r\u{1B}[K", to: .error) }
        if state.done > 0 { state.cache.write() }
        return state.verdicts.compactMap { $0 }
      }
    }
  }
}
