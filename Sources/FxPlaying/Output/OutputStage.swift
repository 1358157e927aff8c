import CRealtime
import FxAudio
import FxEngine
import FxFrames

/// Brings what a program renders to its sinks: takes each sink's latency from the front, decides
/// where the sound ends, and holds back what may turn out to be silence behind it.
///
/// All sinks end at the same frame. Made on the control thread, used on the render thread.
struct OutputStage: BitwiseCopyable, @unchecked Sendable {
  // Sendable: pointers to memory that the render thread alone touches once it runs.

  /// One sink: the program's buffers, the near end of its feed, and what is held back.
  struct Port: BitwiseCopyable {
    /// nil for a sink that somebody else takes care of: a sound device.
    let producer: FeedProducer?
    let width: Int
    var buffers: UnsafeMutablePointer<UnsafePointer<Float>>
    let cursors: UnsafeMutablePointer<UnsafePointer<Float>>
    let held: PlanarRing
    /// The program's number of the sink.
    var index: Int
    /// The latency as it was last heard of.
    var latency: Int
    /// What is left of the latency to be dropped.
    var toSkip: Int
    /// A change of the latency that is still on its way, and the frames until it is here.
    var shift = 0
    var shiftWait = 0
    /// Frames of silence that make up for a latency that has become less.
    var owed = 0
    /// Frames rendered on this sink's own time line, which starts behind its latency.
    var end = 0
    /// Frames handed to the feed.
    var delivered = 0
  }

  struct State: BitwiseCopyable {
    var mainFrameCount = -1
    /// Changes that parameters were given when the tail was asked after last; -1 when they count anew.
    var askedChangeCount = -1
    var hasAsked = false
    /// One behind the last frame that is known to stay.
    var kept = 0
    /// Where a render finds the latencies; nil where none moves.
    var latencyNumbers: UnsafePointer<Int>?
  }

  let ports: UnsafeMutablePointer<Port>
  let portCount: Int
  let state: UnsafeMutablePointer<State>
  private let scratch: UnsafeMutablePointer<Float>
  private let scratchViews: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let silence: UnsafeMutablePointer<Float>
  let silenceViews: UnsafeMutablePointer<UnsafePointer<Float>>
  /// True for a tail that ends with the sound.
  let endsInSilence: Bool
  /// The least frames of any other tail.
  let tailFrameCount: Int
  let tail: UnsafeMutablePointer<TailTimes>
  /// True when the tail is as long as units declare.
  let isDeclared: Bool
  /// True when another thread says how long that is, once the sound has ended.
  let asksForTail: Bool
  let threshold: Float
  let holdFrameCount: Int
  let maximumFrameCount: Int
  static var scratchFrameCount: Int {
    @_noLocks get { 1024 }
  }

  /// `feeds` by sink; nil for a sound device. `asksForTail`: another thread says how long a declared
  /// tail is, once the sound has ended.
  static func make(
    _ program: RenderProgram, _ feeds: [SinkFeed?], tail: RenderOptions.Tail,
    asksForTail: Bool = false
  ) throws(IOError) -> OutputStage {
    let widths = program.sinkWidths
    guard feeds.count == widths.count else {
      throw IOError(
        .unsupportedFormat, "",
        "the chain has \(widths.count) sinks and \(feeds.count) are given")
    }
    for (feed, width) in zip(feeds, widths) {
      guard let feed, feed.format.channelCount != width else { continue }
      throw IOError(
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
    // Half a second for who says how long the tail is.
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

  /// The most that every feed can be waited for to have room for.
  var pieceFrameCount: Int {
    var count = Int.max
    for index in 0..<portCount {
      guard let producer = ports[index].producer else { continue }
      count = min(count, producer.pieceFrameCount)
    }
    return count
  }

  /// Waits until every feed has room for at most `pieceFrameCount` frames. False when one has
  /// failed.
  func waitForRoom(frameCount: Int) -> Bool {
    for index in 0..<portCount {
      guard let producer = ports[index].producer else { continue }
      guard producer.waitForRoom(frameCount: frameCount) else { return false }
    }
    return true
  }

  /// The same for so many seconds altogether, as far as a feed can be waited for. True when there is
  /// nothing more to wait for.
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

  /// The sound without its tail; nil while its source goes on.
  var mainFrameCount: Int? { state.pointee.mainFrameCount < 0 ? nil : state.pointee.mainFrameCount }

  /// Frames that stay, tail included.
  var outputFrameCount: Int { state.pointee.kept }

  // MARK: - Realtime

  /// Where a render finds the latencies and how far off a change is; nil where none moves.
  var latencyNumbers: UnsafePointer<Int>? {
    @_noLocks get { state.pointee.latencyNumbers }
  }

  /// Delivers from the buffers of another program from now on. What is heard goes on as it comes:
  /// nothing is dropped or inserted to make up for another latency.
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

  /// Says where the sound ends; its tail begins there.
  @_noLocks
  func endMain(at frame: Int) {
    guard state.pointee.mainFrameCount < 0 else { return }
    state.pointee.mainFrameCount = frame
    state.pointee.kept = frame
    followTail()
  }

  /// Takes over a rendered block, or the frames of it from `offset` on. A feed without room for
  /// them loses frames and counts them.
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

  /// Hands on what was held back and has turned out to stay, as far as there is room.
  /// True when nothing of that is left.
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

  /// True when the sound is over by a frame and only its tail is left.
  @_noLocks
  func isOver(at frame: Int) -> Bool {
    state.pointee.mainFrameCount >= 0 && frame >= state.pointee.mainFrameCount
  }

  /// One behind the last rendered frame of a sink, on its own time line, which starts behind its
  /// latency: below zero before that.
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
