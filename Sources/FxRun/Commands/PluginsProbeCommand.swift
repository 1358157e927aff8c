import ArgumentParser
import FxAudio
import FxChain
import FxKit
import Glibc

/// Tests plugins, each in its own process.
struct PluginsProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Test plugins in processes of their own, and keep the results.",
    discussion: """
      Each is loaded, made, run over a second of noise and half a second of silence, and cleaned up. \
      The verdict is kept until the plugin's files change, and 'fxrun plugins show' prints it.

      Exit status: 0 when every plugin that was named runs, 3 when one does not; with --all \
      always 0.
      """)

  @Argument(help: "URIs of plugins.", completion: .words(.plugins))
  var uris: [String] = []

  @Flag(help: "Test every installed plugin.")
  var all = false

  @Flag(help: "Test plugins again that have a verdict.")
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
    let plugins: [PluginReport]
    do throws(ChainFailure) {
      plugins = try self.plugins()
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
    PluginsCommand.warn(ofCopiesIn: plugins)
    let report = probe(plugins)
    if json {
      let skipped = all ? InstalledPlugins.shared.skippedBundles() : []
      Output.json(.array(report.elements + skipped.map(\.json)))
    } else {
      Output.line(all ? report.table : report.lines)
    }
    if !all, !report.isGood { throw ExitStatus.plugin.exitCode }
  }

  private func plugins() throws(ChainFailure) -> [PluginReport] {
    guard all != !uris.isEmpty else {
      throw ChainFailure(
        .request, code: .usage, "name the plugins to test, or give --all, one of the two")
    }
    guard timeout > 0, timeout <= 3600, (1...64).contains(jobs ?? 1) else {
      throw ChainFailure(
        .request, code: .usage, "--timeout is up to 3600 seconds and --jobs 1 to 64")
    }
    let installed = InstalledPlugins.shared
    if all {
      let plugins = installed.all()
      PluginsCommand.warn(of: installed.skippedBundles())
      return plugins
    }
    var plugins: [PluginReport] = []
    for uri in uris { plugins.append(try installed.plugin(uri)) }
    return plugins
  }

  private func probe(_ plugins: [PluginReport]) -> ProbeReport {
    var trials = PluginTrials()
    trials.timeout = timeout
    trials.jobs = jobs ?? max(1, min(64, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    trials.refreshes = refresh
    let isShown = Output.obeysCodes(.error)
    let report = trials.run(plugins) { done, count, uri in
      guard isShown else { return }
      let line = "[\(done)/\(count)] \(uri)"
      Output.write("\r\(line.prefix(max(8, Output.width - 1)))\u{1B}[K", to: .error)
    }
    if isShown { Output.write("\r\u{1B}[K", to: .error) }
    return report
  }
}
