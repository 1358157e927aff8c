import FxAudio

/// Reduces steady noise: hiss, hum, the sound of a fan.
///
/// It learns the noise before it renders: from the quietest tenth of the sound and how its level
/// moves, or from a span that contains nothing else. Live, or if an option says so, it follows the
/// noise while it renders.
struct Denoise: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "denoise", name: "Denoiser", summary: "Turns steady noise down: hiss, hum, the sound of a fan.",
    category: "repair", revision: 2, measures: "noise", rendersUnmeasured: true,
    parameters: [
      ParameterSpec(
        "reduction", "The reduction of parts that are noise alone.", .decibels, 0...48,
        default: 18),
      ParameterSpec(
        "bias",
        "How far the noise is overestimated: more removes more of the noise, and of the sound.",
        .decibels, -12...12, default: 2),
    ],
    options: [
      OptionSpec(
        "learn",
        "How the noise is learnt: from the quietest tenth of the sound, with the level that the "
          + "noise has in each second; from a span of it; or continuously, the only way live.",
        .choice(["quietest", "span", "always"]), default: .text("quietest")),
      OptionSpec(
        "from", "Where the span begins, from the beginning of the sound.",
        .number(.seconds, 0...86400), default: .number(0)),
      OptionSpec("to", "Where it ends.", .number(.seconds, 0...86400), default: .number(1)),
    ],
    presets: [
      UnitPreset("gentle", "Leaves the room, takes the hiss.", ["reduction": 10, "bias": 0]),
      UnitPreset("strong", "For a voice in loud noise.", ["reduction": 28, "bias": 4]),
    ])

  /// Without following the level of the noise.
  static var first: UnitSpec {
    var first = spec
    first.revision = 1
    return first
  }

  package struct Parameters: BitwiseCopyable {
    let reduction: ParameterSignal
    let bias: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Denoise.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Denoise.self)?.pointee.reset() })

  private var denoiser: SpectralDenoiser

  package init(_ preparation: Preparation) {
    denoiser = SpectralDenoiser(
      channelCount: preparation.channelCount, sampleRate: preparation.sampleRate,
      learnt: Self.followsNoise(preparation) ? [] : preparation.measured ?? [])
  }

  private static func followsNoise(_ preparation: Preparation) -> Bool {
    preparation.text("learn") == "always"
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let length = SpectralFrames.length(sampleRate: preparation.sampleRate)
    return UnitTraits(
      latency: length, tail: .frames(length),
      memory: SpectralDenoiser.byteCount(
        channelCount: preparation.channelCount, sampleRate: preparation.sampleRate,
        learntCount: followsNoise(preparation) ? 0 : preparation.measured?.count ?? 0))
  }

  package static func analyzer(_ preparation: Preparation) -> (any Analyzer)? {
    var span: Range<Int>?
    if preparation.text("learn") == "span" {
      let from = Int((preparation.number("from") ?? 0) * preparation.sampleRate)
      span = from..<max(from, Int((preparation.number("to") ?? 0) * preparation.sampleRate))
    }
    return NoiseAnalyzer(
      NoiseProfile(
        channelCount: preparation.channelCount, sampleRate: preparation.sampleRate, span: span,
        follows: preparation.revision > 1))
  }

  package static func remark(_ preparation: Preparation) -> String? {
    guard let measured = preparation.measured, measured.isEmpty, !followsNoise(preparation) else {
      return nil
    }
    return preparation.text("learn") == "span"
      ? "there is no sound in its span to learn the noise from; it follows the noise instead"
      : "there is no sound to learn the noise from; it follows the noise instead"
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      let count = min(denoiser.remainingCount, block.frameCount &- frame)
      let last = frame &+ count &- 1
      denoiser.process(
        block.inputs, to: block.outputs, from: frame, count: count,
        SpectralDenoiser.Settings(
          floor: Math.amplitude(decibels: -parameters.reduction[last]),
          excess: Math.amplitude(decibels: 2 * parameters.bias[last])))
      frame &+= count
    }
  }

  @_noLocks
  package mutating func reset() { denoiser.clear() }
}

/// Learns the noise in the pass before the render.
private final class NoiseAnalyzer: Analyzer {
  private let profile: NoiseProfile

  init(_ profile: NoiseProfile) { self.profile = profile }

  func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    profile.take(channels, frameCount: frameCount)
  }

  var result: [Double] { profile.result }
}
