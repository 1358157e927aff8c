package import FxAudio
package import FxFrames

/// A part of a source that is played over and over.
package struct SourceLoop: BitwiseCopyable, Sendable, Hashable {
  /// The first frame of the part.
  package var from: Int
  /// One behind its last; `Int.max` for the end of the source.
  package var to: Int
  /// So many frames before its end go over into those before its beginning: what is heard arrives
  /// there as it does where nothing loops. 0 joins the ends as they are.
  package var crossfade: Int

  package init(from: Int, to: Int, crossfade: Int) {
    self.from = max(from, 0)
    self.to = to
    self.crossfade = max(crossfade, 0)
  }
}

/// A source that can go round in a part of itself.
///
/// A source that ends before the part does is silent for the rest of it, so that sources of several
/// lengths stay together. The cross-fade is of equal gain: straight lines that add up to one.
package final class LoopedSource: AudioSource {
  package let name: String
  package let format: StreamFormat
  package var frameCount: Int? { loop == nil ? source.frameCount : nil }
  /// Frames of the source that goes round.
  package var wholeFrameCount: Int? { source.frameCount }
  package var isSilence: Bool { source.isSilence }
  package var warnings: [String] { source.warnings }
  package var isSeekable: Bool { source.isSeekable }

  private let source: any AudioSource
  package private(set) var loop: SourceLoop?
  /// The frames before the loop's beginning; silence where there are none.
  private var lead: PlanarBuffer
  private var position = 0
  private var isBehindEnd = false

  package init(_ source: any AudioSource, loop: SourceLoop? = nil) throws(IOError) {
    self.source = source
    name = source.name
    format = source.format
    lead = PlanarBuffer(channelCount: source.format.channelCount, frameCount: 0)
    if let loop { try go(to: 0, loop) }
  }

  /// Makes a frame the next to be read, from where the source goes round in `loop`.
  package func go(to frame: Int, _ loop: SourceLoop?) throws(IOError) {
    self.loop = loop.map(fitted)
    if let loop = self.loop { try readLead(loop) }
    // Sources do not know of places behind their end.
    isBehindEnd = source.frameCount.map { frame >= $0 } ?? false
    if !isBehindEnd { try source.seek(toFrame: frame) }
    position = max(frame, 0)
  }

  package func seek(toFrame frame: Int) throws(IOError) { try go(to: frame, loop) }

  package func interrupt() { source.interrupt() }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(IOError) -> Int {
    guard frameCount > 0 else { return 0 }
    // What has begun behind the loop does not come into it.
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
        // The end that was not known before.
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

  private func wrap(_ loop: SourceLoop) throws(IOError) {
    isBehindEnd = source.frameCount.map { loop.from >= $0 } ?? false
    if !isBehindEnd { try source.seek(toFrame: loop.from) }
    position = loop.from
  }

  /// The loop with an end that is known, and a cross-fade no longer than it.
  private func fitted(_ loop: SourceLoop) -> SourceLoop {
    var loop = loop
    if loop.to == Int.max, let end = source.frameCount { loop.to = end }
    loop.to = max(loop.to, loop.from + 1)
    loop.crossfade = loop.to < Int.max ? min(loop.crossfade, loop.to - loop.from) : 0
    return loop
  }

  private func readLead(_ loop: SourceLoop) throws(IOError) {
    let width = format.channelCount
    lead = PlanarBuffer(channelCount: width, frameCount: loop.crossfade)
    let count = min(loop.crossfade, loop.from)
    guard count > 0, source.frameCount.map({ loop.from <= $0 }) ?? true else { return }
    try source.seek(toFrame: loop.from - count)
    var done = loop.crossfade - count
    while done < loop.crossfade {
      let got = try read((0..<width).map { lead[$0] + done }, loop.crossfade - done)
      if got == 0 { return }
      done += got
    }
  }

  private func read(
    _ places: [UnsafeMutablePointer<Float>], _ frameCount: Int
  ) throws(IOError) -> Int {
    let table = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(places.count, 1))
    defer { table.deallocate() }
    for (index, place) in places.enumerated() { (table + index).initialize(to: place) }
    return try source.read(into: table, frameCount: frameCount)
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
