private import CKernels
import FxAudio

/// Distorts any number of channels with a curve, at a higher sample rate, so that the harmonics do
/// not alias.
///
/// Allocated on the control thread, used on the render thread. The output does not depend on the
/// block sizes.
struct WaveShaper: ~Copyable {
  /// The curves. All of them have the slope 1 at 0.
  package enum Curve: String, Sendable, CaseIterable {
    /// x / √(1 + x²).
    case soft
    /// The same curve around a bias, so it differs above and below 0.
    case tube
    /// x / (1 + x⁴)^¼: linear up to a higher level.
    case transistor
    /// A straight line that clips at ±1, with a small knee.
    case hard
    /// sin(x): levels beyond the peak fold back down.
    case fold
  }

  /// The number of samples per frame during the distortion.
  enum Oversampling: String, Sendable, CaseIterable {
    case off
    case twice = "2x"
    case four = "4x"
    case eight = "8x"

    package var factor: Int {
      switch self {
      case .off: 1
      case .twice: 2
      case .four: 4
      case .eight: 8
      }
    }
  }

  /// The latency in frames.
  package let latency: Int
  private let curve: Curve
  private let factor: Int
  private let vectorLevel: Int32
  private let oversampler: Oversampler
  /// For each channel, the last sample before the curve.
  private let lasts: SampleBuffer
  private let scratch: SampleBuffer

  /// The most frames of one call.
  package static var chunk: Int { @_noLocks get { 64 } }

  package init(_ curve: Curve, _ oversampling: Oversampling, channelCount: Int) {
    self.curve = curve
    factor = oversampling.factor
    vectorLevel = fx_vector_level()
    oversampler = Oversampler(
      factor: factor, channelCount: factor > 1 ? channelCount : 0, maximumFrameCount: Self.chunk)
    latency = factor > 1 ? oversampler.latency : 0
    lasts = SampleBuffer(count: channelCount)
    scratch = SampleBuffer(count: factor * Self.chunk)
  }

  /// The bytes that a shaper allocates.
  package static func byteCount(_ oversampling: Oversampling, channelCount: Int) -> Int {
    let factor = oversampling.factor
    return Oversampler.byteCount(
      factor: factor, channelCount: factor > 1 ? channelCount : 0, maximumFrameCount: chunk)
      + SampleBuffer.byteCount(count: channelCount)
      + SampleBuffer.byteCount(count: factor * chunk)
  }

  /// The latency in frames.
  package static func latency(_ oversampling: Oversampling) -> Int {
    guard oversampling != .off else { return 0 }
    return Oversampler(factor: oversampling.factor, channelCount: 0, maximumFrameCount: 1).latency
  }

  // MARK: - Realtime

  /// Distorts at most `chunk` frames of one channel in place.
  ///
  /// - Parameter knee: Half the width of the knee of the hard curve, 0...1: the curve bends from
  ///   1 - knee to 1 + knee.
  @_noLocks
  package func process(
    _ samples: UnsafeMutablePointer<Float>, channel: Int, frameCount: Int, knee: ParameterSignal
  ) {
    var bent = samples
    if factor > 1 {
      bent = scratch.samples
      oversampler.up(samples, channel: channel, frameCount: frameCount, to: bent)
    }
    bend(bent, channel: channel, frameCount: frameCount, knee: knee)
    if factor > 1 {
      oversampler.down(bent, channel: channel, frameCount: frameCount, to: samples)
    }
  }

  @_noLocks
  private func bend(
    _ samples: UnsafeMutablePointer<Float>, channel: Int, frameCount: Int, knee: ParameterSignal
  ) {
    let count = frameCount &* factor
    // Without oversampling a mean with the last sample would reduce the treble.
    let last = factor > 1 ? lasts.samples + channel : nil
    switch curve {
    case .soft: fx_shape(vectorLevel, FX_CURVE_SOFT, last, samples, count)
    case .tube: fx_shape(vectorLevel, FX_CURVE_TUBE, last, samples, count)
    case .transistor: fx_shape(vectorLevel, FX_CURVE_TRANSISTOR, last, samples, count)
    case .fold: fx_shape(vectorLevel, FX_CURVE_FOLD, last, samples, count)
    case .hard:
      if knee.isConstant {
        fx_clip(vectorLevel, knee.value, last, samples, count)
      } else {
        for frame in 0..<frameCount {
          fx_clip(vectorLevel, knee[frame], last, samples + frame &* factor, factor)
        }
      }
    }
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`.
  package var isAtRest: Bool {
    @_noLocks get { oversampler.isAtRest && lasts.isZero(from: 0, count: lasts.count) }
  }

  @_noLocks
  package func reset() {
    oversampler.reset()
    lasts.clear()
  }
}
