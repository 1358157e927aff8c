public import FxPlaying
import FxAudio

extension Chain {
  /// Renders into files as fast as possible, on a thread of its own.
  ///
  /// Cancelling the task stops the render; the part rendered so far stays as `NAME.partial.EXT`, and the
  /// summary's `wasStopped` is true.
  ///
  /// - Parameters:
  ///   - request: the inputs, outputs and settings.
  ///   - progress: called about ten times a second on the render's thread.
  /// - Throws: `ChainFailure`; then no output exists.
  @concurrent
  public func rendered(
    _ request: RenderRequest, progress: (@Sendable (RenderingProgress) -> Void)? = nil
  ) async throws(ChainFailure) -> RenderSummary {
    let stop = StopSignal()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<RenderSummary, ChainFailure>, Never>) in
        var code: Int32 = 0
        let thread = WorkerThread(failure: &code) {
          let outcome: Result<RenderSummary, ChainFailure>
          do throws(ChainFailure) {
            outcome = .success(try self.render(request, stop: stop, progress: progress))
          } catch {
            outcome = .failure(error)
          }
          continuation.resume(returning: outcome)
        }
        guard let thread else {
          return continuation.resume(
            returning: .failure(
              ChainFailure(
                .internalError, code: .threadUnavailable, "no thread to render on")))
        }
        thread.forget()
      }
    } onCancel: {
      stop.stop()
    }
    return try outcome.get()
  }
}
