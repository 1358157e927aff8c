import FxAudio
import FxEngine

/// A program's sources and the feeds that fill their buffers.
final class SourceBank: @unchecked Sendable {
  // Sendable: the pointers never change, and only the render thread uses them after `init`.
  /// The feeds of the sources that are read ahead.
  let feeds: [SourceFeed]
  /// By source; nil for a recorded source.
  let feedOfSource: [SourceFeed?]
  /// One port for each source, in plain memory for the render thread.
  private let ports: UnsafeMutablePointer<SourcePort>
  let count: Int
  private let widths: [Int]
  private let sampleRate: Double
  /// The parts of the program that are used besides its buffers.
  private let watch: UnsafeMutablePointer<Watch>
  /// Frames that fade out when a source jumps.
  private let leaving: PlanarBuffer
  private let leavingViews: UnsafePointer<UnsafeMutablePointer<Float>>

  private struct Watch: BitwiseCopyable {
    var sourceGuard: SourceGuard
    var renderer: Renderer
  }

  /// A mono source feeds every channel; other sources must have the program's channel count.
  init(_ program: RenderProgram, _ feeds: [SourceFeed?]) throws(Failure) {
    let widths = program.sourceWidths
    guard feeds.count == widths.count else {
      throw Failure(
        .unsupportedFormat, "",
        "the chain has \(widths.count) sources and \(feeds.count) are given")
    }
    for case (let feed?, let width) in zip(feeds, widths)
    where feed.format.channelCount != width && feed.format.channelCount != 1 {
      throw Failure(
        .unsupportedFormat, feed.name,
        "has \(feed.format.channelCount) channels where the chain takes \(width)")
    }
    for case let feed? in feeds where feed.format.sampleRate != program.sampleRate {
      throw Failure(
        .unsupportedFormat, feed.name,
        "runs at \(feed.format.sampleRate) Hz and the chain at \(program.sampleRate) Hz")
    }
    self.feeds = feeds.compactMap { $0 }
    feedOfSource = feeds
    self.widths = widths
    sampleRate = program.sampleRate
    watch = .allocate(capacity: 1)
    watch.initialize(to: Watch(sourceGuard: program.sourceGuard, renderer: program.renderer))
    leaving = PlanarBuffer(
      channelCount: feeds.map { $0?.format.channelCount ?? 0 }.max() ?? 0,
      frameCount: feeds.contains { $0?.canJump == true } ? program.maximumFrameCount : 0)
    leavingViews = leaving.channels
    count = feeds.count
    ports = .allocate(capacity: max(feeds.count, 1))
    for (index, feed) in feeds.enumerated() {
      let buffers = (0..<widths[index]).map { program.sourceBuffer(index, channel: $0) }
      (ports + index).initialize(
        to: SourcePort(
          consumer: feed?.consumer, buffers: buffers, index: index,
          width: feed?.format.channelCount ?? widths[index]))
    }
  }

  /// Channels of a source.
  func width(_ source: Int) -> Int { widths[source] }

  deinit {
    for index in 0..<count { ports[index].destroy() }
    ports.deallocate()
    watch.deallocate()
  }

  /// From now on fills the buffers of another block, `offset` floats after the first block's
  /// buffers.
  func move(to offset: Int) {
    for source in 0..<count { ports[source].move(to: offset) }
  }

  /// True when every source can fill a block without waiting.
  func hasFrames(_ frameCount: Int) -> Bool {
    for source in 0..<count {
      if let consumer = ports[source].consumer, !consumer.hasFrames(frameCount) { return false }
    }
    return true
  }

  /// True while every source has a quarter of its ring filled, or has ended. A reader that keeps up
  /// never falls so low, because it is woken at half.
  var areAhead: Bool {
    for source in 0..<count {
      guard let ring = ports[source].consumer?.ring else { continue }
      if ring.readableCount < ring.capacity / 4, !ring.isEnded { return false }
    }
    return true
  }

  /// Fills a source's buffers, waiting for its frames; silence after its end. Returns how many
  /// frames there were.
  func fillWaiting(_ source: Int, frameCount: Int) -> Int {
    guard let feed = feedOfSource[source] else { return 0 }
    // Usually the frames are ready.
    var done = ports[source].take(at: 0, frameCount: frameCount)
    while done < frameCount, !feed.isExhausted {
      feed.wait(frameCount: frameCount - done)
      done += ports[source].take(at: done, frameCount: frameCount - done)
    }
    inspect(source, frameCount: done)
    ports[source].complete(from: done, frameCount: frameCount)
    return done
  }

