package import FxAudio

/// Convolves the signal with the recorded impulse response of a room, a cabinet or a filter.
///
/// A mono impulse response is used for every channel. With as many channels as the signal, each
/// channel has its own. With four channels for a stereo signal, there is one from each input
/// channel to each output channel (true stereo; see `ConvolutionRoute`). Two impulse responses in
/// series are combined into one. There is no latency.
package struct Convolver: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "convolver", name: "Convolver",
    summary: "Gives the signal the sound of a recorded impulse: a room, a cabinet, a filter.",
    category: "space", revision: 2,
    parameters: [.gain("gain", "The output level.", -60...24)],
    options: [
      OptionSpec(
        "impulse",
        "The impulse: mono, as many channels as the signal, or for stereo four: left to left, left to "
          + "right, right to left, right to right.", .sound(.oneInputOrSquare(of: "channels")),
        default: nil),
      OptionSpec(
        "channels",
        "The channels of the impulse to use, from 1, in this order: of a file with those of many "
          + "loudspeakers, for example. Without it, all.",
        .numbers(1...ChannelSelection.limit), default: .text("")),
      OptionSpec(
        "then",
        "A second impulse after the first, such as a microphone after a room; both are combined into one.",
        .sound(.oneInputOrSquare(of: nil)), default: .text("")),
      OptionSpec(
        "trim", "Whether the silence before the impulse is left out.", .flag, default: .flag(false)),
      OptionSpec("reverse", "Whether the impulse is reversed.", .flag, default: .flag(false)),
      OptionSpec(
        "stretch", "The factor of the impulse's length: a larger or a smaller room.",
        .number(.none, 0.1...10), default: .number(1)),
      OptionSpec(
        "normalize",
        "Whether the impulse is scaled so that white noise keeps its level at the outputs.",
        .flag, default: .flag(false)),
    ],
    presets: [
      heSuVi("hesuvi", "the front loudspeakers", "1 2 9 8"),
      heSuVi("hesuviSide", "the loudspeakers at the sides", "3 4 11 10"),
      heSuVi("hesuviBack", "the loudspeakers at the back", "5 6 13 12"),
      heSuVi("hesuviCentre", "the centre, which comes in both channels", "7 14"),
    ])

  /// The channels of a file with 14, in the order of HeSuVi.
  private static func heSuVi(_ name: String, _ place: String, _ channels: String) -> UnitPreset {
    UnitPreset(
      name, "A stereo signal to headphones, by a file with 14 channels: \(place).", [:],
      options: ["channels": .text(channels)])
  }

  /// The impulse with the chosen channels.
  private static func impulseSound(_ preparation: Preparation) -> SoundAsset? {
    guard let sound = preparation.sound("impulse") else { return nil }
    let channels = OptionValue.text(preparation.text("channels") ?? "").wholeNumbers
    return channels.isEmpty ? sound : sound.selecting(channels)
  }

  /// The same, but `normalize` makes an impulse with four channels 3 dB louder.
  static var first: UnitSpec {
    var first = spec
    first.revision = 1
    return first
  }

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Convolver.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Convolver.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Convolver.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(Convolver.self)?.pointee.rest(RenderBlock(at: $1)) })

  private var convolution: Convolution

  package init(_ preparation: Preparation) throws(Failure) {
    guard let sound = Self.impulseSound(preparation), !sound.samples.isEmpty else {
      throw Failure(.usage, "its impulse has not been read")
    }
    var impulse = ImpulseResponse(sound, Self.impulse(preparation))
    if let second = preparation.sound("then"), !second.samples.isEmpty {
      impulse = impulse.folded(
        with: ImpulseResponse(second), channelCount: preparation.channelCount)
    }
    convolution = Convolution(impulse, channelCount: preparation.channelCount)
  }

  private static func impulse(_ preparation: Preparation) -> ImpulseResponse.Preparation {
    var impulse = ImpulseResponse.Preparation()
    impulse.trims = preparation.flag("trim") ?? false
    impulse.reverses = preparation.flag("reverse") ?? false
    impulse.stretch = preparation.number("stretch") ?? 1
    impulse.normalizes = preparation.flag("normalize") ?? false
    let channelCount = preparation.channelCount
    let isMatrix = ConvolutionRoute.isMatrix(
      impulseCount: impulseSound(preparation)?.channelCount ?? 1, channelCount: channelCount)
    impulse.channelsPerOutput = isMatrix && preparation.revision > 1 ? channelCount : 1
    return impulse
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    guard let sound = impulseSound(preparation) else { return UnitTraits() }
    var frameCount = impulse(preparation).frameCount(of: sound.frameCount)
    var impulseCount = sound.channelCount
    if let second = preparation.sound("then") {
      frameCount = ImpulseResponse.foldedFrameCount(frameCount, second.frameCount)
      impulseCount = ImpulseResponse.foldedCount(
        impulseCount, second.channelCount, channelCount: preparation.channelCount)
    }
    return UnitTraits(
      tail: .frames(frameCount),
      memory: Convolution.byteCount(
        tapCount: frameCount, impulseCount: impulseCount,
        channelCount: preparation.channelCount))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let gain = block.parameterStorage.load(as: Parameters.self).gain
    convolution.process(block.inputs, to: block.outputs, frameCount: block.frameCount)
    for channel in 0..<block.outputCount {
      let output = block.outputs[channel]
      gain.scale(output, to: output, block.frameCount)
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
