import FxAudio
import FxFrames
import Synchronization

/// A queue of sample buffers with a bound, from one thread to another.
///
/// As an input of a chain the caller pushes, as an output the caller takes:
///
///     let queue = SampleQueue(SampleFormat(sampleRate: 48000, channels: 2))
///     request.sampleInputs["main"] = .queue(queue)
///     // On another thread:
///     while let buffer = nextBuffer() { queue.push(buffer) }
///     queue.finish()
public final class SampleQueue: Sendable {
  /// What becomes of a buffer that was pushed.
  public enum Outcome: Sendable, Hashable {
    /// Its last frame was taken. In a performance it is heard up to about a second later.
    case taken
    /// Nobody takes it any more.
    case dropped
  }

  private struct Buffer {
    let channels: [[Float]]
    var taken = 0
    let completion: (@Sendable (Outcome) -> Void)?

    var frameCount: Int { channels.first?.count ?? 0 }
  }

  private struct State {
    /// Those before `first` have been taken.
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
  /// Frames that may wait; a single buffer may be longer when nothing else waits.
  public let capacity: Int
  private let state = Mutex(State())
  private let pusher = Sleeper.make()
  private let taker = Sleeper.make()

  /// Makes an empty queue.
  ///
  /// - Parameters:
  ///   - format: of every buffer.
  ///   - capacity: frames that may wait, at least 1.
  public init(_ format: SampleFormat, capacity: Int = 48000) {
    self.format = format
    self.capacity = max(capacity, 1)
  }

  deinit {
    pusher.destroy()
    taker.destroy()
  }

  /// Frames that wait.
  public var waitingFrames: Int { state.withLock { $0.frameCount } }

  /// True when nothing is taken any more: the render has ended.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Adds a buffer, waiting while there is no room. From one thread at a time.
  ///
  /// - Parameters:
  ///   - channels: `format.channels` arrays of equal length.
  ///   - completion: called once, on the thread that takes the last frame or that ends the queue.
  /// - Returns: False when nothing is taken any more, or the queue is finished.
  @discardableResult
  public func push(
    _ channels: [[Float]], completion: (@Sendable (Outcome) -> Void)? = nil
  ) -> Bool {
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

  /// Adds a buffer where there is room for it. False where there is none, or nothing is taken any more;
  /// `completion` is not called then.
  public func pushWithoutWaiting(
    _ channels: [[Float]], completion: (@Sendable (Outcome) -> Void)? = nil
  ) -> Bool { offer(channels, completion) == .added }

  /// Nothing more is pushed.
  public func finish() {
    state.withLock { $0.isFinished = true }
    taker.wake()
    pusher.wake()
  }

  /// Takes up to so many frames, waiting for the first. From one thread at a time.
  ///
  /// - Returns: `format.channels` arrays of equal length, without a frame at the end.
  public func take(_ frames: Int) -> [[Float]] {
    var taken = [[Float]](repeating: [], count: format.channels)
    _ = takeRuns(frames) { buffer, range in
      for channel in taken.indices { taken[channel] += buffer[channel][range] }
    }
    return taken
  }

  /// Nobody takes anything any more; buffers that wait are dropped.
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
    precondition(
      channels.count == format.channels && channels.allSatisfy { $0.count == count },
      "the queue takes \(format.channels) channels of equal length")
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

  /// Takes frames that are there, waiting for the first; 0 at the end.
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
