import FxDiagnostics
import FxKit

/// A chain that is run as the command line asks, with what is said of it.
struct ChainRun {
  private let chain: Chain
  private let request: RenderRequest
  /// Where the summary goes.
  private let wordStream: Output.Stream
  var asJSON = false
  var isQuiet = false
  /// The summary says what each node took.
  var profiles = false
  /// The chain is two, of which one is heard at a time.
  var compares = false
  /// The address at which requests are taken while it plays.
  var control: String?
  var wantsView = true
  /// Seconds between two snapshots as JSON.
  var meterInterval: Double?

  init(_ chain: Chain, _ request: RenderRequest, to wordStream: Output.Stream) {
    self.chain = chain
    self.request = request
    self.wordStream = wordStream
  }

  /// Audio on standard output leaves standard error for words.
  static func wordStream(besides outputs: [String], isAudio: Bool = false) -> Output.Stream {
    isAudio || outputs.contains("-") ? .error : .output
  }

  /// Runs what `prepare` asks for. Throws the exit code where it does not come to its end, when the
  /// reason is printed.
  static func report(
    asJSON: Bool, to wordStream: Output.Stream, _ prepare: () throws(ChainFailure) -> ChainRun
  ) throws {
    let summary: RenderSummary
    // Lines of JSON are followed by one more.
    var streams = false
    do throws(ChainFailure) {
      summary = try prepare().perform(streams: &streams)
    } catch {
      if error.code == "interrupted" {
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
        .request, code: "usage",
        "--ab lets two chains be heard in turn; into a file render each by itself")
    }
    // What plugins print while they run is none of the summary.
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
    } region: { event in
      shown.report(event)
      server?.report(event)
    } look: { session in
      upkeep.look(session)
      server?.look(session)
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
    guard failure.code == "notAudio", let path = failure.path,
      request.inputs["main"] == path,
      let bytes = try? Chain(contentsOfFile: path).bytes,
      bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{")
    else { return failure }
    return ChainFailure(
      failure.kind, code: failure.code, failure.message, path: path,
      hints: ["the audio file goes after the chain: fxrun \(chain.path) FILE"])
  }

  /// Takes requests from the start of the performance on, where that is asked for.
  private func server(
    for job: RenderJob, _ control: LiveControl
  ) throws(ChainFailure) -> ControlServer? {
    guard let name = self.control else { return nil }
    guard job.isLive else {
      throw ChainFailure(
        .request, code: "usage",
        "--control takes requests while a chain plays, and this renders into files")
    }
    return try ControlServer(name, control: control)
  }

  /// Playing has no other end than Ctrl-C; a render that was cut short is not what was asked for.
  private static func wasCutShort(_ summary: RenderSummary) -> Bool {
    summary.wasStopped && (summary.live == nil || summary.outputs.contains(where: \.isPartial))
  }

  private func report(_ summary: RenderSummary, _ diagnostics: Diagnostics) {
    let report = SummaryReport(summary: summary, diagnostics: diagnostics)
    if asJSON {
      // A summary line follows the events.
      Output.line(report.json.text(indented: summary.live == nil), to: wordStream)
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
