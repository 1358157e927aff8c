import CRealtime
import FxAudio
import FxEngine

/// Delivers rendered frames to the sinks. It drops each sink's latency from the front, decides
/// where the sound ends, and holds back frames that may turn out to be trailing silence.
///
/// All sinks end at the same frame. Created on the control thread, used on the render thread.
struct OutputStage: BitwiseCopyable, @unchecked Sendable {
  // Sendable: pointers to memory that only the render thread uses once it runs.

  /// One sink: the program's buffers, the producer of its feed, and the frames that are held back.
  struct Port: BitwiseCopyable {
    /// nil for a sink without a feed, such as a sound device.
    let producer: FeedProducer?
    let width: Int
    var buffers: UnsafeMutablePointer<UnsafePointer<Float>>
    let cursors: UnsafeMutablePointer<UnsafePointer<Float>>
    let held: PlanarRing
    /// The sink's index in the program.
    var index: Int
    /// The latest known latency.
    var latency: Int
    /// Frames of the latency that must still be dropped.
    var toSkip: Int
    /// A pending change of the latency, and the frames until it takes effect.
    var shift = 0
    var shiftWait = 0
    /// Frames of silence to insert, because the latency became shorter.
    var owed = 0
    /// Frames rendered on the sink's own timeline, which starts after its latency.
    var end = 0
    /// Frames pushed to the feed.
    var delivered = 0
  }

  struct State: BitwiseCopyable {
    var mainFrameCount = -1
    /// The number of parameter changes at the latest question about the tail; -1 before the first
    /// one in a program.
    var askedChangeCount = -1
    var hasAsked = false
    /// The index after the last frame that is known to stay.
    var kept = 0
    /// The address of the current latencies; nil if they never change.
    var latencyNumbers: UnsafePointer<Int>?
  }

  let ports: UnsafeMutablePointer<Port>
  let portCount: Int
  let state: UnsafeMutablePointer<State>
  private let scratch: UnsafeMutablePointer<Float>
  private let scratchViews: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let silence: UnsafeMutablePointer<Float>
  let silenceViews: UnsafeMutablePointer<UnsafePointer<Float>>
  /// True for a tail that ends at silence.
  let endsInSilence: Bool
  /// The minimum frames of any other tail.
  let tailFrameCount: Int
  let tail: UnsafeMutablePointer<TailTimes>
  /// True if the tail has the length that the units declare.
  let isDeclared: Bool
  /// True if another thread answers how long the tail is, after the sound has ended.
  let asksForTail: Bool
  let threshold: Float
  let holdFrameCount: Int
  let maximumFrameCount: Int
  static var scratchFrameCount: Int {
    @_noLocks get { 1024 }
  }

  /// `feeds`: by sink; nil for a sound device. `asksForTail`: another thread answers how long a
  /// declared tail is, after the sound has ended.
  static func make(
    _ program: RenderProgram, _ feeds: [SinkFeed?], tail: RenderOptions.Tail,
    asksForTail: Bool = false
  ) throws(Failure) -> OutputStage {
    let widths = program.sinkWidths
    guard feeds.count == widths.count else {
      throw Failure(
        .unsupportedFormat, "",
        "the chain has \(widths.count) sinks and \(feeds.count) are given")
    }
    for (feed, width) in zip(feeds, widths) {
      guard let feed, feed.format.channelCount != width else { continue }
      throw Failure(
        .unsupportedFormat, feed.name,
        "takes \(feed.format.channelCount) channels where the chain gives \(width)")
    }
    return OutputStage(program, feeds, tail, asksForTail: asksForTail)
  }

