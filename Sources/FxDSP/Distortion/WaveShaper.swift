private import CKernels
package import FxAudio

/// Bends the waves of any number of channels along a curve, at a higher rate than theirs, so that the
/// harmonics that the curve makes do not come back as tones that belong to nothing.
///
/// Allocated on the control thread, used on the render thread; what comes out does not depend on
/// the blocks.
package struct WaveShaper: ~Copyable {
  /// What becomes of a wave. All curves have the slope 1 at 0.
  package enum Curve: String, Sendable, CaseIterable {
    /// x / √(1 + x²).
    case soft
    /// The same around a bias: another curve above than below.
    case tube
    /// x / (1 + x⁴)^¼: straight for longer.
    case transistor
    /// A straight line that ends at ±1, with a small bend.
    case hard
    /// sin(x): what is too loud comes back down.
    case fold
  }

  /// How many samples a frame has while it is bent.
  package enum Oversampling: String, Sendable, CaseIterable {
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

  /// Frames by which the output is late.
  package let latency: Int
  private let curve: Curve
  private let factor: Int
  private let vectorLevel: Int32
  private let oversampler: Oversampler
  /// Channel by channel, the last sample that was bent.
  private let lasts: SampleBuffer
  private let scratch: SampleBuffer

  /// Frames of one call at most.
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

  /// What a shaper allocates.
  package static func byteCount(_ oversampling: Oversampling, channelCount: Int) -> Int {
    let factor = oversampling.factor
    return Oversampler.byteCount(
      factor: factor, channelCount: factor > 1 ? channelCount : 0, maximumFrameCount: chunk)
      + SampleBuffer.byteCount(count: channelCount)
      + SampleBuffer.byteCount(count: factor * chunk)
  }

  /// Frames by which the output is late.
  package static func latency(_ oversampling: Oversampling) -> Int {
    guard oversampling != .off else { return 0 }
    return Oversampler(factor: oversampling.factor, channelCount: 0, maximumFrameCount: 1).latency
  }

  // MARK: - Realtime

  /// Bends at most `chunk` frames of one channel in place.
  ///
  /// - Parameter knee: How wide the bend of the hard curve is, 0...1.
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
    // Without a higher rate a mean would take away treble.
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

  /// True when it is at rest: silence in gives silence out, as `UnitEntry.isAtRest` says.
  package var isAtRest: Bool {
    @_noLocks get { oversampler.isAtRest && lasts.isZero(from: 0, count: lasts.count) }
  }

  @_noLocks
  package func reset() {
    oversampler.reset()
    lasts.clear()
  }
}
