import FxAudio
import FxEngine

/// A program's sources and the feeds that fill their buffers.
final class SourceBank: @unchecked Sendable {
  // Sendable: pointers that never change, used by the render thread alone after `init`.
  /// Those that are read ahead.
  let feeds: [SourceFeed]
  /// By source; nil for one that is recorded.
  let feedOfSource: [SourceFeed?]
  /// One a source, in plain memory for the render thread.
  private let ports: UnsafeMutablePointer<SourcePort>
  let count: Int
  private let widths: [Int]
  private let sampleRate: Double
  /// What of the program is looked at beside its buffers.
  private let watch: UnsafeMutablePointer<Watch>

  private struct Watch: BitwiseCopyable {
    var sourceGuard: SourceGuard
    var renderer: Renderer
  }

  /// A mono source feeds every channel; any other must be as wide as the program's.
  init(_ program: RenderProgram, _ feeds: [SourceFeed?]) throws(IOError) {
    let widths = program.sourceWidths
    guard feeds.count == widths.count else {
      throw IOError(
        .unsupportedFormat, "",
        "the chain has \(widths.count) sources and \(feeds.count) are given")
    }
    for case (let feed?, let width) in zip(feeds, widths)
    where feed.format.channelCount != width && feed.format.channelCount != 1 {
      throw IOError(
        .unsupportedFormat, feed.name,
        "has \(feed.format.channelCount) channels where the chain takes \(width)")
    }
    for case let feed? in feeds where feed.format.sampleRate != program.sampleRate {
      throw IOError(
        .unsupportedFormat, feed.name,
        "runs at \(feed.format.sampleRate) Hz and the chain at \(program.sampleRate) Hz")
    }
    self.feeds = feeds.compactMap { $0 }
    feedOfSource = feeds
    self.widths = widths
    sampleRate = program.sampleRate
    watch = .allocate(capacity: 1)
    watch.initialize(to: Watch(sourceGuard: program.sourceGuard, renderer: program.renderer))
    count = feeds.count
    ports = .allocate(capacity: max(feeds.count, 1))
    for (index, feed) in feeds.enumerated() {
      let buffers = (0..<widths[index]).map { program.sourceBuffer(index, channel: $0) }
      (ports + index).initialize(
        to: SourcePort(
          intake: feed?.intake, buffers: buffers, index: index,
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

  /// Fills a source's buffers, waiting for its frames; silence after its end. Returns how many
  /// frames there were.
  func fillWaiting(_ source: Int, frameCount: Int) -> Int {
    guard let feed = feedOfSource[source] else { return 0 }
    // Mostly they are there.
    var done = ports[source].take(at: 0, frameCount: frameCount)
    while done < frameCount, !feed.isExhausted {
      feed.wait(frameCount: frameCount - done)
      done += ports[source].take(at: done, frameCount: frameCount - done)
    }
    inspect(source, frameCount: done)
    ports[source].complete(from: done, frameCount: frameCount)
    return done
  }

  /// What there is to say of each source once it has been read.
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
      return warnings.map { "\(feed?.name ?? "recording"): \($0)" }
    }
  }

  // MARK: - Realtime

  /// Fills the buffers of another program from now on.
  @_noLocks
  func attach(to program: ProgramView) {
    watch.pointee = Watch(sourceGuard: program.sourceGuard, renderer: program.renderer)
    for source in 0..<count {
      ports[source].attach(
        to: program.sourceBuffers[source], index: program.sourceIndices[source])
    }
  }

  /// Where a source's frames go, one buffer a channel.
  @_noLocks
  func buffers(_ source: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
    ports[source].channels
  }

  /// Fills a source's buffers with what is ready and silence. Returns how many frames there were;
  /// what is recorded is there already.
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

  /// No unit hears a sample that is not finite.
  @_noLocks
  private func inspect(_ source: Int, frameCount: Int) {
    guard frameCount > 0 else { return }
    watch.pointee.sourceGuard.inspect(
      ports[source].index, channelCount: ports[source].width, frameCount: frameCount,
      at: watch.pointee.renderer.frame)
  }

  @_noLocks
  func isExhausted(_ source: Int) -> Bool { ports[source].intake?.isExhausted ?? false }
}

/// One source: its feed's near end and the program's buffers.
private struct SourcePort: BitwiseCopyable {
  /// nil for what is recorded.
  let intake: Intake?
  private let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let bufferCount: Int
  /// The program's number of the source.
  private(set) var index: Int
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Channels of the feed.
  let width: Int

  init(intake: Intake?, buffers: [UnsafeMutablePointer<Float>], index: Int, width: Int) {
    self.intake = intake
    self.index = index
    self.width = width
    bufferCount = buffers.count
    self.buffers = .allocate(capacity: max(buffers.count, 1))
    cursors = .allocate(capacity: max(buffers.count, 1))
    for (index, buffer) in buffers.enumerated() {
      (self.buffers + index).initialize(to: buffer)
      (cursors + index).initialize(to: buffer)
    }
  }

  func destroy() {
    buffers.deallocate()
    cursors.deallocate()
  }

  // MARK: - Realtime

  var isRecorded: Bool {
    @_noLocks get { if case .none = intake { true } else { false } }
  }

  var channels: UnsafePointer<UnsafeMutablePointer<Float>> {
    @_noLocks get { UnsafePointer(buffers) }
  }

  @_noLocks
  mutating func attach(to channels: UnsafePointer<UnsafeMutablePointer<Float>>, index: Int) {
    self.index = index
    for channel in 0..<bufferCount { buffers[channel] = channels[channel] }
  }

  @_noLocks
  func take(at offset: Int, frameCount: Int) -> Int {
    guard bufferCount > 0, let intake else { return 0 }
    for channel in 0..<width { cursors[channel] = buffers[channel] + offset }
    return intake.take(into: UnsafePointer(cursors), frameCount: frameCount)
  }

  /// Silence behind the frames, and a mono feed's frames in the other channels.
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
