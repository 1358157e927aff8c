import CRealtime
import Synchronization

/// How long opening a source or a device may take, and whether it is still wanted.
package struct OpeningLimits: Sendable {
  /// Seconds in which not one byte comes. A pipe that somebody writes to is waited for.
  package var seconds: Double
  /// Asked many times a second, on the thread that waits.
  package var isStopped: @Sendable () -> Bool

  package init(
    seconds: Double = 10, isStopped: @escaping @Sendable () -> Bool = { false }
  ) {
    self.seconds = seconds
    self.isStopped = isStopped
  }

  /// As messages have them.
  package var shownSeconds: String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }

  /// Why what was begun is given up.
  package enum GivingUp { case stopped, late }

  /// Calls what may hang on a thread of its own. One that is given up is left to itself, with all that
  /// it uses, and what it opens is closed again.
  package func call<Value>(
    _ monitor: OpeningMonitor = OpeningMonitor(), _ body: @escaping () throws(IOError) -> Value,
    givingUp: (GivingUp) -> IOError
  ) throws(IOError) -> Value {
    let outcome = Outcome<Value>()
    var why = GivingUp.stopped
    var (seen, since) = (monitor.progress, fx_monotonic_seconds())
    let hasReturned = TimedCall.run {
      do throws(IOError) {
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

  /// Written by the thread that opens, read once it has returned.
  private final class Outcome<Value> { var result: Result<Value, IOError>? }
}

/// How far a thread is that opens a source, and whether it should go on.
package final class OpeningMonitor: Sendable {
  package init() {}

  private let reads = Atomic<Int>(0)
  private let pipe = Atomic<Bool>(false)
  private let unopened = Atomic<Bool>(false)
  private let givenUp = Atomic<Bool>(false)

  /// Changes with every byte that comes.
  package var progress: Int { reads.load(ordering: .relaxed) }
  /// A pipe is open, whose bytes come when they come.
  package var isPipe: Bool { pipe.load(ordering: .relaxed) }
  /// A named pipe is being opened, which takes somebody who writes to it.
  package var awaitsWriter: Bool { unopened.load(ordering: .relaxed) && !isPipe }
  package var isGivenUp: Bool { givenUp.load(ordering: .relaxed) }

  package func noteRead() { reads.wrappingAdd(1, ordering: .relaxed) }
  package func notePipe() { pipe.store(true, ordering: .relaxed) }
  package func noteNamedPipe() { unopened.store(true, ordering: .relaxed) }
  package func giveUp() { givenUp.store(true, ordering: .relaxed) }
}

extension OpeningLimits {
  /// Why a source is not open.
  package func failure(_ name: String, _ why: GivingUp, _ monitor: OpeningMonitor) -> IOError {
    let limit = shownSeconds
    return switch why {
    case .stopped: IOError(.interrupted, name, "fxrun was asked to end before it was open")
    case .late where monitor.awaitsWriter:
      IOError(
        .timedOut, name,
        "this is a pipe, and for \(limit) s nothing has opened it for writing; start the program "
          + "that writes it first")
    case .late:
      IOError(
        .timedOut, name,
        "not one byte of it came for \(limit) s; its drive or its network does not answer")
    }
  }
}
