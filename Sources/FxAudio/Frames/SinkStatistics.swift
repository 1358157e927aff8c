import CKernels

/// Statistics of the frames that a sink has received, or of its file as a player decodes it.
package struct SinkStatistics: Sendable, Hashable {
  package private(set) var frameCount = 0
  /// Largest absolute sample of each channel; 1 is full scale. For a lossy file as it is decoded,
  /// otherwise before clipping.
  package private(set) var peaks: [Float]
  /// Samples beyond full scale: clipped in a 16 or 24-bit file, kept as they are in a float one.
  package private(set) var clippedSampleCount = 0
  /// Samples that were NaN or infinite, and were written as silence.
  package private(set) var nonFiniteSampleCount = 0
  /// In LUFS, if it was measured; `-inf` for silence.
  package var loudness: Double?
  /// The blocks and true peaks of the received frames, and of the file as it is decoded, if they are
  /// wanted.
  package var measured: (sound: MeasuredLoudness, file: MeasuredLoudness)? {
    get { measuredSound.flatMap { sound in measuredFile.map { (sound, $0) } } }
    set { (measuredSound, measuredFile) = (newValue?.sound, newValue?.file) }
  }
  private var measuredSound: MeasuredLoudness?
  private var measuredFile: MeasuredLoudness?
  /// True if the levels are those of the received frames, and an encoder has changed them since.
  package var isBeforeEncoding = false
  private let vectorLevel = fx_vector_level()

  package init(channelCount: Int) {
    peaks = Array(repeating: 0, count: channelCount)
  }

  /// From measurements made elsewhere.
  package init(
    frameCount: Int, peaks: [Float], clippedSampleCount: Int, nonFiniteSampleCount: Int
  ) {
    self.frameCount = frameCount
    self.peaks = peaks
    self.clippedSampleCount = clippedSampleCount
    self.nonFiniteSampleCount = nonFiniteSampleCount
  }

  package var peak: Float { peaks.max() ?? 0 }

  /// Replaces the levels by those of the same sound after encoding.
  package mutating func takeLevels(of decoded: SinkStatistics) {
    peaks = decoded.peaks
    clippedSampleCount = decoded.clippedSampleCount
    isBeforeEncoding = false
  }

  /// Adds the frames of the next file of the same sound.
  package mutating func append(_ next: SinkStatistics) {
    peaks = zip(peaks, next.peaks).map { max($0, $1) }
    frameCount += next.frameCount
    clippedSampleCount += next.clippedSampleCount
    nonFiniteSampleCount += next.nonFiniteSampleCount
    isBeforeEncoding = isBeforeEncoding || next.isBeforeEncoding
  }
}

extension SinkStatistics {
  /// Adds a block to the statistics.
  package mutating func measure(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    for channel in peaks.indices {
      let level = BlockLevel(
        channels[channel], frameCount: frameCount, vectorLevel: vectorLevel)
      peaks[channel] = max(peaks[channel], level.peak)
      clippedSampleCount += level.clippedCount
      nonFiniteSampleCount += level.nonFiniteCount
    }
    self.frameCount += frameCount
  }
}

/// Peak, clipped and non-finite samples of one channel's block.
package struct BlockLevel {
  package let peak: Float
  package let clippedCount: Int
  package let nonFiniteCount: Int

  // MARK: - Realtime

  /// `vectorLevel` as in `fx_vector_level`; the result does not depend on it.
  @_noLocks
  package init(_ samples: UnsafePointer<Float>, frameCount: Int, vectorLevel: Int32 = 0) {
    let level = fx_measure(vectorLevel, samples, frameCount)
    peak = level.peak
    clippedCount = level.clipped
    nonFiniteCount = level.non_finite
  }
}
