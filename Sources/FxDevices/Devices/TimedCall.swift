import FxFrames

/// A call that may never return, on a thread of its own.
enum TimedCall {
  /// Waits for the call for so many seconds. False when it has not returned by then: it is left to
  /// itself, with all that it uses.
  static func run(seconds: Double, _ call: @escaping () -> Void) -> Bool {
    let done = Wakeup.make()
    var code: Int32 = 0
    let thread = WorkerThread(failure: &code) {
      call()
      done.signal()
    }
    guard let thread else {
      done.destroy()
      call()
      return true
    }
    guard done.wait(seconds: seconds) else {
      thread.forget()
      return false
    }
    thread.join()
    done.destroy()
    return true
  }
}
