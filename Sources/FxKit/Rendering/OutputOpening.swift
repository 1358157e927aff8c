import FxMedia

/// What happens while outputs are opened: files are found that a killed process was writing, and pipes
/// wait for their readers.
final class OutputOpening {
  private(set) var recovered: [RecoveredFile] = []
  private var divided: [Int: SplitSink] = [:]
  private let stop: StopSignal
  private let report: (DeviceNotice) -> Void

  init(stop: StopSignal, report: @escaping (DeviceNotice) -> Void) {
    self.stop = stop
    self.report = report
  }

  /// Keeps what was written of a file before.
  func recover(_ path: String) {
    for file in FileSink.recover(path) {
      recovered.append(file)
      report(DeviceNotice(file))
    }
  }

  /// Remembers what a sink of the plan is divided by.
  func remember(_ sink: SplitSink, ofSink index: Int) { divided[index] = sink }

  /// The files that a sink of the plan was divided into, once it has ended.
  func parts(ofSink index: Int) -> [RenderSummary.Part] {
    divided[index]?.parts.map { RenderSummary.Part($0) } ?? []
  }

  /// How the pipe of that name is waited for.
  func wait(for path: String) -> PipeWait {
    PipeWait(isStopped: { [stop] in stop.isStopped }) { [report] in
      report(DeviceNotice(waitingFor: path))
    }
  }
}
