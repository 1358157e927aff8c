import FxAudio
import FxEngine

/// A program's sources and the feeds that fill their buffers.
final class SourceBank: @unchecked Sendable {
  // Sendable: pointers that never change, used by the render thread alone after `init`.
  let feeds: [SourceFeed]
  /// One a source, in plain memory for the render thread.
  private let ports: UnsafeMutablePointer<SourcePort>
  let count: Int
  private let program: RenderProgram
  private let sourceGuard: SourceGuard
  private let renderer: Renderer

  /// A mono source feeds every channel; any other must be as wide as the program's.
  init(_ program: RenderProgram, _ feeds: [SourceFeed]) throws(IOError) {
    let widths = program.sourceWidths
    guard feeds.count == widths.count else {
      throw IOError(
        .unsupportedFormat, "",
        "the chain has \(widths.count) sources and \(feeds.count) are given")
    }
    for (feed, width) in zip(feeds, widths)
    where feed.format.channelCount != width && feed.format.channelCount != 1 {
      throw IOError(
        .unsupportedFormat, feed.name,
        "has \(feed.format.channelCount) channels where the chain takes \(width)")
    }
    for feed in feeds where feed.format.sampleRate != program.sampleRate {
      throw IOError(
        .unsupportedFormat, feed.name,
        "runs at \(feed.format.sampleRate) Hz and the chain at \(program.sampleRate) Hz")
    }
    self.feeds = feeds
    self.program = program
    sourceGuard = program.sourceGuard
    renderer = program.renderer
    count = feeds.count
    ports = .allocate(capacity: max(feeds.count, 1))
    for (index, feed) in feeds.enumerated() {
      let buffers = (0..<widths[index]).map { program.sourceBuffer(index, channel: $0) }
      (ports + index).initialize(
        to: SourcePort(intake: feed.intake, buffers: buffers, width: feed.format.channelCount))
    }
  }

  deinit {
    for index in 0..<count { ports[index].destroy() }
    ports.deallocate()
  }

  /// Fills a source's buffers, waiting for its frames; silence after its end. Returns how many
  /// frames there were.
  func fillWaiting(_ source: Int, frameCount: Int) -> Int {
    // Mostly they are there.
    var done = ports[source].take(at: 0, frameCount: frameCount)
    while done < frameCount, !feeds[source].isExhausted {
      feeds[source].wait(frameCount: frameCount - done)
      done += ports[source].take(at: done, frameCount: frameCount - done)
    }
    inspect(source, frameCount: done)
    ports[source].complete(from: done, frameCount: frameCount)
    return done
  }

  /// What there is to say of each source once it has been read.
  var warnings: [String] {
    feeds.enumerated().flatMap { index, feed -> [String] in
      var warnings = feed.warnings
      if let found = sourceGuard.findings(index) {
        let samples =
          found.count == 1
          ? "1 sample is not a number or infinite, at"
          : "\(found.count) samples are not a number or infinite, the first at"
        warnings.append(
          "\(samples) \(clockTime(found.firstFrame, sampleRate: program.sampleRate)) "
            + "(frame \(found.firstFrame)): taken as silence")
      }
      return warnings.map { "\(feed.name): \($0)" }
    }
  }

  // MARK: - Realtime

  /// Fills a source's buffers with what is ready and silence. Returns how many frames there were.
  @_noLocks
  func fill(_ source: Int, frameCount: Int) -> Int {
    let done = ports[source].take(at: 0, frameCount: frameCount)
    inspect(source, frameCount: done)
    ports[source].complete(from: done, frameCount: frameCount)
    return done
  }

  /// No unit hears a sample that is not finite.
  @_noLocks
  private func inspect(_ source: Int, frameCount: Int) {
    guard frameCount > 0 else { return }
    sourceGuard.inspect(
      source, channelCount: ports[source].width, frameCount: frameCount, at: renderer.frame)
  }

  @_noLocks
  func isExhausted(_ source: Int) -> Bool { ports[source].intake.isExhausted }
}

/// One source: its feed's near end and the program's buffers.
private struct SourcePort: BitwiseCopyable {
  let intake: Intake
  private let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let bufferCount: Int
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Channels of the feed.
  let width: Int

  init(intake: Intake, buffers: [UnsafeMutablePointer<Float>], width: Int) {
    self.intake = intake
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

  @_noLocks
  func take(at offset: Int, frameCount: Int) -> Int {
    guard bufferCount > 0 else { return 0 }
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
