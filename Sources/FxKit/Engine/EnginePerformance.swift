import FxAudio
import FxPlaying

/// What an engine plays, on a thread that does not hold the engine.
final class EnginePerformance: Sendable {
  let control = LiveControl()
  let progress = EngineProgress()
  let broadcast = EventBroadcast()
  private let chain: Chain
  private let request: RenderRequest
  private let stopSignal = StopSignal()

  init(_ chain: Chain, _ request: RenderRequest) {
    self.chain = chain
    self.request = request
  }

  func begin() {
    var code: Int32 = 0
    let thread = WorkerThread(failure: &code) { [self] in perform() }
    guard let thread else {
      return end(
        .failure(
          ChainFailure(.internalError, code: .threadUnavailable, "no thread to play on")))
    }
    // Its last action is `end`; nobody joins it.
    thread.forget()
  }

  /// Fades out and ends, now or when it has begun. One that was not started never plays.
  func stop() {
    stopSignal.stop()
    control.wakeEvent.signal()
    let failure = ChainFailure(.request, code: .notPlaying, "the engine has not been started")
    if progress.endIfReady(failure) { end(.failure(failure)) }
  }

  private func perform() {
    let outcome: Result<RenderSummary, ChainFailure>
    do throws(ChainFailure) {
      let job = try RenderJob(chain, request, stop: stopSignal)
      for diagnostic in job.diagnostics.all { send(.remark(ChainDiagnostic(diagnostic))) }
      let summary = try job.play(stop: stopSignal, control: control) { [self] now in
        progress.rendered(now)
      } event: { [self] in
        send(.rendering($0))
      } device: { [self] in
        send(.device($0))
      } change: { [self] in
        send(.chain($0))
      } region: { [self] in
        send(.region($0))
      } look: { [self] _ in
        if progress.started() { send(.started) }
      }
      outcome = .success(summary)
    } catch {
      outcome = .failure(error)
    }
    end(outcome)
  }

  private func send(_ event: EngineEvent) { broadcast.send(event) }

  private func end(_ outcome: Result<RenderSummary, ChainFailure>) {
    control.end()
    progress.end(outcome)
    broadcast.finish(with: .ended(outcome))
  }
}
