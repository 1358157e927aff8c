private import CKernels
import FxAudio

/// True peaks: the peaks of the analog wave, which can be higher than the samples.
///
/// It oversamples four times, by a windowed sinc of ten samples a side (Kaiser's window), and puts
/// a parabola between the points. On music the result is within 0.03 dB of sixteen times
/// oversampling. Allocated on the control thread, used on the render thread. The bits do not depend
/// on the block sizes.
struct TruePeakDetector: ~Copyable {
  /// The frames by which the peaks are delayed.
  package static var latency: Int { @_noLocks get { Int(FX_PEAK_TAPS) } }

  private let vectorLevel: Int32
  private let taps: SampleBuffer
  /// For each channel: past samples, the chunk, and room for the kernel's reads beyond it.
  private let rows: SampleBuffer
  private let rowLength: Int
  private let channelCount: Int

  private static var beta: Double { 12 }
  /// The largest ratio of the wave to the samples. The sum of the magnitudes of the taps is at most
  /// 1.961, and the parabola adds at most a quarter.
  private static var largestRise: Float { @_noLocks get { 2.46 } }
  private static var past: Int { @_noLocks get { 2 &* Int(FX_PEAK_TAPS) } }

  /// - Parameter vectorLevel: The instruction set to use: 0 is the one that every processor has,
  ///   nil the best available one.
  package init(channelCount: Int, maximumFrameCount: Int, vectorLevel: Int? = nil) {
    let best = fx_vector_level()
    self.vectorLevel = vectorLevel.map { min(Int32(clamping: $0), best) } ?? best
    rowLength = Self.rowLength(maximumFrameCount)
    self.channelCount = channelCount
    rows = SampleBuffer(count: rowLength * channelCount)
    let count = Int(FX_PEAK_TAPS)
    taps = SampleBuffer(count: 3 * count)
    for index in 0..<count {
      // At a quarter of a frame the sample before is 0.25 frames away, the sample after it 0.75.
      let near = Self.tap(Double(index) + 0.25)
      let far = Self.tap(Double(index) + 0.75)
      taps.samples[index] = Float((near + far) / 2)
      taps.samples[count + index] = Float((near - far) / 2)
      taps.samples[2 * count + index] = Float(Self.tap(Double(index) + 0.5))
    }
  }

  /// The windowed sinc at a distance in frames.
  private static func tap(_ distance: Double) -> Double {
    let share = distance / Double(FX_PEAK_TAPS)
    let window = Kaiser.bessel(beta * Math.squareRoot(1 - share * share)) / Kaiser.bessel(beta)
    return window * Math.sin(Double.pi * distance) / (Double.pi * distance)
  }

  private static func rowLength(_ maximumFrameCount: Int) -> Int {
    past + maximumFrameCount + Int(FX_PEAK_OVERREAD)
  }

  /// The bytes that a detector allocates.
  package static func byteCount(channelCount: Int, maximumFrameCount: Int) -> Int {
    SampleBuffer.byteCount(count: 3 * Int(FX_PEAK_TAPS))
      + SampleBuffer.byteCount(count: rowLength(maximumFrameCount) * channelCount)
  }

  // MARK: - Realtime

  /// Takes a channel's next frames. For each it writes the peak between the frame `latency` frames
  /// ago and the one after it; with `keepsLarger`, the larger of this and `peaks`.
  ///
  /// - Parameter floor: When no peak can be above this level, the peaks are not computed and count
  ///   as 0.
  @_noLocks
  package func process(
    _ samples: UnsafePointer<Float>, channel: Int, into peaks: UnsafeMutablePointer<Float>,
    count: Int, keepsLarger: Bool, floor: Float = -1
  ) {
    let row = rows.samples + channel &* rowLength
    let newest = row + Self.past
    newest.update(copying: samples, count: count)
    let loudest = fx_measure(vectorLevel, row, Self.past &+ count)
    if loudest.non_finite == 0, loudest.peak * Self.largestRise <= floor {
      if !keepsLarger { peaks.update(repeating: 0, count: count) }
    } else {
      fx_true_peaks(
        vectorLevel, taps.samples, newest - Int(FX_PEAK_TAPS), peaks, count, keepsLarger ? 1 : 0)
    }
    for index in 0..<Self.past { row[index] = row[index &+ count] }
  }

  /// True when all stored samples are zeros of one sign.
  package var isAtRest: Bool {
    @_noLocks get {
      for channel in 0..<channelCount
      where fx_is_silent(rows.samples + channel &* rowLength, Self.past) == 0 {
        return false
      }
      return true
    }
  }

  @_noLocks
  package func clear() { rows.clear() }
}
