package import FxAudio

/// A region with its place in time, in frames of the player.
package struct ScheduledRegion: Sendable, Hashable {
  package struct Fade: Sendable, Hashable {
    package var frameCount = 0
    package var curve = FadeCurve.linear
  }

  package var id: String?
  /// As the opener knows it: a path, or the name of an input.
  package var file: String
  package var begin = 0
  /// Frames that are heard; nil without an end.
  package var frameCount: Int? = 0
  /// Where the piece begins in the sound, at the player's rate and the region's speed.
  package var pieceStart = 0
  package var pieceLength = 0
  package var isReversed = false
  package var isRepeated = false
  package var speed = 1.0
  package var keepsPitch = false
  /// Channels of the file, from 0, that are played; one of them is played in all.
  package var channels: [Int] = []
  package var gain = 1.0
  package var fadeIn = Fade()
  package var fadeOut = Fade()

  /// One behind its last frame; `Int.max` without an end.
  package var end: Int { frameCount.map { begin + $0 } ?? .max }

  /// What the frame of this number is multiplied by: the gain, the fade in, and the fade out, in
  /// double precision, rounded once.
  ///
  /// Of a fade of n frames, frame k from 0 is at (k + 1) / (n + 1) of the way.
  package func amplitude(at frame: Int) -> Float {
    var amplitude = gain
    if frame < fadeIn.frameCount {
      amplitude *= fadeIn.curve.amplitude(at: Double(frame + 1) / Double(fadeIn.frameCount + 1))
    }
    if let frameCount, frameCount - frame <= fadeOut.frameCount {
      amplitude *= fadeOut.curve.amplitude(
        at: Double(frameCount - frame) / Double(fadeOut.frameCount + 1))
    }
    return Float(amplitude)
  }

  /// The frames, from one of them, that have the same amplitude.
  func steadyCount(from frame: Int) -> Int {
    if frame < fadeIn.frameCount { return 0 }
    guard let frameCount else { return .max }
    return max(frameCount - fadeOut.frameCount - frame, 0)
  }
}

/// Regions in the order in which they are summed, at one rate.
package struct Schedule: Sendable {
  package var regions: [ScheduledRegion]
  package let format: StreamFormat
  /// Silent behind its last region, without an end.
  package var isEndless = false

  /// Frames to the end of the last region; nil without an end.
  package var frameCount: Int? {
    guard !isEndless else { return nil }
    var end = 0
    for region in regions {
      guard region.frameCount != nil else { return nil }
      end = max(end, region.end)
    }
    return end
  }

  /// Regions that may sound at one time.
  package static let soundingLimit = 256
}
