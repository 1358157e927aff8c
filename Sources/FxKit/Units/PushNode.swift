public import FxAudio
import Synchronization

/// Sound that the program pushes, buffer by buffer, and that is heard a known time later.
///
/// A call, a jingle pad or a synthesizer on a thread of its own pushes here. `SampleQueue` is for sound
/// that may wait a second.
///
///     let call = try PushNode("call", SampleFormat(channels: 1), latency: .milliseconds(20))
///     let chain = Chain(json: text, units: UnitSet(call))
///     // On any thread, as packets arrive:
///     let taken = try call.push(samples)
public final class PushNode: ProgramNode {
  public let name: String
  public let format: SampleFormat
  /// The sound begins, and begins again after it ran dry, when this many frames wait, or when the first of
  /// them has waited this long.
  public let latencyFrames: Int
  public let type: UnitType
  private let queue: PushQueue
  private let producer = Mutex(())

  /// - Parameters:
  ///   - name: the unit's name in the chain: letters and digits, beginning with a small letter.
  ///   - format: the format of every buffer. Its sample rate must be that of the chain.
  ///   - latency: 0 to 10 s. Longer gaps between two pushes than this are heard as silence.
  ///   - capacity: frames that can wait; nil for four times the latency and at least 4096.
  /// - Throws: `ChainFailure` of kind `request` for values out of range.
  public init(
    _ name: String, _ format: SampleFormat, latency: Duration = .milliseconds(20),
    capacity: Int? = nil
  ) throws(ChainFailure) {
    try format.check()
    let seconds = latency / .seconds(1)
    guard (0...10).contains(seconds) else {
      throw .outOfRange("a push node has a latency between 0 and 10 s, not \(seconds) s")
    }
    let frames = Int((seconds * format.sampleRate).rounded())
    let capacity = capacity ?? max(4 * frames, 4096)
    guard (max(frames, 1)...1 << 26).contains(capacity) else {
      throw .outOfRange(
        "a push node holds at least its latency of \(frames) frames, and at most 67108864; not \(capacity)"
      )
    }
    self.name = name
    self.format = format
    latencyFrames = frames
    let queue = PushQueue(format.channels, capacity: capacity, latencyFrames: frames)
    self.queue = queue
    let rate = format.sampleRate
    type = UnitType(
      of: queue,
      UnitSpec(
        name, summary: "Plays sound that the program pushes.", category: "program", inputs: [],
        outputs: [OutputBusSpec("out", width: .exactly(format.channels))]),
      PushQueue.entry
    ) { _, preparation throws(Failure) in
      guard preparation.sampleRate == rate else {
        throw Failure(
          "'\(name)' has samples at \(Int(rate)) Hz, and the chain runs at \(Int(preparation.sampleRate)) Hz: "
            + "convert them, or give the chain this sample rate")
      }
    }
  }

  /// Adds a buffer. Never waits. From any thread; buffers of several threads are added one after another.
  ///
  /// - Parameter channels: `format.channels` arrays of equal length, full scale at ±1.
  /// - Returns: the frames that were taken from the front: fewer than there are if the node is full.
  /// - Throws: `ChainFailure` of kind `request` for another number of channels or different lengths.
  @discardableResult
  public func push(_ channels: [[Float]]) throws(ChainFailure) -> Int {
    try format.check(channels)
    return producer.withLock { _ in queue.push(channels) }
  }

  /// Frames that wait now.
  public var waitingFrames: Int { queue.waitingFrames }
  /// Frames of silence in the blocks in which the sound ran dry, since the start.
  public var starvedFrames: Int { queue.starvedFrames }
}

/// The frames between the pushing threads and the render thread.
final class PushQueue: NodeObject {
  let use = NodeUse()
  private let ring: PlanarRing
  private let capacity: Int
  private let latencyFrames: Int
  private let starved = Atomic<Int>(0)
  /// True from when the sound began until the queue runs dry. Of the render thread.
  private let isFlowing = Atomic<Bool>(false)
  /// Frames that have been rendered since the first one waits. Of the render thread.
  private let held = Atomic<Int>(0)

  init(_ channelCount: Int, capacity: Int, latencyFrames: Int) {
    ring = .make(channelCount: channelCount, minimumCapacity: capacity)
    self.capacity = capacity
    self.latencyFrames = latencyFrames
  }

  deinit { ring.destroy() }

  var waitingFrames: Int { ring.readableCount }
  var starvedFrames: Int { starved.load(ordering: .relaxed) }

  func push(_ channels: [[Float]]) -> Int {
    let count = min(channels.first?.count ?? 0, capacity - ring.readableCount)
    guard count > 0 else { return 0 }
    var done = 0
    while done < count {
      let piece = min(count - done, ring.writePointer(0).count)
      for (index, samples) in channels.enumerated() {
        samples.withUnsafeBufferPointer { samples in
          guard let start = samples.baseAddress else { return }
          ring.writePointer(index).pointer.update(from: start + done, count: piece)
        }
      }
      ring.advanceHead(piece)
      done += piece
    }
    return count
  }

  static let entry = UnitEntry(
    render: { state, block in
      Unmanaged<PushQueue>.fromOpaque(state)._withUnsafeGuaranteedRef {
        $0.render(RenderBlock(at: block))
      }
    },
    reset: { _ in })

  // MARK: - Realtime

  @_noLocks
  private func render(_ block: RenderBlock) {
    let waiting = ring.readableCount
    let start = isFlowing.load(ordering: .relaxed) ? 0 : begin(waiting, block.frameCount)
    let count = min(waiting, block.frameCount &- start)
    _ = ring.take(into: block.outputs, frameCount: count)
    if start > 0 { delay(block, by: start, count) }
    guard start &+ count < block.frameCount else { return }
    for channel in 0..<block.outputCount {
      for frame in (start &+ count)..<block.frameCount { block.outputs[channel][frame] = 0 }
    }
    if isFlowing.load(ordering: .relaxed) {
      starved.wrappingAdd(block.frameCount &- start &- count, ordering: .relaxed)
    }
    isFlowing.store(false, ordering: .relaxed)
  }

  /// The frame of the block at which the sound begins; the block's length if it does not.
  @_noLocks
  private func begin(_ waiting: Int, _ frameCount: Int) -> Int {
    guard waiting > 0 else {
      held.store(0, ordering: .relaxed)
      return frameCount
    }
    let waited = held.load(ordering: .relaxed)
    let rest = waiting >= latencyFrames ? 0 : latencyFrames &- waited
    guard rest < frameCount else {
      held.store(waited &+ frameCount, ordering: .relaxed)
      return frameCount
    }
    held.store(0, ordering: .relaxed)
    isFlowing.store(true, ordering: .relaxed)
    return rest
  }

  /// Moves the frames at the beginning of a block, and leaves silence before them.
  @_noLocks
  private func delay(_ block: RenderBlock, by start: Int, _ count: Int) {
    for channel in 0..<block.outputCount {
      let output = block.outputs[channel]
      var frame = count &- 1
      while frame >= 0 {
        output[start &+ frame] = output[frame]
        frame &-= 1
      }
      for frame in 0..<start { output[frame] = 0 }
    }
  }
}
