import CRealtime
import FxAudio
import FxChain
import FxKit

/// The output while a chain renders or plays: a progress bar, the live view, lines of words, or
/// JSON objects.
final class LiveOutput {
  struct Settings {
    /// True for playback, which has the live view.
    var isLive = false
    var isQuiet = false
    var asJSON = false
    var wantsView = true
    /// The interval in seconds between two snapshots as JSON.
    var meterInterval: Double?
    var stream = Output.Stream.output
  }

  private let settings: Settings
  private let bar: ProgressBar
  private let screen: LiveScreen
  private let control: LiveControl
  private let stop: StopSignal
  private var xruns = XrunLines()

  init(_ settings: Settings, control: LiveControl, stop: StopSignal) {
    self.settings = settings
    self.control = control
    self.stop = stop
    let isSilent = settings.isQuiet || settings.asJSON
    screen = LiveScreen(isWanted: settings.isLive && settings.wantsView && !isSilent)
    bar = ProgressBar(isShown: !isSilent && !screen.isShown)
  }

  /// True if events are printed as JSON, one object per line.
  private var streamsJSON: Bool { settings.asJSON && settings.isLive }

  /// The receiver of snapshots, if there is one.
  var metering: LiveMetering? {
    if screen.isShown {
      return LiveMetering(interval: 0.1) { [self] snapshot in
        for key in screen.takeKeys() {
          switch key {
          case .nodeLevels(let isWanted): control.post(.nodeLevels(isWanted))
          case .stop: stop.stop()
          }
        }
        // Very short runs need no picture.
        if snapshot.elapsedSeconds > 0.25 { screen.show(snapshot) }
      }
    }
    guard streamsJSON, let interval = settings.meterInterval else { return nil }
    return LiveMetering(interval: interval) { [self] snapshot in
      // A slow reader misses some snapshots, but receives all events.
      if Output.takesMore(settings.stream) { write(SnapshotReport.json(snapshot)) }
    }
  }

  func show(_ progress: RenderingProgress) { bar.show(progress) }

  func report(_ event: RenderingEvent) {
    if streamsJSON { write(EventReport.line(event)) }
    guard event.kind != .latency || !settings.isQuiet else { return }
    write { EventReport.report(event) }
  }

  func report(_ notice: DeviceNotice) {
    if streamsJSON { write(EventReport.line(notice)) }
    let isNote = [
      .differs, .recovered, .waiting, .buffering, .station, .title, .resumed, .refilled,
    ]
    .contains(notice.kind)
    guard !settings.asJSON, !isNote || !settings.isQuiet else { return }
    guard [.xrun, .gap].contains(notice.kind) else { return write { EventReport.report(notice) } }
    write(xruns.line(notice, at: fx_monotonic_seconds()))
  }

  /// Called about ten times a second during playback.
  func look() { write(xruns.due(at: fx_monotonic_seconds())) }

  func report(_ event: RegionEvent) {
    if streamsJSON { write(PlayerReport.json(event)) }
  }

  /// `words` prints the change for people.
  func report(_ change: ChainChange, words: () -> Void) {
    if streamsJSON { write(EventReport.line(change)) }
    write(words)
  }

  /// Removes everything that was drawn and restores the terminal.
  func end() {
    write(xruns.rest(at: fx_monotonic_seconds()))
    bar.clear()
    screen.end()
  }

  private func write(_ lines: () -> Void) {
    bar.clear()
    screen.clear()
    lines()
    screen.redraw()
  }

  /// Prints a line about the device, if there is one.
  private func write(_ line: String?) {
    if let line { write { Output.error(ForeignText.visibleLines(line)) } }
  }

  private func write(_ object: JSONOutput) {
    Output.write(object.text(indented: false) + "\n", to: settings.stream)
  }
}
