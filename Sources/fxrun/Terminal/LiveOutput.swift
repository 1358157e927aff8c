import FxDiagnostics
import FxKit

/// What is shown and reported while a chain renders or plays: a bar, the live view, lines of words, or
/// objects for machines.
final class LiveOutput {
  struct Settings {
    /// A performance, which has a view of its own.
    var isLive = false
    var isQuiet = false
    var asJSON = false
    var wantsView = true
    /// Seconds between two snapshots as JSON.
    var meterInterval: Double?
    var stream = Output.Stream.output
  }

  private let settings: Settings
  private let bar: ProgressBar
  private let screen: LiveScreen
  private let control: LiveControl
  private let stop: StopSignal

  init(_ settings: Settings, control: LiveControl, stop: StopSignal) {
    self.settings = settings
    self.control = control
    self.stop = stop
    let isSilent = settings.isQuiet || settings.asJSON
    screen = LiveScreen(isWanted: settings.isLive && settings.wantsView && !isSilent)
    bar = ProgressBar(isShown: !isSilent && !screen.isShown)
  }

  /// True where what happens is reported as JSON, an object a line.
  private var streamsJSON: Bool { settings.asJSON && settings.isLive }

  /// Who wants to see snapshots, if anybody.
  var metering: LiveMetering? {
    if screen.isShown {
      return LiveMetering(interval: 0.1) { [self] snapshot in
        for key in screen.takeKeys() {
          switch key {
          case .nodeLevels(let isWanted): control.post(.nodeLevels(isWanted))
          case .stop: stop.stop()
          }
        }
        // What is over at once needs no picture.
        if snapshot.elapsedSeconds > 0.25 { screen.show(snapshot) }
      }
    }
    guard streamsJSON, let interval = settings.meterInterval else { return nil }
    return LiveMetering(interval: interval) { [self] snapshot in
      // Who does not keep up misses some; what happens is reported in any case.
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
    write { EventReport.report(notice) }
  }

  func report(_ event: RegionEvent) {
    if streamsJSON { write(PlayerReport.json(event)) }
  }

  /// `words` writes it for people.
  func report(_ change: ChainChange, words: () -> Void) {
    if streamsJSON { write(EventReport.line(change)) }
    write(words)
  }

  /// Takes away whatever is drawn; the terminal is as it was.
  func end() {
    bar.clear()
    screen.end()
  }

  private func write(_ lines: () -> Void) {
    bar.clear()
    screen.clear()
    lines()
    screen.redraw()
  }

  private func write(_ object: JSONOutput) {
    Output.write(object.text(indented: false) + "\n", to: settings.stream)
  }
}
