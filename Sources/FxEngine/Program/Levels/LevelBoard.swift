import CKernels
import FxAudio
import Synchronization

/// How fast a displayed peak falls: 20 dB in 1.7 s (IEC 60268-10, type I).
struct PeakFall: BitwiseCopyable {
  /// Nepers per frame.
  private let rate: Float

  package init(sampleRate: Double) {
    // ln 10 / 1.7 s.
    rate = Float(2.302_585_092_994_046 / 1.7 / max(sampleRate, 1))
  }

  // MARK: - Realtime

  /// The peak after it has fallen for `frameCount` frames.
  @_noLocks
  package func next(_ peak: Float, frameCount: Int) -> Float {
    let exponent = rate * Float(frameCount)
    // Approximates e^-x to 1 % for blocks of up to a quarter of a second; none is longer.
    return peak / (1 + exponent * (1 + 0.5 * exponent))
  }
}

/// The levels of a stream's channels: the falling peak, and the mean square of the last 300 ms.
///
/// One thread measures blocks; any thread may read at any time. The creator destroys it.
package struct LevelBoard: BitwiseCopyable, @unchecked Sendable {
  // Sendable: one thread writes; a reader gets an old or a new value of a whole word.
  private struct Channel: ~Copyable {
    var peak: Float = 0
    var meanSquare: Float = 0
    var highest: Float = 0
    var clippedCount = 0
    /// Only for the thread that measures.
    var squares: SlidingMeanSquare
  }

  package let channelCount: Int
  private let channels: UnsafeMutablePointer<Channel>
  private let fall: PeakFall
  private let vectorLevel: Int32

  package static func make(channelCount: Int, sampleRate: Double) -> LevelBoard {
    LevelBoard(channelCount: channelCount, sampleRate: sampleRate)
  }

  private init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    fall = PeakFall(sampleRate: sampleRate)
    vectorLevel = fx_vector_level()
    channels = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<channelCount {
      (channels + channel).initialize(
        to: Channel(squares: SlidingMeanSquare(sampleRate: sampleRate)))
    }
  }

  package func destroy() {
    channels.deinitialize(count: channelCount)
    channels.deallocate()
  }

  /// The levels of one channel, as magnitudes; full scale is 1.
  package struct Level: Sendable, Hashable {
    /// Falls by 20 dB in 1.7 s.
    package let peak: Float
    /// Root of the mean square of the last 300 ms.
    package let rms: Float
    /// The highest peak so far.
    package let highest: Float
    /// Samples beyond full scale so far.
    package let clippedCount: Int
  }

  package func level(_ channel: Int) -> Level {
    let now = channels + channel
    return Level(
      peak: now.pointee.peak, rms: now.pointee.meanSquare.squareRoot(),
      highest: now.pointee.highest, clippedCount: now.pointee.clippedCount)
  }

  package var levels: [Level] { (0..<channelCount).map(level) }

  // MARK: - Realtime

  /// Measures a block of every channel.
  @_noLocks
  package func note(_ samples: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    for channel in 0..<channelCount {
      note(channel, samples[channel], frameCount: frameCount)
    }
  }

  /// Measures a block of one channel.
  @_noLocks
  package func note(_ index: Int, _ samples: UnsafePointer<Float>, frameCount: Int) {
    guard frameCount > 0 else { return }
    let channel = channels + index
    let level = fx_measure(vectorLevel, samples, frameCount)
    let fallen = fall.next(channel.pointee.peak, frameCount: frameCount)
    channel.pointee.peak = level.peak > fallen ? level.peak : fallen
    if level.peak > channel.pointee.highest { channel.pointee.highest = level.peak }
    channel.pointee.clippedCount = channel.pointee.clippedCount &+ level.clipped
    channel.pointee.squares.render(samples, frameCount)
    let mean = Float(channel.pointee.squares.meanSquare)
    // While the window has a sample that is no number, the last value stays.
    if mean.isFinite { channel.pointee.meanSquare = mean }
  }
}
