package import FxAudio

/// A sound with its silence cut out: the segments of a map, one after another.
///
/// At a cut, the last frames of a segment crossfade with the frames before the next segment, at
/// equal gain. So a cut does not change any length. If the start or the end was cut, the sound
/// fades in or out there.
package final class SilenceCutSource: ChangedSource {
  package let source: any AudioSource
  package let frameCount: Int?
  package var warnings: [String] { source.warnings + [map.warning].compactMap(\.self) }

  private let map: SilenceMap
  /// The first output frame of each segment, and the end of the last one.
  private let begins: [Int]
  private var segment = 0
  private var position = 0
  /// The next frame of the source.
  private var sourcePosition = 0
  /// The crossfade at the end of a segment.
  private var crossfade: (segment: Int, block: PlanarBuffer)?
  /// Up to this many frames are read and discarded; a longer distance needs a seek.
  private static let skipLimit = 1 << 16

  /// - Parameter source: at its first frame.
  package init(_ source: any AudioSource, _ map: SilenceMap) {
    self.source = source
    self.map = map
    begins = map.segments.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    frameCount = begins.last
  }

  package func seek(toFrame frame: Int) throws(Failure) {
    position = min(max(frame, 0), begins[begins.count - 1])
    segment = max((begins.firstIndex { $0 > position } ?? begins.count) - 1, 0)
  }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    while segment < map.segments.count, position >= begins[segment + 1] { segment += 1 }
    guard segment < map.segments.count, frameCount > 0 else { return 0 }
    let fadeStart = begins[segment + 1] - fade(after: segment)
    guard position < fadeStart else {
      let block = try crossfaded(segment)
      let count = min(frameCount, begins[segment + 1] - position)
      for channel in 0..<format.channelCount {
        channels[channel].update(from: block[channel] + (position - fadeStart), count: count)
      }
      fadeIn(channels, count)
      position += count
      return count
    }
    let place = map.segments[segment].lowerBound + position - begins[segment]
    try go(to: place)
    let count = try source.read(into: channels, frameCount: min(frameCount, fadeStart - position))
    sourcePosition += count
    fadeIn(channels, count)
    position += count
    return count
  }

  /// The length of the crossfade at the end of a segment: at most the frames that were cut, and at
  /// most the segment's length.
  private func fade(after segment: Int) -> Int {
    let end = map.segments[segment].upperBound
    let next =
      segment + 1 < map.segments.count ? map.segments[segment + 1].lowerBound : map.wholeFrameCount
    return min(map.fade, next - end, map.segments[segment].count)
  }

  private func crossfaded(_ segment: Int) throws(Failure) -> PlanarBuffer {
    if let crossfade, crossfade.segment == segment { return crossfade.block }
    let length = fade(after: segment)
    let width = format.channelCount
    let block = PlanarBuffer(channelCount: width, frameCount: length)
    try go(to: map.segments[segment].upperBound - length)
    try fill(block)
    let next = PlanarBuffer(channelCount: width, frameCount: length)
    if segment + 1 < map.segments.count {
      try go(to: map.segments[segment + 1].lowerBound - length)
      try fill(next)
    }
    for frame in 0..<length {
      let share = Float(frame + 1) / Float(length + 1)
      for channel in 0..<width {
        block[channel][frame] = block[channel][frame] * (1 - share) + next[channel][frame] * share
      }
    }
    crossfade = (segment, block)
    return block
  }

  /// Fades in the beginning if something was cut before it.
  private func fadeIn(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int) {
    let first = map.segments[0]
    let length = min(map.fade, first.lowerBound, first.count)
    guard position < length else { return }
    for frame in 0..<min(count, length - position) {
      let share = Float(position + frame + 1) / Float(length + 1)
      for channel in 0..<format.channelCount { channels[channel][frame] *= share }
    }
  }

  private func go(to frame: Int) throws(Failure) {
    let distance = frame - sourcePosition
    if distance < 0 || distance > Self.skipLimit {
      try source.seek(toFrame: frame)
    } else if distance > 0 {
      try source.skip(distance)
    }
    sourcePosition = frame
  }

  /// Fills the block; the rest is silent if the sound ends early.
  private func fill(_ block: PlanarBuffer) throws(Failure) {
    sourcePosition += try source.fill(block, to: block.frameCount)
  }
}

/// Opens a sound without its silence several times. The silence is searched only once.
package struct SilenceCutOpening: Sendable {
  private let map: SilenceMap
  private let path: String
  private let raw: RawFormat?

  /// Reads a file to its end. A stream is copied to an unnamed file first.
  ///
  /// - Returns: an opening that can open it again, and the sound.
  package static func open(
    _ path: String, raw: RawFormat?, _ cut: SilenceCut, _ monitor: OpeningMonitor?
  ) throws(Failure) -> (opening: SilenceCutOpening, source: any AudioSource) {
    let source = try FileSource.open(path, raw: raw, monitor, isReadTwice: true)
    let map = try SilenceMap(source, cut)
    try source.seek(toFrame: 0)
    return (
      SilenceCutOpening(map: map, path: path, raw: raw), SilenceCutSource(source, map)
    )
  }

  /// Opens the sound again, from its file.
  package func again() throws(Failure) -> any AudioSource {
    SilenceCutSource(try FileSource.open(path, raw: raw), map)
  }
}
