import FxAudio

/// Adds harmonics with a saturation curve; louder signals get more.
///
/// The signal is distorted at eight times the sample rate, so that harmonics above half the rate
/// are filtered out instead of aliasing: a tone of 5 kHz, driven by 12 dB, has less than -90 dB of
/// everything that is not a harmonic.
///
/// Revision 1 has no makeup for the drive.
struct Saturator: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "saturator", name: "Saturator",
    summary: "Adds harmonics by bending the wave, the more the louder it is.",
    category: "distortion", revision: 2,
    parameters: [
      .gain(
        "drive",
        "How much louder the signal enters the curve, which bends levels near full scale. "
          + "The output keeps the loudness of a signal of -18 LUFS.",
        0...48, default: 6),
      .gain("level", "The output level.", -48...24),
    ],
    options: [
      OptionSpec(
        "curve",
        "The curve: gentle with more distortion in the treble (tape), asymmetric (tube), later "
          + "and harder (transistor), gentle (soft), abrupt (hard), or folded back (fold).",
        .choice(["tape"] + ["tube", "transistor", "soft", "hard", "fold"]), default: .text("soft")),
      .oversampling,
    ],
    presets: [
      UnitPreset(
        "warmth", "A little body for a mix or a voice.", ["drive": 6],
        options: ["curve": .text("tape")]),
      UnitPreset(
        "preamp", "A tube that is driven.", ["drive": 14],
        options: ["curve": .text("tube")]),
      UnitPreset(
        "fuzz", "A transistor that is overdriven.", ["drive": 36],
        options: ["curve": .text("transistor")]),
    ])

  /// The same without makeup.
  static var first: UnitSpec {
    var first = spec
    first.revision = 1
    let levels: [String: Double] = ["warmth": -4, "preamp": -8, "fuzz": -12]
    first.presets = first.presets.map { $0.setting("level", to: levels[$0.name]) }
    return first
  }

  package struct Parameters: BitwiseCopyable {
    let drive: ParameterSignal
    let level: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Saturator.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Saturator.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Saturator.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(Saturator.self)?.pointee.rest(RenderBlock(at: $1)) })

  private let channelCount: Int
  private let shaper: WaveShaper
  private let emphasis: TapeEmphasis
  private let coupling: Coupling
  private let isTape: Bool
  private let isTube: Bool
  private let scratch: SampleBuffer
  private let makeup: DriveMakeup
  private let hasMakeup: Bool
  private var leavingDrive: DelayedControl

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    let curve = preparation.text("curve") ?? "soft"
    isTape = curve == "tape"
    isTube = curve == "tube"
    shaper = WaveShaper(
      WaveShaper.Curve(rawValue: curve) ?? .soft, preparation.oversampling,
      channelCount: channelCount)
    emphasis = TapeEmphasis(
      channelCount: isTape ? channelCount : 0, sampleRate: preparation.sampleRate)
    coupling = Coupling(
      channelCount: isTube ? channelCount : 0, frequency: 5, sampleRate: preparation.sampleRate)
    scratch = SampleBuffer(count: WaveShaper.chunk)
    makeup = DriveMakeup(curve)
    hasMakeup = preparation.revision > 1
    leavingDrive = DelayedControl(
      latency: hasMakeup ? shaper.latency : 0, maximumFrameCount: WaveShaper.chunk)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let channels = preparation.channelCount
    let curve = preparation.text("curve") ?? "soft"
    let latency = WaveShaper.latency(preparation.oversampling)
    let ringing = curve == "tube" ? Coupling.ringing(frequency: 5, preparation.sampleRate) : 64
    return UnitTraits(
      latency: latency, tail: .frames(latency + ringing),
      memory: WaveShaper.byteCount(preparation.oversampling, channelCount: channels)
        + TapeEmphasis.byteCount(channelCount: curve == "tape" ? channels : 0)
        + Coupling.byteCount(channelCount: curve == "tube" ? channels : 0)
        + SampleBuffer.byteCount(count: WaveShaper.chunk)
        + DelayedControl.byteCount(
          latency: preparation.revision > 1 ? latency : 0, maximumFrameCount: WaveShaper.chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let knee = ParameterSignal(constant: Self.knee)
    let samples = scratch.samples
    var start = 0
    while start < block.frameCount {
      let count = min(WaveShaper.chunk, block.frameCount &- start)
      let leaving = leavingDrive.take(parameters.drive, from: start, frameCount: count)
      for channel in 0..<channelCount {
        let input = block.inputs[channel] + start
        let output = block.outputs[channel] + start
        for frame in 0..<count {
          samples[frame] = input[frame].finiteSample * parameters.drive[start &+ frame]
        }
        if isTape { emphasis.raise(samples, channel: channel, frameCount: count) }
        shaper.process(samples, channel: channel, frameCount: count, knee: knee)
        if isTape { emphasis.lower(samples, channel: channel, frameCount: count) }
        if isTube { coupling.render(samples, channel: channel, frameCount: count) }
        if hasMakeup { raise(samples, frameCount: count, leaving) }
        for frame in 0..<count {
          output[frame] = samples[frame] * parameters.level[start &+ frame]
        }
      }
      start &+= count
    }
  }

  /// Applies the makeup for the drive with which the samples entered.
  @_noLocks
  private func raise(
    _ samples: UnsafeMutablePointer<Float>, frameCount: Int, _ drive: ParameterSignal
  ) {
    if drive.isConstant {
      let gain = makeup.gain(drive.value)
      for frame in 0..<frameCount { samples[frame] *= gain }
    } else {
      for frame in 0..<frameCount { samples[frame] *= makeup.gain(drive[frame]) }
    }
  }

  /// Half the width of the hard curve's knee.
  private static var knee: Float { @_noLocks get { 0.2 } }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    shaper.isAtRest && emphasis.isAtRest && coupling.isAtRest
  }

  @_noLocks
  package mutating func rest(_ block: RenderBlock) {
    coupling.rest(frameCount: block.frameCount)
    leavingDrive.rest(
      block.parameterStorage.load(as: Parameters.self).drive, frameCount: block.frameCount)
  }

  @_noLocks
  package mutating func reset() {
    shaper.reset()
    emphasis.reset()
    coupling.reset()
    leavingDrive.reset()
  }
}

extension OptionSpec {
  /// The oversampling of the stage that makes harmonics.
  static let oversampling = OptionSpec(
    "oversampling",
    "The oversampling of the curve; more leaves less aliasing.",
    .choice(WaveShaper.Oversampling.allCases.map(\.rawValue)), default: .text("8x"))
}

extension Preparation {
  /// The oversampling that the options set.
  var oversampling: WaveShaper.Oversampling {
    text("oversampling").flatMap { WaveShaper.Oversampling(rawValue: $0) } ?? .eight
  }
}
