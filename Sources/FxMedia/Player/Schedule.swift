package import FxAudio

/// A region with its position, in frames of the player.
package struct ScheduledRegion: Sendable, Hashable {
  package struct Fade: Sendable, Hashable {
    package var frameCount = 0
    package var curve = FadeCurve.linear
  }

  package var id: String?
  /// The name that the opener understands: a path, or the name of an input.
  package var file: String
  package var begin = 0
  /// Frames that are played; nil without an end.
  package var frameCount: Int? = 0
  /// The beginning of the piece in the sound, in frames at the player's rate and the region's
  /// speed.
  var pieceStart = 0
  package var pieceLength = 0
  package var isReversed = false
  package var isRepeated = false
  package var speed = 1.0
  package var keepsPitch = false
  /// The channels of the file that are played, counted from 0. A single channel plays on all
  /// outputs.
  package var channels: [Int] = []
  /// Plays the mean of these channels.
  package var isMono = false
  /// Warns when the file has channels that are not played.
  package var reportsOmissions = false
  package var gain = 1.0
  package var fadeIn = Fade()
  package var fadeOut = Fade()

  /// The number of channels that it gives.
  var width: Int { isMono ? 1 : channels.count }

  /// The frame after its last one; `Int.max` without an end.
  package var end: Int { frameCount.map { begin + $0 } ?? .max }

  /// The factor for a frame of the region: gain × fade-in × fade-out, computed in double precision
  /// and rounded once.
  ///
  /// In a fade of n frames, frame k (from 0) is at (k + 1) / (n + 1) of the fade.
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

  /// The number of frames, starting at `frame`, with a constant amplitude; 0 within the fade-in.
  func steadyCount(from frame: Int) -> Int {
    if frame < fadeIn.frameCount { return 0 }
    guard let frameCount else { return .max }
    return max(frameCount - fadeOut.frameCount - frame, 0)
  }
}

/// Regions in the order of their summation, at one sample rate.
package struct Schedule: Sendable {
  package var regions: [ScheduledRegion]
  package let format: StreamFormat
  /// True if silence without an end follows the last region.
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

  /// The most regions that may sound at the same time.
  static let soundingLimit = 256
}
