import CKernels
package import FxAudio

/// Where audio goes: a file, a pipe, nowhere.
///
/// Used by one thread at a time.
package protocol AudioSink: AnyObject {
  /// For messages: the path as the user wrote it.
  var name: String { get }
  var format: StreamFormat { get }
  /// Refuses more frames than it takes.
  func check(_ frameCount: Int) throws(IOError)
  /// What has passed so far.
  var statistics: SinkStatistics { get }
  func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(IOError)
  /// Called about once a second while nothing comes to be written.
  func rest() throws(IOError)
  /// Writes out everything, so that only the name is missing: what can go wrong, goes wrong here.
  func complete() throws(IOError)
  /// Completes the output; a file takes its name now.
  func finish() throws(IOError)
  /// Gives up. With `keepingPartial` what was written stays as a valid `NAME.partial.EXT`, whose
  /// path comes back; otherwise, or when nothing was written, nothing stays.
  func abandon(keepingPartial: Bool) throws(IOError) -> String?
  /// Ends a write that waits for a pipe, now and for ever. From any thread.
  func interrupt()
}

extension AudioSink {
  package func check(_ frameCount: Int) throws(IOError) {}
  package func rest() throws(IOError) {}
  package func complete() throws(IOError) {}
  package func interrupt() {}
}

/// What went through a sink.
package struct SinkStatistics: Sendable, Hashable {
  package internal(set) var frameCount = 0
  /// Largest absolute sample of each channel, before clipping; 1 is full scale.
  package internal(set) var peaks: [Float]
  /// Samples beyond full scale: clipped in a 16 or 24-bit file, kept as they are in a float one.
  package internal(set) var clippedSampleCount = 0
  /// Samples that were not a number or infinite, written as silence.
  package internal(set) var nonFiniteSampleCount = 0
  private let vectorLevel = fx_vector_level()

  package init(channelCount: Int) {
    peaks = Array(repeating: 0, count: channelCount)
  }

  package var peak: Float { peaks.max() ?? 0 }
}

extension SinkStatistics {
  /// Counts a block in.
  mutating func measure(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
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

/// Peak and faults of one channel's block.
struct BlockLevel {
  let peak: Float
  let clippedCount: Int
  let nonFiniteCount: Int

  // MARK: - Realtime

  /// `vectorLevel` as in `fx_vector_level`; the result does not depend on it.
  @_noLocks
  init(_ samples: UnsafePointer<Float>, frameCount: Int, vectorLevel: Int32 = 0) {
    let level = fx_measure(vectorLevel, samples, frameCount)
    peak = level.peak
    clippedCount = level.clipped
    nonFiniteCount = level.non_finite
  }
}
