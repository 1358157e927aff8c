import CRealtime

/// A call that may never return, on a thread of its own.
package enum TimedCall {
  /// Waits up to `seconds` for the call. False when it has not returned by then: the thread keeps
  /// running with all that it uses.
  package static func run(seconds: Double, _ call: @escaping () -> Void) -> Bool {
    let end = fx_monotonic_seconds() + seconds
    return run(call) { fx_monotonic_seconds() < end }
  }

  /// Waits for the call as long as `isWanted` is true, which is polled twenty times a second.
  package static func run(_ call: @escaping () -> Void, while isWanted: () -> Bool) -> Bool {
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
    while !done.wait(seconds: 0.05) {
      guard isWanted() else {
        thread.forget()
        return false
      }
    }
    thread.join()
    done.destroy()
    return true
  }
}
