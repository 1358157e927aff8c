import FxAudio
import FxChain
import FxKit

/// A chain run with the options of the command line, and its messages.
struct ChainRun {
  private let chain: Chain
  private let request: RenderRequest
  /// The stream for the summary.
  private let wordStream: Output.Stream
  var asJSON = false
  var isQuiet = false
  /// Adds the cost of each node to the summary.
  var profiles = false
  /// The chain consists of two chains, and only one of them is audible at a time.
  var compares = false
  /// The address for control requests during playback.
  var control: String?
  /// The address for OSC messages during playback.
  var osc: String?
  var wantsView = true
  /// The interval in seconds between two snapshots as JSON.
  var meterInterval: Double?

  init(_ chain: Chain, _ request: RenderRequest, to wordStream: Output.Stream) {
    self.chain = chain
    self.request = request
    self.wordStream = wordStream
  }

  /// If audio uses standard output, words go to standard error.
  static func wordStream(besides outputs: [String], isAudio: Bool = false) -> Output.Stream {
    isAudio || outputs.contains("-") ? .error : .output
  }

  /// Runs the chain from `prepare`. Throws the exit code if the run ends early, after printing the
  /// reason.
  static func report(
    asJSON: Bool, to wordStream: Output.Stream, _ prepare: () throws(ChainFailure) -> ChainRun
  ) throws {
    let summary: RenderSummary
    // A live run prints lines of JSON, so the final object is one more line.
    var streams = false
    do throws(ChainFailure) {
      summary = try prepare().perform(streams: &streams)
    } catch {
      if error.code == FailureCode.interrupted.rawValue {
        FailureReport.reportInterrupt()
        throw ExitStatus.interrupted.exitCode
      }
      throw FailureReport.report(error, asJSON: asJSON, to: wordStream, onOneLine: streams)
    }
    if wasCutShort(summary) { throw ExitStatus.interrupted.exitCode }
    if summary.outputs.contains(where: { $0.overrunFrames > 0 }) {
      throw ExitStatus.output.exitCode
    }
  }

  private func perform(streams: inout Bool) throws(ChainFailure) -> RenderSummary {
    let stop = StopSignal()
    Interrupts.stop(with: stop)
    let job: RenderJob
    do throws(ChainFailure) {
      job = try RenderJob(chain, request, stop: stop)
    } catch {
      throw advised(error)
    }
    guard !compares || job.isLive else {
      throw ChainFailure(
        .request, code: .usage,
        "--ab compares two chains while they play; into files render each by itself")
    }
    // The output of plugins must not mix with the summary.
    if !job.writesStandardOutput { Output.takeStandardOutput() }
    if !asJSON { FailureReport.warn(job.diagnostics, isQuiet: isQuiet) }
    let control = LiveControl()
    let shown = LiveOutput(
      LiveOutput.Settings(
        isLive: job.isLive, isQuiet: isQuiet, asJSON: asJSON, wantsView: wantsView,
        meterInterval: meterInterval, stream: wordStream),
      control: control, stop: stop)
    defer { shown.end() }
    streams = job.isLive && asJSON
    if job.isLive { PluginHosting.keepFilesOverCrashes() }
    var upkeep = Upkeep(isQuiet: isQuiet || asJSON)
    if job.isLive { Interrupts.reload { control.post(.load()) } }
    let server = try server(for: job, control)
    defer { server?.end() }
    let osc = try oscServer(for: job, control)
    defer { if let warning = osc?.end(), !isQuiet { Output.error("warning: \(warning)") } }
    let metering = shown.metering
    let summary = try job.play(stop: stop, control: control) {
      shown.show($0)
    } event: { event in
      server?.report(event)
      shown.report(event)
    } device: { notice in
      upkeep.report(notice)
      server?.report(notice)
      shown.report(notice)
    } change: { change in
      shown.report(change) { upkeep.report(change) }
      server?.report(change)
      osc?.reload()
    } region: { event in
      shown.report(event)
      server?.report(event)
    } look: { session in
      upkeep.look(session)
      shown.look()
      let changes = session.takeChanges()
      server?.report(changes)
      osc?.report(changes)
      metering?.look(at: session)
    } waiting: {
      upkeep.wait()
    }
    shown.end()
    report(summary, job.diagnostics)
    return summary
  }

  /// Adds a hint when the input is itself a chain.
  private func advised(_ failure: ChainFailure) -> ChainFailure {
    guard failure.code == FailureCode.notAudio.rawValue, let path = failure.path,
      request.inputs["main"] == path,
      let bytes = try? Chain(contentsOfFile: path).bytes,
      bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{")
    else { return failure }
    return ChainFailure(
      failure.kind, codeText: failure.code, failure.message, path: path,
      hints: ["the audio file goes after the chain: fxrun \(chain.path) FILE"])
  }

  /// Accepts control requests from the start of playback, if an address is given.
  private func server(
    for job: RenderJob, _ control: LiveControl
  ) throws(ChainFailure) -> ControlServer? {
    guard let name = self.control else { return nil }
    guard job.isLive else {
      throw ChainFailure(
        .request, code: .usage,
        "--control takes requests while a chain plays, and this renders into files")
    }
    return try ControlServer(name, control: control)
  }

  private func oscServer(
    for job: RenderJob, _ control: LiveControl
  ) throws(ChainFailure) -> OSCServer? {
    guard let osc else { return nil }
    guard job.isLive else {
      throw ChainFailure(
        .request, code: .usage,
        "--osc receives messages while a chain plays, and this renders into files")
    }
    return try OSCServer(osc, control: control)
  }

  /// Ctrl-C is a normal end of playback. A render that was stopped early has failed.
  private static func wasCutShort(_ summary: RenderSummary) -> Bool {
    summary.wasStopped && (summary.live == nil || summary.outputs.contains(where: \.isPartial))
  }

  private func report(_ summary: RenderSummary, _ diagnostics: Diagnostics) {
    let report = SummaryReport(summary: summary, diagnostics: diagnostics)
    if asJSON {
      // A summary line follows the events.
      Output.data(report.json.text(indented: summary.live == nil), to: wordStream)
    } else {
      for warning in report.warnings { Output.error(warning) }
    }
    if !asJSON, !isQuiet {
      Output.line(report.text, to: wordStream)
      if profiles {
        let table = ProfileReport(costs: summary.nodeCosts, sampleRate: summary.sampleRate)
        Output.line(table.text, to: wordStream)
      }
    }
    if !asJSON { for loss in report.losses { Output.error(loss) } }
  }
}
