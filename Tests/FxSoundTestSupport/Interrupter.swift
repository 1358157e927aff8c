package import FxMedia
import Glibc

/// Interrupts a source from another thread.
package final class Interrupter: @unchecked Sendable {
  private let source: any AudioSource

  package init(_ source: any AudioSource) { self.source = source }

  package func interrupt(after seconds: Double) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Call(self, seconds)).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let call = Unmanaged<Call>.fromOpaque(context).takeRetainedValue()
        Interrupter.sleep(call.seconds)
        call.target.source.interrupt()
        return nil
      }, context)
    if code == 0 { pthread_detach(thread) }
  }

  package static func sleep(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }

  private final class Call {
    let target: Interrupter
    let seconds: Double
    init(_ target: Interrupter, _ seconds: Double) {
      self.target = target
      self.seconds = seconds
    }
  }
}
