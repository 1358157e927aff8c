import FxAudio
import Synchronization

/// A bounded queue of sample buffers from one thread to another.
///
/// For a chain's input the caller pushes buffers; for an output the caller takes them:
///
///     let queue = SampleQueue(SampleFormat(sampleRate: 48000, channels: 2))
///     request.sampleInputs["main"] = .queue(queue)
///     // On another thread:
///     while let buffer = nextBuffer() { try queue.push(buffer) }
///     queue.finish()
public final class SampleQueue: Sendable {
  /// The result of pushing a buffer.
  public enum Outcome: Sendable, Hashable {
    /// Its last frame was taken. In a performance it is played up to about one second later.
    case taken
    /// Not all of it was taken, because the queue was cancelled or already finished.
    case dropped
  }

  private struct Buffer {
    let channels: [[Float]]
    var taken = 0
    let completion: (@Sendable (Outcome) -> Void)?

    var frameCount: Int { channels.first?.count ?? 0 }
  }

  private struct State {
    /// The buffers before `first` have been taken.
    var buffers: [Buffer] = []
    var first = 0
    var frameCount = 0
    var isFinished = false
    var isCancelled = false

    func hasRoom(for channels: [[Float]], _ capacity: Int) -> Bool {
      frameCount == 0 || frameCount + (channels.first?.count ?? 0) <= capacity
    }

    mutating func removeFirst() {
      buffers[first] = Buffer(channels: [], completion: nil)
      first += 1
      guard first > 64, 2 * first > buffers.count else { return }
      buffers.removeFirst(first)
      first = 0
    }
  }

  public let format: SampleFormat
  /// The maximum number of waiting frames. A single longer buffer is accepted when the queue is
  /// empty.
  public let capacity: Int
  private let state = Mutex(State())
  private let pusher = Sleeper.make()
  private let taker = Sleeper.make()

  /// Makes an empty queue. A format that no sound has is refused where the queue is used.
  ///
  /// - Parameters:
  ///   - format: the format of every buffer.
  ///   - capacity: the maximum number of waiting frames, at least 1.
  public init(_ format: SampleFormat, capacity: Int = 48000) {
    self.format = format
    self.capacity = max(capacity, 1)
  }

  deinit {
    pusher.destroy()
    taker.destroy()
  }

  /// The number of waiting frames.
  public var waitingFrames: Int { state.withLock { $0.frameCount } }

  /// True when the consumer has ended: pushed buffers are dropped.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Adds a buffer; waits while the queue is full. From one thread at a time.
  ///
  /// - Parameters:
  ///   - channels: `format.channels` arrays of equal length.
  ///   - completion: called once, on the thread that takes the last frame or that ends the queue.
  /// - Returns: False if the queue is cancelled or finished.
  /// - Throws: `ChainFailure` of kind `request` for another number of channels or different lengths; then
  ///   `completion` is not called.
  @discardableResult
  public func push(
    _ channels: [[Float]], completion: (@Sendable (Outcome) -> Void)? = nil
  ) throws(ChainFailure) -> Bool {
    try format.check(channels)
    while true {
      switch offer(channels, completion) {
      case .added: return true
      case .ended:
        completion?(.dropped)
        return false
      case .full:
        pusher.sleep(seconds: 1) {
          state.withLock { $0.hasRoom(for: channels, capacity) || $0.isCancelled || $0.isFinished }
        }
      }
    }
  }

  /// Adds a buffer if the queue has room. Throws as `push` does. Returns false if it is full, cancelled or finished; then
  /// `completion` is not called.
  public func pushWithoutWaiting(
    _ channels: [[Float]], completion: (@Sendable (Outcome) -> Void)? = nil
  ) throws(ChainFailure) -> Bool {
    try format.check(channels)
    return offer(channels, completion) == .added
  }

  /// Marks the end: nothing more is pushed.
  public func finish() {
    state.withLock { $0.isFinished = true }
    taker.wake()
    pusher.wake()
  }

  /// Takes up to `frames` frames; waits for the first. From one thread at a time.
  ///
  /// - Returns: `format.channels` arrays of equal length; at the end each of them is empty.
  public func take(_ frames: Int) -> [[Float]] {
    var taken = [[Float]](repeating: [], count: max(format.channels, 0))
    _ = takeRuns(frames) { buffer, range in
      for channel in taken.indices { taken[channel] += buffer[channel][range] }
    }
    return taken
  }

  /// Ends the consumer's side and drops the waiting buffers.
  public func cancel() {
    let left = state.withLock { state in
      state.isCancelled = true
      state.frameCount = 0
      defer {
        state.buffers = []
        state.first = 0
      }
      return state.buffers[state.first...].map(\.completion)
    }
    taker.wake()
    pusher.wake()
    for completion in left { completion?(.dropped) }
  }

  private enum Offer { case added, full, ended }

  private func offer(
    _ channels: [[Float]], _ completion: (@Sendable (Outcome) -> Void)?
  ) -> Offer {
    let count = channels.first?.count ?? 0
    guard count > 0 else {
      completion?(.taken)
      return .added
    }
    let offer = state.withLock { state -> Offer in
      guard !state.isCancelled, !state.isFinished else { return .ended }
      guard state.hasRoom(for: channels, capacity) else { return .full }
      state.buffers.append(Buffer(channels: channels, completion: completion))
      state.frameCount += count
      return .added
    }
    if offer == .added { taker.wake() }
    return offer
  }

  /// Takes available frames; waits for the first. Returns 0 at the end.
  func takeRuns(_ frames: Int, _ copy: ([[Float]], Range<Int>) -> Void) -> Int {
    guard frames > 0 else { return 0 }
    taker.sleep { state.withLock { $0.frameCount > 0 || $0.isFinished || $0.isCancelled } }
    var done = 0
    while done < frames {
      let left = frames - done
      let run = state.withLock { state -> (buffer: Buffer, range: Range<Int>)? in
        guard state.first < state.buffers.count else { return nil }
        let buffer = state.buffers[state.first]
        let range = buffer.taken..<min(buffer.taken + left, buffer.frameCount)
        state.buffers[state.first].taken = range.upperBound
        state.frameCount -= range.count
        if range.upperBound == buffer.frameCount { state.removeFirst() }
        return (buffer, range)
      }
      guard let (buffer, range) = run else { break }
      copy(buffer.channels, range)
      done += range.count
      if range.upperBound == buffer.frameCount { buffer.completion?(.taken) }
    }
    pusher.wake()
    return done
  }
}
