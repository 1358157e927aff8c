import CRealtime
import Synchronization

/// How long opening a source or a device may take, and whether the caller still wants it.
package struct OpeningLimits: Sendable {
  /// The longest time, in seconds, without a single byte. A pipe with a writer has no limit.
  package var seconds: Double
  /// Called many times a second, on the waiting thread.
  package var isStopped: @Sendable () -> Bool

  package init(
    seconds: Double = 10, isStopped: @escaping @Sendable () -> Bool = { false }
  ) {
    self.seconds = seconds
    self.isStopped = isStopped
  }

  /// The seconds as they appear in messages.
  package var shownSeconds: String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }

  /// Why opening was stopped.
  package enum GivingUp { case stopped, late }

  /// Runs a call that may hang, on a thread of its own. When the call is given up, its thread
  /// continues with all that it uses, and what it opens is closed again.
  package func call<Value>(
    _ monitor: OpeningMonitor = OpeningMonitor(), _ body: @escaping () throws(Failure) -> Value,
    givingUp: (GivingUp) -> Failure
  ) throws(Failure) -> Value {
    let outcome = Outcome<Value>()
    var why = GivingUp.stopped
    var (seen, since) = (monitor.progress, fx_monotonic_seconds())
    let hasReturned = TimedCall.run {
      do throws(Failure) {
        outcome.result = .success(try body())
      } catch {
        outcome.result = .failure(error)
      }
    } while: {
      guard !isStopped() else { return false }
      let (progress, now) = (monitor.progress, fx_monotonic_seconds())
      if progress != seen || monitor.isPipe { (seen, since) = (progress, now) }
      why = .late
      return now - since < seconds
    }
    guard hasReturned, let result = outcome.result else {
      monitor.giveUp()
      throw givingUp(isStopped() ? .stopped : why)
    }
    return try result.get()
  }

  /// Written by the opening thread, read after the call has returned.
  private final class Outcome<Value> { var result: Result<Value, Failure>? }
}

/// The progress of a thread that opens a source, and whether it should continue.
package final class OpeningMonitor: Sendable {
  package init() {}

  private let reads = Atomic<Int>(0)
  private let pipe = Atomic<Bool>(false)
  private let unopened = Atomic<Bool>(false)
  private let givenUp = Atomic<Bool>(false)

  /// Changes whenever bytes arrive.
  package var progress: Int { reads.load(ordering: .relaxed) }
  /// A pipe is open; its bytes may arrive at any time.
  package var isPipe: Bool { pipe.load(ordering: .relaxed) }
  /// A named pipe is being opened, and no program has opened it for writing yet.
  var awaitsWriter: Bool { unopened.load(ordering: .relaxed) && !isPipe }
  package var isGivenUp: Bool { givenUp.load(ordering: .relaxed) }

  package func noteRead() { reads.wrappingAdd(1, ordering: .relaxed) }
  package func notePipe() { pipe.store(true, ordering: .relaxed) }
  package func noteNamedPipe() { unopened.store(true, ordering: .relaxed) }
  package func giveUp() { givenUp.store(true, ordering: .relaxed) }
}

extension OpeningLimits {
  /// The error for a source that could not be opened in time.
  package func failure(_ name: String, _ why: GivingUp, _ monitor: OpeningMonitor) -> Failure {
    let limit = shownSeconds
    return switch why {
    case .stopped: Failure(.interrupted, name, "fxrun was stopped before it was open")
    case .late where monitor.awaitsWriter:
      Failure(
        .timeout, name,
        "this is a pipe, and for \(limit) s nothing has opened it for writing; start the program "
          + "that writes it first")
    case .late:
      Failure(
        .timeout, name,
        "not one byte of it came for \(limit) s; its drive or its network does not answer")
    }
  }
}