  /// The warnings of each source, complete after it has been read.
  var warnings: [String] {
    feedOfSource.enumerated().flatMap { index, feed -> [String] in
      var warnings = feed?.warnings ?? []
      if let found = watch.pointee.sourceGuard.findings(ports[index].index) {
        let samples =
          found.count == 1
          ? "1 sample is not a number or infinite, at"
          : "\(found.count) samples are not a number or infinite, the first at"
        warnings.append(
          "\(samples) \(clockTime(found.firstFrame, sampleRate: sampleRate)) "
            + "(frame \(found.firstFrame)): taken as silence")
      }
      // A player's warnings already name its files, and a file may have the source's name.
      let name = "\(feed?.name ?? "recording"): "
      return warnings.map { $0.hasPrefix(name) ? $0 : name + $0 }
    }
  }

  // MARK: - Realtime

  /// From now on fills the buffers of another program.
  @_noLocks
  func attach(to program: ProgramView) {
    watch.pointee = Watch(sourceGuard: program.sourceGuard, renderer: program.renderer)
    for source in 0..<count {
      ports[source].attach(
        to: program.sourceBuffers[source], index: program.sourceIndices[source])
    }
  }

  /// The buffers of a source, one for each channel.
  @_noLocks
  func buffers(_ source: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
    ports[source].channels
  }

  /// Fills a source's buffers with the ready frames, then with silence. Returns the number of
  /// frames. A recorded source is filled already.
  @_noLocks
  func fill(_ source: Int, frameCount: Int) -> Int {
    guard !ports[source].isRecorded else {
      inspect(source, frameCount: frameCount)
      return frameCount
    }
    let done = ports[source].take(at: 0, frameCount: frameCount)
    inspect(source, frameCount: done)
    ports[source].complete(from: done, frameCount: frameCount)
    return done
  }

  /// Fills as a transport step requires: fewer frames during a pause, with fades, and with the
  /// crossfade from the old position. Returns how many of the due frames were ready.
  @_noLocks
  func fill(_ source: Int, frameCount: Int, _ step: TransportStep) -> Int {
    guard !ports[source].isRecorded else { return fill(source, frameCount: frameCount) }
    let port = ports + source
    let done = port.pointee.take(at: 0, frameCount: step.takenCount)
    let width = port.pointee.width
    for channel in 0..<width {
      for frame in done..<frameCount { port.pointee.channels[channel][frame] = 0 }
    }
    if step.leavingCount > 0, let consumer = port.pointee.consumer {
      let left = consumer.ring(ofJump: step.leftJump).take(
        into: leavingViews, frameCount: step.leavingCount)
      for channel in 0..<width {
        step.blend(leavingViews[channel], left, into: port.pointee.channels[channel])
      }
    }
    for channel in 0..<width { step.fade(port.pointee.channels[channel], done) }
    inspect(source, frameCount: frameCount)
    port.pointee.complete(from: frameCount, frameCount: frameCount)
    return done
  }

  /// Records how many frames of a source were not ready for a block, from `frame` on.
  @_noLocks
  func note(missing count: Int, _ source: Int, at frame: Int) {
    ports[source].consumer?.note(missing: count, at: frame)
  }

  @_noLocks
  func isRecorded(_ source: Int) -> Bool { ports[source].isRecorded }

  /// The smallest number of ready frames of any source that has not ended.
  @_noLocks
  func readableCount() -> Int {
    var least = Int.max
    for source in 0..<count {
      guard let consumer = ports[source].consumer, !consumer.ring.isEnded else { continue }
      let readable = consumer.ring.readableCount
      least = readable < least ? readable : least
    }
    return least
  }

  @_noLocks
  func isReady(forJump number: Int) -> Bool {
    for source in 0..<count {
      guard let consumer = ports[source].consumer else { continue }
      if !consumer.isReady(forJump: number) { return false }
    }
    return true
  }

