import FxAudio
import FxMedia
import FxPlaying

/// Handles events while outputs are opened: recovers files that a killed process was writing, and
/// waits for the readers of pipes.
final class OutputOpening {
  private(set) var recovered: [RecoveredFile] = []
  /// Warnings about what the outputs do not get.
  var warnings: [String] = []
  /// Writes the chapters of the main output when it is complete.
  var chapters: ChapterWriter?
  private var divided: [Int: Divided] = [:]
  private let stop: StopSignal
  private let report: (DeviceNotice) -> Void

  init(stop: StopSignal, report: @escaping (DeviceNotice) -> Void) {
    self.stop = stop
    self.report = report
  }

  /// Keeps the partial file that a killed process left, and reports it.
  func recover(_ path: String) {
    for file in FileSink.recover(path) {
      recovered.append(file)
      report(DeviceNotice(file))
    }
  }

  /// The splitter of a sink of the plan.
  struct Divided {
    let sink: SplitSink
    /// The piece of the main input for a piece of the written sound, in seconds.
    let source: (_ start: Double, _ end: Double) -> RenderSummary.SourceSpan?
  }

  func remember(_ sink: Divided, ofSink index: Int) { divided[index] = sink }

  /// The files that a sink of the plan was split into, after it has ended.
  func parts(ofSink index: Int) -> [RenderSummary.Part] {
    guard let divided = divided[index] else { return [] }
    let rate = divided.sink.format.sampleRate
    return divided.sink.parts.map { part in
      RenderSummary.Part(
        part,
        divided.source(
          Double(part.startFrame) / rate, Double(part.startFrame + part.frameCount) / rate))
    }
  }

  /// How to wait for the reader of a pipe.
  func wait(for path: String) -> PipeWait {
    PipeWait(isStopped: { [stop] in stop.isStopped }) { [report] in
      report(DeviceNotice(waitingFor: path))
    }
  }
}
