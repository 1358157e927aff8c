import CRealtime
import FxFrames
import Glibc
import Synchronization

/// The thread that renders: real-time where the system lets it, on the processors that were asked for.
extension LiveDriver {
  func startThread(
    _ ended: Wakeup, _ warnings: inout [String]
  ) throws(IOError) -> (thread: WorkerThread, isRealtime: Bool) {
    var code: Int32 = 0
    let driver = Unmanaged.passUnretained(self)
    let processors = options.processors
    var thread = WorkerThread(
      priority: WorkerThread.renderPriority, processors: processors, failure: &code
    ) {
      driver.takeUnretainedValue().playToEnd(ended)
    }
    if let thread { return (thread, true) }
    if code == EINVAL, !processors.isEmpty {
      let list = processors.map(String.init).joined(separator: ", ")
      throw IOError(
        .threadUnavailable, "",
        "the render thread cannot run on processor \(list): there is none of that number, or it may "
          + "not be used; name another, or leave out --cpu")
    }
    let refusal = code
    let grant = Grant()
    thread = WorkerThread(processors: processors, failure: &code) {
      grant.ask()
      driver.takeUnretainedValue().playToEnd(ended)
    }
    guard let thread else {
      throw IOError(
        .threadUnavailable, "", "no thread to play on: \(IOError.systemMessage(code))")
    }
    guard !grant.isGiven else { return (thread, true) }
    warnings.append(
      "real-time scheduling is refused (\(IOError.systemMessage(refusal))): expect dropouts "
        + "under load; join the group 'audio' and raise 'rtprio' in /etc/security/limits.d")
    return (thread, false)
  }

  private func playToEnd(_ ended: Wakeup) {
    play()
    hasEnded.store(true, ordering: .releasing)
    ended.signal()
  }
}

/// Real-time scheduling from the system's service, where the thread may not have it of itself.
private final class Grant: Sendable {
  private let code = Atomic<Int32>(-1)
  private let asked = Wakeup.make()

  deinit { asked.destroy() }

  /// On the thread that is to have it.
  func ask() {
    code.store(fx_realtime_from_broker(WorkerThread.renderPriority), ordering: .relaxed)
    asked.signal()
  }

  /// Waits for the answer, which comes within seconds.
  var isGiven: Bool { asked.wait(seconds: 10) && code.load(ordering: .relaxed) == 0 }
}
