import CRealtime
import FxAudio
import Synchronization

extension PluginProbe {
  /// Receives the verdict of one plugin as soon as it is known, with the plugin's index.
  package typealias Receiver = @Sendable (Int, PluginVerdict) -> Void

  /// Probes plugins, `jobs` at a time. Each verdict goes to `receive` with the plugin's index in
  /// the list, in any order. Calls never overlap.
  package func verdicts(
    of descriptions: [LV2Description], jobs: Int, receive: @escaping Receiver
  ) {
    let work = Work(probe: self, descriptions: descriptions, receive: receive)
    var threads: [UInt64] = []
    for _ in 0..<min(max(jobs, 1), max(descriptions.count, 1)) {
      var thread: UInt64 = 0
      let error = fx_thread_start(
        &thread, 0,
        { work in
          if let work { Unmanaged<Work>.fromOpaque(work).takeUnretainedValue().run() }
          return nil
        }, Unmanaged.passUnretained(work).toOpaque())
      if error == 0 { threads.append(thread) }
    }
    // When no thread could be started.
    if threads.isEmpty { work.run() }
    for thread in threads { fx_thread_join(thread) }
    withExtendedLifetime(work) {}
  }

  /// The list that several threads work through.
  private final class Work: Sendable {
    private let probe: PluginProbe
    private let descriptions: [LV2Description]
    private let receive: Receiver
    private let next = Atomic<Int>(0)
    private let receiving = Mutex(())

    init(probe: PluginProbe, descriptions: [LV2Description], receive: @escaping Receiver) {
      self.probe = probe
      self.descriptions = descriptions
      self.receive = receive
    }

    func run() {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < descriptions.count else { return }
        let verdict: PluginVerdict
        do throws(Failure) {
          verdict = try probe.verdict(of: descriptions[index])
        } catch {
          verdict = PluginVerdict(.failed, detail: error.message)
        }
        receiving.withLock { _ in receive(index, verdict) }
      }
    }
  }
}
