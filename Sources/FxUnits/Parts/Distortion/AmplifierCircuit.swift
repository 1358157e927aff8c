import CKernels
import FxAudio

/// The stages of a guitar amplifier at a higher sample rate than the chain's: two tubes, a tone
/// stack, and a power stage with supply sag.
///
/// Allocated on the control thread, used on the render thread. The output does not depend on the
/// block sizes.
struct AmplifierCircuit: ~Copyable {
  /// The positions of the controls.
  package struct Controls: BitwiseCopyable {
    /// 0...1.
    package var bass: Double
    package var middle: Double
    package var treble: Double
    /// The gain of the power stage.
    package var power: Double
    /// The amount of supply sag, 0...1.
    var sag: Double

    // MARK: - Realtime

    @_noLocks
    package init(bass: Double, middle: Double, treble: Double, power: Double, sag: Double) {
      self.bass = bass
      self.middle = middle
      self.treble = treble
      self.power = power
      self.sag = sag
    }
  }

  /// The latency in frames.
  package let latency: Int
  private let parts: ToneStack.Parts
  private let channelCount: Int
  private let factor: Int
  private let rate: Double
  private let vectorLevel: Int32
  private let oversampler: Oversampler
  private let scratch: SampleBuffer
  private let states: UnsafeMutablePointer<fx_amplifier_state>
  private var amplifier: fx_amplifier

  /// The most frames of one call.
  package static var chunk: Int { @_noLocks get { WaveShaper.chunk } }

  package init(
    _ parts: ToneStack.Parts, _ oversampling: WaveShaper.Oversampling, channelCount: Int,
    sampleRate: Double, isFirst: Bool
  ) {
    self.parts = parts
    self.channelCount = channelCount
    factor = oversampling.factor
    let rate = sampleRate * Double(oversampling.factor)
    self.rate = rate
    vectorLevel = fx_vector_level()
    oversampler = Oversampler(
      factor: factor, channelCount: factor > 1 ? channelCount : 0, maximumFrameCount: Self.chunk)
    latency = factor > 1 ? oversampler.latency : 0
    scratch = SampleBuffer(count: factor * Self.chunk)
    states = .allocate(capacity: max(channelCount, 1))
    states.initialize(repeating: fx_amplifier_state(), count: max(channelCount, 1))
    func share(_ seconds: Double) -> Double { 1 - Math.exp(-1 / (seconds * rate)) }
    amplifier = fx_amplifier(
      stack: ToneStack(parts, bass: 0.5, middle: 0.5, treble: 0.5).discrete(sampleRate: rate),
      coupling: Coupling.share(frequency: 30, sampleRate: rate), attack: share(0.015),
      release: share(0.15), isBandLimited: !isFirst && factor > 1 ? 1 : 0,
      lowPass: Self.lowPass(sampleRate: rate), isLoadBounded: isFirst ? 0 : 1)
  }

  /// The coefficients of the low-pass after each tube: Butterworth, 12 kHz. A loudspeaker for
  /// guitars ends at half of that.
  private static func lowPass(sampleRate: Double) -> (Double, Double, Double) {
    let w = Math.tan(Double.pi * min(12000 / sampleRate, 0.4))
    let scale = 1 / (1 + Math.squareRoot(2) * w + w * w)
    return (w * w * scale, 2 * (w * w - 1) * scale, (1 - Math.squareRoot(2) * w + w * w) * scale)
  }

  deinit { states.deallocate() }

  /// The bytes that a circuit allocates.
  package static func byteCount(
    _ oversampling: WaveShaper.Oversampling, channelCount: Int
  ) -> Int {
    let factor = oversampling.factor
    return Oversampler.byteCount(
      factor: factor, channelCount: factor > 1 ? channelCount : 0, maximumFrameCount: chunk)
      + SampleBuffer.byteCount(count: factor * chunk)
      + max(channelCount, 1) * MemoryLayout<fx_amplifier_state>.stride
  }

  // MARK: - Realtime

  /// Sets the tone controls.
  @_noLocks
  package mutating func turn(_ controls: Controls) {
    amplifier.stack = ToneStack(
      parts, bass: controls.bass, middle: controls.middle, treble: controls.treble
    ).discrete(sampleRate: rate)
  }

  /// Converts at most `chunk` frames of one channel to the circuit's sample rate.
  @_noLocks
  package func take(_ samples: UnsafePointer<Float>, channel: Int, frameCount: Int) {
    if factor > 1 {
      oversampler.up(samples, channel: channel, frameCount: frameCount, to: scratch.samples)
    } else {
      scratch.samples.update(copying: samples, count: frameCount)
    }
  }

  /// Processes frames that `take` converted.
  @_noLocks
  package mutating func run(_ controls: Controls, channel: Int, from start: Int, frameCount: Int) {
    fx_amplify(
      vectorLevel, &amplifier, states + channel, controls.power, controls.sag,
      scratch.samples + start &* factor, frameCount &* factor)
  }

  /// Converts the frames back to the chain's sample rate.
  @_noLocks
  package func give(_ samples: UnsafeMutablePointer<Float>, channel: Int, frameCount: Int) {
    if factor > 1 {
      oversampler.down(scratch.samples, channel: channel, frameCount: frameCount, to: samples)
    } else {
      samples.update(copying: UnsafePointer(scratch.samples), count: frameCount)
    }
  }

  @_noLocks
  package func reset() {
    oversampler.reset()
    for channel in 0..<channelCount { states[channel] = fx_amplifier_state() }
  }
}