  private init(
    _ program: RenderProgram, _ feeds: [SinkFeed?], _ tail: RenderOptions.Tail, asksForTail: Bool
  ) {
    func frames(_ seconds: Double) -> Int {
      let exact = (seconds * program.sampleRate).rounded()
      return exact > 0 && exact < 1e12 ? Int(exact) : 0
    }
    self.tail = .allocate(capacity: 1)
    self.tail.initialize(to: TailTimes())
    isDeclared = if case .declared = tail { true } else { false }
    self.asksForTail = isDeclared && asksForTail
    if program.tailMayChange { self.tail.pointee.mayChange() }
    switch tail {
    case .frames(let count), .declared(let count):
      tailFrameCount = max(count, 0)
      (endsInSilence, threshold, holdFrameCount, maximumFrameCount) = (false, 0, 0, 0)
    case .untilSilent(let threshold, let hold, let maximum):
      tailFrameCount = 0
      endsInSilence = true
      self.threshold = threshold
      maximumFrameCount = frames(maximum)
      holdFrameCount = min(frames(hold), maximumFrameCount)
    }
    let widths = program.sinkWidths
    let latencies = program.sinkLatencies
    // Half a second for the answer about the tail.
    let uncertain = self.asksForTail ? frames(0.5) : holdFrameCount
    let capacity = uncertain + program.sinkLatencyLimit + 2 * program.maximumFrameCount
    portCount = feeds.count
    ports = .allocate(capacity: max(feeds.count, 1))
    for (sink, feed) in feeds.enumerated() {
      let width = widths[sink]
      let buffers = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: max(width, 1))
      let cursors = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: max(width, 1))
      for channel in 0..<width {
        (buffers + channel).initialize(to: program.sinkBuffer(sink, channel: channel))
        (cursors + channel).initialize(to: program.sinkBuffer(sink, channel: channel))
      }
      (ports + sink).initialize(
        to: Port(
          producer: feed?.producer, width: width, buffers: buffers, cursors: cursors,
          held: .make(channelCount: width, minimumCapacity: feed == nil ? 0 : capacity),
          index: sink, latency: latencies[sink], toSkip: latencies[sink]))
    }
    state = .allocate(capacity: 1)
    state.initialize(to: State(latencyNumbers: program.sinkLatencyNumbers))
    let widest = max(widths.max() ?? 0, 1)
    scratch = .allocate(capacity: widest * OutputStage.scratchFrameCount)
    scratch.initialize(repeating: 0, count: widest * OutputStage.scratchFrameCount)
    scratchViews = .allocate(capacity: widest)
    silence = .allocate(capacity: OutputStage.scratchFrameCount)
    silence.initialize(repeating: 0, count: OutputStage.scratchFrameCount)
    silenceViews = .allocate(capacity: widest)
    silenceViews.initialize(repeating: UnsafePointer(silence), count: widest)
    for channel in 0..<widest {
      (scratchViews + channel).initialize(to: scratch + channel * OutputStage.scratchFrameCount)
    }
  }

  func destroy() {
    for index in 0..<portCount {
      ports[index].buffers.deallocate()
      ports[index].cursors.deallocate()
      ports[index].held.destroy()
    }
    ports.deallocate()
    state.deallocate()
    tail.deinitialize(count: 1)
    tail.deallocate()
    scratch.deallocate()
    scratchViews.deallocate()
    silence.deallocate()
    silenceViews.deallocate()
  }

  /// The most frames that `waitForRoom` can wait for.
  var pieceFrameCount: Int {
    var count = Int.max
    for index in 0..<portCount {
      guard let producer = ports[index].producer else { continue }
      count = min(count, producer.pieceFrameCount)
    }
    return count
  }

  /// Waits until every feed has room for `frameCount` frames, at most `pieceFrameCount`. False when
  /// a feed has failed.
  func waitForRoom(frameCount: Int) -> Bool {
    for index in 0..<portCount {
      guard let producer = ports[index].producer else { continue }
      guard producer.waitForRoom(frameCount: frameCount) else { return false }
    }
    return true
  }

  /// Waits for at most `seconds` in total. True when every feed has room or has failed.
  func waitForRoom(frameCount: Int, seconds: Double) -> Bool {
    let limit = fx_monotonic_seconds() + seconds
    var isReady = true
    for index in 0..<portCount {
      guard let producer = ports[index].producer else { continue }
      let left = max(0, limit - fx_monotonic_seconds())
      isReady = producer.waitForRoom(frameCount: frameCount, seconds: left) && isReady
    }
    return isReady
  }

  /// Frames of the sound without its tail; nil until its source ends.
  var mainFrameCount: Int? { state.pointee.mainFrameCount < 0 ? nil : state.pointee.mainFrameCount }

  /// Frames that are kept, the tail included.
  var outputFrameCount: Int { state.pointee.kept }

  /// The frames to render until every sink has all frames that are kept; nil while this may still
  /// change.
  var lastFrame: Int? {
    guard mainFrameCount != nil, !endsInSilence, !isTailAwaited else { return nil }
    var rest = 0
    for index in 0..<portCount {
      rest = max(rest, ports[index].latency &- min(ports[index].shift, 0))
    }
    return outputFrameCount &+ rest
  }

  // MARK: - Realtime

  /// The address of the latencies and of the frames until each change; nil if they never change.
  var latencyNumbers: UnsafePointer<Int>? {
    @_noLocks get { state.pointee.latencyNumbers }
  }

  /// Delivers from the buffers of another program. The output continues without a correction: no
  /// frames are dropped or inserted for a different latency.
  @_noLocks
  func attach(to program: ProgramView) {
    state.pointee.latencyNumbers = program.sinkLatencyNumbers
    state.pointee.askedChangeCount = -1
    for sink in 0..<portCount {
      let port = ports + sink
      port.pointee.index = program.sinkIndices[sink]
      port.pointee.latency =
        program.sinkLatencyNumbers?[port.pointee.index] ?? program.sinkLatencies[sink]
      port.pointee.shift = 0
      for channel in 0..<port.pointee.width {
        port.pointee.buffers[channel] = program.sinkBuffers[sink][channel]
      }
    }
  }

  /// Sets the end of the sound; its tail begins there.
  @_noLocks
  func endMain(at frame: Int) {
    guard state.pointee.mainFrameCount < 0 else { return }
    state.pointee.mainFrameCount = frame
    state.pointee.kept = frame
    followTail()
  }

  /// Ends the sound at `frame`, because a source failed there. Nothing behind it was delivered yet.
  @_noLocks
  func cutMain(at frame: Int) {
    guard state.pointee.mainFrameCount < 0 || frame < state.pointee.mainFrameCount else { return }
    state.pointee.mainFrameCount = -1
    endMain(at: frame)
  }

  /// Delivers a rendered block, or its frames from `offset` on. Frames that do not fit into a feed
  /// are lost and counted.
  @_noLocks
  func deliver(from offset: Int = 0, frameCount: Int) {
    startShifts()
    for index in 0..<portCount {
      if ports[index].shift == 0 && ports[index].owed == 0 {
        pass(ports + index, from: offset, frameCount: frameCount)
      } else {
        passShifted(ports + index, from: offset, frameCount: frameCount)
      }
    }
  }

  @_noLocks
  func pass(_ port: UnsafeMutablePointer<Port>, from offset: Int, frameCount: Int) {
    let toSkip = port.pointee.toSkip
    let skipped = toSkip < frameCount ? toSkip : frameCount
    port.pointee.toSkip = toSkip &- skipped
    take(port, from: offset &+ skipped, frameCount: frameCount &- skipped)
  }

  /// Pushes held frames that are now known to stay, as far as there is room. True when none of them
  /// is left.
  @_noLocks
  func release() -> Bool {
    guard state.pointee.mainFrameCount >= 0 else { return true }
    var isDone = true
    for index in 0..<portCount {
      guard let producer = ports[index].producer else { continue }
      while true {
        let due = state.pointee.kept &- ports[index].delivered
        let held = ports[index].held.readableCount
        var count = due < held ? due : held
        if count <= 0 { break }
        let room = producer.ring.writableCount
        count = count < OutputStage.scratchFrameCount ? count : OutputStage.scratchFrameCount
        count = count < room ? count : room
        if count == 0 {
          isDone = false
          break
        }
        let views = UnsafePointer(scratchViews)
        let taken = ports[index].held.take(into: views, frameCount: count)
        producer.push(
          UnsafeRawPointer(views).assumingMemoryBound(to: UnsafePointer<Float>.self),
          frameCount: taken)
        ports[index].delivered += taken
      }
    }
    return isDone
  }

  /// True when the sound has ended before `frame` and only its tail is left.
  @_noLocks
  func isOver(at frame: Int) -> Bool {
    state.pointee.mainFrameCount >= 0 && frame >= state.pointee.mainFrameCount
  }

  /// The index after the last rendered frame of a sink, on its own timeline, which starts after
  /// its latency. Negative during the latency.
  @_noLocks
  func endFrame(ofSink sink: Int) -> Int { ports[sink].end &- ports[sink].toSkip }

  @_noLocks
  func push(_ port: UnsafeMutablePointer<Port>, _ offset: Int, _ frameCount: Int) {
    port.pointee.delivered += frameCount
    guard let producer = port.pointee.producer else { return }
    setCursors(port, offset)
    producer.push(UnsafePointer(port.pointee.cursors), frameCount: frameCount)
  }

  @_noLocks
  func setCursors(_ port: UnsafeMutablePointer<Port>, _ offset: Int) {
    for channel in 0..<port.pointee.width {
      port.pointee.cursors[channel] = port.pointee.buffers[channel] + offset
    }
  }
}
