private import CKernels
import FxAudio

/// Taps for delays between two frames: a sinc function with a Kaiser window over sixteen samples.
///
/// Allocated on the control thread, used on the render thread.
struct SincTable: ~Copyable {
  /// Samples of a window that are earlier than the delayed sample.
  package static var reach: Int { @_noLocks get { Int(FX_SINC_TAPS) / 2 } }
  private static let phaseCount = Int(FX_SINC_ROWS)

  /// A row of taps for each fraction of a frame, the oldest sample first.
  private let rows: SampleBuffer
  private let taps: SampleBuffer
  private let vectorLevel = fx_vector_level()

  /// - Parameters:
  ///   - isPassive: True for taps with no gain above 1 at any frequency, so that a feedback loop is
  ///     as stable as its gain. False for taps with the same level at every delay; otherwise a
  ///     moving delay changes the level by 0.03 dB.
  ///   - beta: The parameter of the Kaiser window; 5 loses 0.02 dB at 15 kHz and a sample rate of
  ///     44.1 kHz.
  package init(isPassive: Bool, beta: Double = 5) {
    let count = Int(FX_SINC_TAPS)
    rows = SampleBuffer(count: (Self.phaseCount + 1) * count)
    taps = SampleBuffer(count: count)
    let edge = Self.bessel(beta)
    for phase in 0...Self.phaseCount {
      let share = Double(phase) / Double(Self.phaseCount)
      // The window raises the band below half the sample rate by less than this.
      let scale = isPassive ? 1 / (1 + 0.0038 * 4 * share * (1 - share)) : 1
      var sum = 0.0
      for tap in 0..<count {
        let x = Double(count / 2 - tap) - share
        let position = x / Double(count / 2)
        let inside = max(0, 1 - position * position)
        let window = Self.bessel(beta * Math.squareRoot(inside)) / edge
        let sine = x.magnitude < 1e-9 ? 1 : Math.sin(.pi * x) / (.pi * x)
        sum += window * sine
        rows.samples[phase * count + tap] = Float(scale * window * sine)
      }
      if !isPassive {
        for tap in 0..<count { rows.samples[phase * count + tap] /= Float(sum) }
      }
    }
  }

  /// The modified Bessel function of the first kind, of order 0.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for index in 1..<30 {
      let factor = x / (2 * Double(index))
      term *= factor * factor
      sum += term
    }
    return sum
  }

  package static func byteCount() -> Int {
    SampleBuffer.byteCount(count: (phaseCount + 1) * Int(FX_SINC_TAPS))
      + SampleBuffer.byteCount(count: Int(FX_SINC_TAPS))
  }

  // MARK: - Realtime

  /// The row below a fraction of a frame, and the share of the next row.
  @_noLocks @inline(__always)
  private func place(_ fraction: Float) -> (row: UnsafeMutablePointer<Float>, share: Float) {
    let position = fraction * 256
    let row = Int(position)
    return (rows.samples + row &* Int(FX_SINC_TAPS), position - Float(row))
  }

  /// Interpolates frames with one fraction. `input` begins at the oldest sample of the first
  /// frame's window and has `frameCount` + 15 samples.
  @_noLocks
  func render(
    _ input: UnsafePointer<Float>, fraction: Float, into output: UnsafeMutablePointer<Float>,
    frameCount: Int
  ) {
    let (row, share) = place(fraction)
    for tap in 0..<Int(FX_SINC_TAPS) {
      let from = row[tap]
      taps.samples[tap] = from + share * (row[tap &+ Int(FX_SINC_TAPS)] - from)
    }
    fx_sinc_fixed(vectorLevel, taps.samples, input, output, frameCount)
  }

  /// Interpolates samples of a ring, each frame with its own delay, in the order of the frames.
  /// `position` is the index of the first frame in the ring.
  @_noLocks
  func render(
    _ ring: UnsafePointer<Float>, capacity: Int, position: Int,
    delays: UnsafePointer<FractionalDelay>, into output: UnsafeMutablePointer<Float>,
    frameCount: Int
  ) {
    // The C type has the same two numbers in the same layout.
    let places = UnsafeRawPointer(delays).assumingMemoryBound(to: fx_fractional_delay.self)
    fx_sinc_moving(
      vectorLevel, rows.samples, ring, capacity, position, places, output, frameCount)
  }

  /// Interpolates one frame.
  @_noLocks
  func sample(_ input: UnsafePointer<Float>, fraction: Float) -> Float {
    let (row, share) = place(fraction)
    return fx_sinc_between(row, share, input)
  }
}
