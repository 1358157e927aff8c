package import FxAudio

/// A part of a source that repeats, in frames.
public struct SourceLoop: BitwiseCopyable, Sendable, Hashable {
  /// The first frame of the part.
  public var from: Int
  /// The frame after its last; `Int.max` for the end of the source.
  public var to: Int
  /// The length of the crossfade in frames. The last frames of the part fade into the frames before
  /// its beginning. So the sound reaches the beginning as it does without a loop. 0 joins the ends
  /// without a crossfade.
  public var crossfade: Int

  public init(from: Int, to: Int = .max, crossfade: Int = 0) {
    self.from = max(from, 0)
    self.to = to
    self.crossfade = max(crossfade, 0)
  }
}

/// A source that can repeat a part of itself.
///
/// If the source ends before the part does, the rest is silent, so that sources of different
/// lengths stay synchronous. The crossfade has equal gain: linear ramps that add up to one.
package final class LoopedSource: ChangedSource {
  package let source: any AudioSource
  package var frameCount: Int? { loop == nil ? source.frameCount : nil }
  /// Frames of the source without its loop.
  package var wholeFrameCount: Int? { source.frameCount }
  package var isSilence: Bool { source.isSilence }

  package private(set) var loop: SourceLoop?
  /// The frames before the loop's beginning; silence where the source has none.
  private var lead: PlanarBuffer
  private var position = 0
  private var isBehindEnd = false

  package init(_ source: any AudioSource, loop: SourceLoop? = nil) throws(Failure) {
    self.source = source
    lead = PlanarBuffer(channelCount: source.format.channelCount, frameCount: 0)
    if let loop { try go(to: 0, loop) }
  }

  package var regions: PlayerBoard? { source.regions }

  /// In a loop, regions begin behind what was read: the frames of the ring are not those of the source.
  package func beginUrgentRegions(in ring: PlanarRing, lead: Int) {
    let isLooping = loop.map { position <= $0.to } ?? false
    source.beginUrgentRegions(in: ring, lead: isLooping ? ring.readableCount : lead)
  }

  /// Sets the next frame to read, and the part that repeats from then on.
  package func go(to frame: Int, _ loop: SourceLoop?) throws(Failure) {
    self.loop = loop.map(fitted)
    if let loop = self.loop { try readLead(loop) }
    // Sources cannot seek beyond their end.
    isBehindEnd = source.frameCount.map { frame >= $0 } ?? false
    if !isBehindEnd { try source.seek(toFrame: frame) }
    position = max(frame, 0)
  }

  package func seek(toFrame frame: Int) throws(Failure) { try go(to: frame, loop) }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    guard frameCount > 0 else { return 0 }
    // A position after the loop never enters it.
    guard let loop, position <= loop.to else {
      let count = isBehindEnd ? 0 : try source.read(into: channels, frameCount: frameCount)
      position += count
      return count
    }
    if position == loop.to { try wrap(loop) }
    let fadeStart = loop.to - loop.crossfade
    let isFading = position >= fadeStart
    let wanted = min(frameCount, (isFading ? loop.to : fadeStart) - position)
    var count = isBehindEnd ? 0 : try source.read(into: channels, frameCount: wanted)
    if count == 0 {
      guard loop.to < Int.max else {
        // The end was not known before.
        guard position > loop.from else { return 0 }
        try wrap(loop)
        count = try source.read(into: channels, frameCount: frameCount)
        position += count
        return count
      }
      count = wanted
      for channel in 0..<format.channelCount {
        channels[channel].update(repeating: 0, count: count)
      }
    }
    if isFading { mix(channels, count, at: position - fadeStart, of: loop.crossfade) }
    position += count
    return count
  }

  private func wrap(_ loop: SourceLoop) throws(Failure) {
    isBehindEnd = source.frameCount.map { loop.from >= $0 } ?? false
    if !isBehindEnd { try source.seek(toFrame: loop.from) }
    position = loop.from
  }

  /// The loop with a known end, and a crossfade that is not longer than the loop.
  private func fitted(_ loop: SourceLoop) -> SourceLoop {
    var loop = loop
    if loop.to == Int.max, let end = source.frameCount { loop.to = end }
    loop.to = max(loop.to, loop.from + 1)
    loop.crossfade = loop.to < Int.max ? min(loop.crossfade, loop.to - loop.from) : 0
    return loop
  }

  private func readLead(_ loop: SourceLoop) throws(Failure) {
    lead = PlanarBuffer(channelCount: format.channelCount, frameCount: loop.crossfade)
    let count = min(loop.crossfade, loop.from)
    guard count > 0, source.frameCount.map({ loop.from <= $0 }) ?? true else { return }
    try source.seek(toFrame: loop.from - count)
    _ = try source.fill(lead, from: loop.crossfade - count, to: loop.crossfade)
  }

  private func mix(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, at start: Int,
    of length: Int
  ) {
    for frame in 0..<count {
      let share = Float(start + frame + 1) / Float(length + 1)
      for channel in 0..<format.channelCount {
        channels[channel][frame] =
          channels[channel][frame] * (1 - share) + lead[channel][start + frame] * share
      }
    }
  }
}
