import FxAudio
@testable import FxPlaying
import Synchronization
import Testing

struct TimedCallTests {
  private final class Flag: Sendable {
    private let isSet = Atomic<Bool>(false)
    let wakeup = Wakeup.make()
    deinit { wakeup.destroy() }

    var value: Bool { isSet.load(ordering: .relaxed) }
    func set() { isSet.store(true, ordering: .relaxed) }
  }

  @Test func `a call that returns has been made when its wait ends`() {
    let flag = Flag()
    #expect(TimedCall.run(seconds: 10) { flag.set() })
    #expect(flag.value)
  }

  @Test func `a call that hangs is abandoned`() {
    let flag = Flag()
    let isDone = TimedCall.run(seconds: 0.05) {
      flag.wakeup.wait()
      flag.set()
    }
    #expect(!isDone)
    #expect(!flag.value)
    flag.wakeup.signal()
  }

  @Test func `a thread on a missing processor is refused`() {
    var code: Int32 = 0
    let thread = WorkerThread(processors: [1023], failure: &code) {}
    // A computer with enough processors has it.
    #expect(thread != nil || code == 22)
    #expect(WorkerThread(processors: [-1], failure: &code) {} == nil)
    #expect(code == 22)
  }
}
