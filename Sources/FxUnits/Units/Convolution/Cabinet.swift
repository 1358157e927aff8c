import FxAudio

/// A guitar cabinet for the output of an amplifier: convolution with an impulse response calculated
/// for the chain's sample rate. For a recorded impulse response use `convolver`.
struct Cabinet: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "cabinet", name: "Cabinet",
    summary: "A guitar loudspeaker in its box, to follow an amplifier.",
    category: "distortion",
    parameters: [.gain("level", "The output level.", -48...24)],
    options: [
      OptionSpec(
        "speaker", "How many loudspeakers of how many inches there are; 4x12 is closed behind.",
        .choice(CabinetImpulse.Speaker.allCases.map(\.rawValue)), default: .text("1x12")),
      OptionSpec(
        "position",
        "Where the microphone stands: 0 before the middle of the cone, 1 before its edge, which is darker.",
        .number(.ratio, 0...1), default: .number(0.3)),
    ])

  package struct Parameters: BitwiseCopyable {
    let level: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Cabinet.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Cabinet.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Cabinet.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(Cabinet.self)?.pointee.rest(RenderBlock(at: $1)) })

  private var convolution: Convolution

  package init(_ preparation: Preparation) {
    let speaker = preparation.text("speaker").flatMap { CabinetImpulse.Speaker(rawValue: $0) }
    convolution = Convolution(
      CabinetImpulse.make(
        speaker ?? .oneTwelve, position: preparation.number("position") ?? 0.3,
        sampleRate: preparation.sampleRate), channelCount: preparation.channelCount)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let frameCount = CabinetImpulse.frameCount(sampleRate: preparation.sampleRate)
    return UnitTraits(
      tail: .frames(frameCount),
      memory: Convolution.byteCount(
        tapCount: frameCount, impulseCount: 1, channelCount: preparation.channelCount))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let level = block.parameterStorage.load(as: Parameters.self).level
    convolution.process(block.inputs, to: block.outputs, frameCount: block.frameCount)
    for channel in 0..<block.outputCount {
      let output = block.outputs[channel]
      level.scale(output, to: output, block.frameCount)
    }
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool { convolution.isAtRest }

  @_noLocks
  package mutating func rest(_ block: RenderBlock) {
    convolution.rest(frameCount: block.frameCount)
  }

  @_noLocks
  package mutating func reset() { convolution.clear() }
}
