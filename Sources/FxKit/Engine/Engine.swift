import FxAudio
public import FxPlaying
import Synchronization

/// Plays a chain on a sound device, or renders it into files, without blocking the caller.
///
///     let engine = try Engine(chain, output: .device("default"))
///     try await engine.start()
///     try await engine["room.wet"].ramp(to: 0.3, over: .seconds(1))
///     for await event in engine.events { print(event) }
///     let summary = try await engine.stop()
///
/// Several engines may run in one process, each on threads of its own. An engine plays once: make a new one
/// to play again. An engine that nobody holds any more stops.
public final class Engine: Sendable {
  /// What an engine does now.
  public enum State: String, Sendable {
    /// Not started yet.
    case ready
    /// The chain's inputs and the device are being opened.
    case starting
    case playing
    case paused
    /// It has ended, or could not start.
    case ended
  }

  /// The chain at the start; `load` and `update` replace it.
  public let chain: Chain
  /// The inputs, outputs and settings.
  public let request: RenderRequest
  private let performance: EnginePerformance
  private let current: Mutex<Chain>
  /// Changes of the chain come one after another.
  let turn = Turn()

  /// Checks the chain; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - chain: the chain to play.
  ///   - request: its inputs, outputs and settings. Without an output, it plays on the default device.
  /// - Throws: `ChainFailure` with every mistake of the chain or the request.
  public init(_ chain: Chain, _ request: RenderRequest = RenderRequest()) throws(ChainFailure) {
    try request.check()
    let found = chain.checked()
    if found.hasErrors { throw ChainFailure(found) }
    self.chain = chain
    self.request = request
    performance = EnginePerformance(chain, request)
    current = Mutex(chain)
  }

  deinit { performance.stop() }

  var control: LiveControl { performance.control }
  var progress: EngineProgress { performance.progress }

  /// Plays one input into one output.
  ///
  /// - Parameters:
  ///   - chain: the chain to play.
  ///   - input: nil for a chain with sources of its own, and for the recording device.
  ///   - output: the sound device, a file, or a closure or queue of the program.
  public convenience init(
    _ chain: Chain, input: EngineInput? = nil, output: EngineOutput
  ) throws(ChainFailure) {
    var request = RenderRequest()
    input?.bind("main", in: &request)
    output.bind("main", in: &request)
    try self.init(chain, request)
  }

  public var state: State { progress.state }

  /// The chain that plays: the last one that took over.
  public var playingChain: Chain { current.withLock { $0 } }

  // MARK: Playing

  /// Opens the inputs and the device, and returns when the first block plays. Cancelling the task before
  /// that stops the engine.
  ///
  /// - Throws: `ChainFailure` if it cannot play, has been started before, or the task was cancelled.
  public func start() async throws(ChainFailure) {
    guard progress.begin() else {
      throw ChainFailure(.request, code: .usage, "an engine plays once: make a new one")
    }
    performance.begin()
    await withTaskCancellationHandler {
      await progress.waitForStart()
    } onCancel: {
      performance.stop()
    }
    if case .failure(let failure)? = progress.outcome { throw failure }
    if progress.state == .ended, Task.isCancelled {
      throw ChainFailure(
        .request, code: .interrupted, "the task was cancelled before the first block played")
    }
  }

  /// Starts, and plays to the end of the sound. Cancelling the task stops it, with a fade of 10 ms.
  ///
  /// - Returns: the summary of the performance, or of the part before it was cancelled.
  @discardableResult
  public func run() async throws(ChainFailure) -> RenderSummary {
    try await start()
    return try await finish()
  }

  /// Waits for the end of the sound. Cancelling the task stops the engine.
  @discardableResult
  public func finish() async throws(ChainFailure) -> RenderSummary {
    await withTaskCancellationHandler {
      await progress.waitForEnd()
    } onCancel: {
      performance.stop()
    }
    guard let outcome = progress.outcome else {
      throw ChainFailure(.request, code: .notPlaying, "the engine has not been started")
    }
    return try outcome.get()
  }

  /// Fades out and ends the performance.
  ///
  /// - Returns: the summary of what was played.
  @discardableResult
  public func stop() async throws(ChainFailure) -> RenderSummary {
    performance.stop()
    return try await finish()
  }

  /// Pauses the chain's files. Its tails ring out, and devices and nodes of the program continue.
  public func pause() async throws(ChainFailure) { try await send(.pause) }

  /// Continues after a pause.
  public func resume() async throws(ChainFailure) { try await send(.resume) }

  /// Sends a request to the playing chain and waits for its answer. Requests are carried out in order, and
  /// before the first block they wait for it. Cancelling the task ends a wait for `.learn`; other requests
  /// are answered soon.
  @discardableResult
  public func send(_ request: LiveRequest) async throws(ChainFailure) -> LiveAnswer {
    guard progress.state != .ready else {
      throw ChainFailure(.request, code: .notPlaying, "the engine has not been started")
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        control.post(request) { continuation.resume(returning: $0) }
        if Task.isCancelled { stopLearning(for: request) }
      }
    } onCancel: {
      stopLearning(for: request)
    }
    let answer = try outcome.get()
    note(request)
    return answer
  }

  private func stopLearning(for request: LiveRequest) {
    if case .learn(_?) = request { control.post(.learn(parameter: nil)) { _ in } }
  }

  /// What `playingChain` and `state` have to know of a request that was carried out.
  private func note(_ request: LiveRequest) {
    switch request {
    case .pause: progress.pause(true)
    case .resume: progress.pause(false)
    case .replace(let chain, _): nowPlaying(chain)
    case .load(let path):
      if let chain = try? Chain(contentsOfFile: path ?? playingChain.path) { nowPlaying(chain) }
    default: break
    }
  }

  private func nowPlaying(_ chain: Chain) { current.withLock { $0 = chain } }

  // MARK: Changes of the chain

  /// Lets another chain take over with a crossfade. Nodes that have not changed continue, and keep their
  /// sound.
  ///
  /// - Returns: what changed, in words.
  /// - Throws: `ChainFailure` if the chain has mistakes, or needs other sources or sinks; the old one plays
  ///   on.
  @discardableResult
  public func load(_ chain: Chain) async throws(ChainFailure) -> String {
    await turn.enter()
    defer { turn.leave() }
    return try await replace(with: chain)
  }

  /// Hands the chain over; the caller has the turn.
  func replace(
    with chain: Chain, keepingChanges: Bool = false
  ) async throws(ChainFailure) -> String {
    let request = LiveRequest.replace(chain, keepingChanges: keepingChanges)
    if case .loaded(let summary) = try await send(request) { return summary }
    return ""
  }

  // MARK: Events

  /// What happens to the performance, from now on until its end. Each call gives a stream of its own.
  ///
  /// A consumer that is slower than events arrive misses the oldest; the next event it gets is then
  /// `.dropped` with their number.
  public var events: EngineEvents { performance.broadcast.subscribe() }
}
