import FxMedia

/// Handles events while outputs are opened: recovers files that a killed process was writing, and
/// waits for the readers of pipes.
final class OutputOpening {
  private(set) var recovered: [RecoveredFile] = []
  /// Warnings about what the outputs do not get.
  var warnings: [String] = []
  private var divided: [Int: SplitSink] = [:]
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

  /// Records the splitter of a sink of the plan.
  func remember(_ sink: SplitSink, ofSink index: Int) { divided[index] = sink }

  /// The files that a sink of the plan was split into, after it has ended.
  func parts(ofSink index: Int) -> [RenderSummary.Part] {
    divided[index]?.parts.map { RenderSummary.Part($0) } ?? []
  }

  /// How to wait for the reader of a pipe.
  func wait(for path: String) -> PipeWait {
    PipeWait(isStopped: { [stop] in stop.isStopped }) { [report] in
      report(DeviceNotice(waitingFor: path))
    }
  }
}