  /// Drops frames at the new position of a jump. Returns how many every source dropped.
  @_noLocks
  func drop(_ frameCount: Int, ofJump number: Int) -> Int {
    var least = frameCount
    for source in 0..<count {
      guard let consumer = ports[source].consumer else { continue }
      let ring = consumer.ring(ofJump: number)
      guard !ring.isEnded else { continue }
      let readable = ring.readableCount
      least = readable < least ? readable : least
    }
    for source in 0..<count {
      guard let consumer = ports[source].consumer else { continue }
      _ = consumer.ring(ofJump: number).drop(least)
    }
    return least
  }

  @_noLocks
  func switchTo(jump number: Int) {
    for source in 0..<count { ports[source].consumer?.switchTo(jump: number) }
  }

  /// True when every source is below a level.
  @_noLocks
  func isQuiet(below threshold: Float, frameCount: Int) -> Bool {
    for source in 0..<count {
      let channels = ports[source].channels
      for channel in 0..<ports[source].bufferCount {
        guard isQuietChannel(channels[channel], below: threshold, frameCount) else { return false }
      }
    }
    return true
  }

  /// Replaces samples that are not finite, so that no unit receives them.
  @_noLocks
  private func inspect(_ source: Int, frameCount: Int) {
    guard frameCount > 0 else { return }
    watch.pointee.sourceGuard.inspect(
      ports[source].index, ports[source].channels, channelCount: ports[source].width,
      frameCount: frameCount, at: watch.pointee.renderer.frame)
  }

  @_noLocks
  func isExhausted(_ source: Int) -> Bool { ports[source].consumer?.isExhausted ?? false }
}

/// One source: the consumer of its feed, and the program's buffers.
private struct SourcePort: BitwiseCopyable {
  /// nil for a recorded source.
  let consumer: FeedConsumer?
  /// The program's buffers for the first block, and for the current block.
  private let bases: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let bufferCount: Int
  /// The source's index in the program.
  private(set) var index: Int
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Channels of the feed.
  let width: Int

  init(consumer: FeedConsumer?, buffers: [UnsafeMutablePointer<Float>], index: Int, width: Int) {
    self.consumer = consumer
    self.index = index
    self.width = width
    bufferCount = buffers.count
    bases = .allocate(capacity: max(buffers.count, 1))
    self.buffers = .allocate(capacity: max(buffers.count, 1))
    cursors = .allocate(capacity: max(buffers.count, 1))
    for (index, buffer) in buffers.enumerated() {
      (bases + index).initialize(to: buffer)
      (self.buffers + index).initialize(to: buffer)
      (cursors + index).initialize(to: buffer)
    }
  }

  func destroy() {
    bases.deallocate()
    buffers.deallocate()
    cursors.deallocate()
  }

  // MARK: - Realtime

  var isRecorded: Bool {
    @_noLocks get { if case .none = consumer { true } else { false } }
  }

  var channels: UnsafePointer<UnsafeMutablePointer<Float>> {
    @_noLocks get { UnsafePointer(buffers) }
  }

  @_noLocks
  mutating func attach(to channels: UnsafePointer<UnsafeMutablePointer<Float>>, index: Int) {
    self.index = index
    for channel in 0..<bufferCount {
      bases[channel] = channels[channel]
      buffers[channel] = channels[channel]
    }
  }

  @_noLocks
  func move(to offset: Int) {
    for channel in 0..<bufferCount { buffers[channel] = bases[channel] + offset }
  }

  @_noLocks
  func take(at offset: Int, frameCount: Int) -> Int {
    guard bufferCount > 0, let consumer else { return 0 }
    for channel in 0..<width { cursors[channel] = buffers[channel] + offset }
    return consumer.take(into: UnsafePointer(cursors), frameCount: frameCount)
  }

  /// Fills the rest with silence, and copies a mono feed to the other channels.
  @_noLocks
  func complete(from end: Int, frameCount: Int) {
    for channel in 0..<bufferCount {
      if channel >= width {
        for frame in 0..<end { buffers[channel][frame] = buffers[0][frame] }
      }
      for frame in end..<frameCount { buffers[channel][frame] = 0 }
    }
  }
}

// MARK: - Realtime

/// True when no frame's amplitude reaches the threshold.
@_noLocks
func isQuietChannel(
  _ samples: UnsafePointer<Float>, below threshold: Float, _ frameCount: Int
) -> Bool {
  for frame in 0..<frameCount {
    let sample = samples[frame]
    if sample >= threshold || sample <= -threshold { return false }
  }
  return true
}
