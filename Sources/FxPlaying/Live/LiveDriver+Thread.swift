import FxAudio
import FxEngine
import Glibc
import Synchronization

/// The render thread and its helper threads.
extension LiveDriver {
  func startThread(
    _ ended: Wakeup, _ warnings: inout [String]
  ) throws(Failure) -> (thread: WorkerThread, isRealtime: Bool) {
    var code: Int32 = 0
    let driver = Unmanaged.passUnretained(self)
    let processors = options.processors
    let started = RealtimeThread.start(
      priority: WorkerThread.renderPriority, processors: processors, failure: &code
    ) { _ in
      driver.takeUnretainedValue().playToEnd(ended)
    }
    guard let started else {
      if code == EINVAL, !processors.isEmpty {
        let list = processors.map(String.init).joined(separator: ", ")
        throw Failure(
          .threadUnavailable, "",
          "the render thread cannot run on processor \(list): there is none of that number, or it may "
            + "not be used; name another, or leave out --cpu")
      }
      throw Failure(
        .threadUnavailable, "", "no thread to play on: \(Failure.systemMessage(code))")
    }
    if !started.isRealtime {
      warnings.append(
        "real-time scheduling is refused (\(Failure.systemMessage(started.refusal))): expect "
          + "dropouts under load; join the group 'audio' and raise 'rtprio' in "
          + "/etc/security/limits.d")
    }
    return (started.thread, started.isRealtime)
  }

  /// Starts the helpers that a program can use. On the thread of `run`.
  func startHelpers(for program: RenderProgram) {
    helpers?.start(for: program, isRealtime: isRealtime, processors: options.processors)
  }

  private func playToEnd(_ ended: Wakeup) {
    play(asking: ended)
    hasEnded.store(true, ordering: .releasing)
    ended.signal()
  }
}
