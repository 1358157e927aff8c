package import FxAudio

/// A guitar amplifier: two overdriven tubes, a tone stack, and a power stage whose supply sags when
/// it is played hard. Put a `cabinet` after it.
///
/// Revision 1 is louder, aliases more (-41 dB with a tone of 5 kHz), has a DC offset, and a supply
/// that sags without limit.
package struct Amp: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "amp", name: "Amplifier",
    summary: "A guitar amplifier: drive, bass, middle and treble, and a power stage that sags.",
    category: "distortion", revision: 2,
    parameters: [
      .gain("drive", "How much louder the guitar enters the first tube.", 0...60, default: 20),
      knob("bass", "The bass control."),
      knob("middle", "The middle control."),
      knob("treble", "The treble control."),
      .gain("power", "How hard the power stage is driven.", -24...24),
      ParameterSpec(
        "sag", "How far the supply of the power stage sags at high levels.", .ratio, 0...1,
        default: 0.3),
      .gain("level", "The output level.", -48...24, default: -14.5),
    ],
    options: [
      OptionSpec(
        "voice",
        "The parts of the tone stack: an American amplifier of 1959 or a British one of the eighties.",
        .choice(["american", "british"]), default: .text("american")),
      .oversampling,
    ],
    presets: [
      UnitPreset("clean", "Clear, with a little warmth.", ["drive": 6, "power": -6, "level": -10]),
      UnitPreset(
        "crunch", "Clean when played softly, rough when played hard.",
        ["drive": 24, "middle": 6, "power": 3, "level": -15.5], options: ["voice": .text("british")]
      ),
      UnitPreset(
        "lead", "Long notes that sing.",
        ["drive": 42, "bass": 4, "middle": 7, "treble": 6, "sag": 0.5, "level": -14.5],
        options: ["voice": .text("british")]),
    ])

  static var first: UnitSpec {
    var first = spec
    first.revision = 1
    first.parameters = first.parameters.map { parameter in
      parameter.id == "level"
        ? .gain("level", "The output level.", -48...24, default: -6) : parameter
    }
    let levels: [String: Double] = ["clean": 2, "lead": -9]
    first.presets = first.presets.map { $0.setting("level", to: levels[$0.name]) }
    return first
  }

  private static func knob(_ id: String, _ summary: String) -> ParameterSpec {
    ParameterSpec(id, summary, .none, 0...10, default: 5)
  }

  package struct Parameters: BitwiseCopyable {
    let drive: ParameterSignal
    let bass: ParameterSignal
    let middle: ParameterSignal
    let treble: ParameterSignal
    let power: ParameterSignal
    let sag: ParameterSignal
    let level: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Amp.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Amp.self)?.pointee.reset() })

  private let channelCount: Int
  private var circuit: AmplifierCircuit
  /// The last positions of the tone controls.
  private var bass = ControlValue()
  private var middle = ControlValue()
  private var treble = ControlValue()
  private let input: Coupling
  /// The output transformer: it removes the offset that the power stage gives an asymmetric wave,
  /// and what is above the range of a loudspeaker, where the oversampling leaves aliases.
  private var transformer: FilterCascade
  private let scratch: SampleBuffer

  /// Below this frequency a guitar signal has only thumps.
  private static var lowest: Double { 60 }

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    circuit = AmplifierCircuit(
      preparation.text("voice") == "british" ? .british : .american, preparation.oversampling,
      channelCount: channelCount, sampleRate: preparation.sampleRate,
      isFirst: preparation.revision == 1)
    input = Coupling(
      channelCount: channelCount, frequency: Self.lowest, sampleRate: preparation.sampleRate)
    let sectionCount = Self.sectionCount(preparation)
    transformer = FilterCascade(
      sectionCount: sectionCount, channelCount: channelCount, sampleRate: preparation.sampleRate)
    for section in 0..<sectionCount {
      transformer.set(section, Self.transformer(section, preparation.sampleRate))
    }
    scratch = SampleBuffer(count: AmplifierCircuit.chunk)
  }

  private static func sectionCount(_ preparation: Preparation) -> Int {
    preparation.revision > 1 ? 1 + Butterworth.sectionCount(order: order) : 0
  }

  /// The order of the low-pass.
  private static var order: Int { 6 }

  /// A section of the transformer: a high-pass at 5 Hz, then a low-pass at 16 kHz or 0.34 × the
  /// sample rate, which has -69 dB where the aliases of the oversampling begin.
  private static func transformer(_ section: Int, _ sampleRate: Double) -> FilterSection {
    section == 0
      ? FilterSection(.gentleHighPass, frequency: 5, sampleRate: sampleRate)
      : FilterSection(
        .lowPass, frequency: min(16000, 0.34 * sampleRate),
        quality: Butterworth.q(section: section - 1, order: order), sampleRate: sampleRate)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let latency = WaveShaper.latency(preparation.oversampling)
    return UnitTraits(
      latency: latency,
      tail: .frames(latency + Coupling.ringing(frequency: 2, preparation.sampleRate)),
      memory: AmplifierCircuit.byteCount(
        preparation.oversampling, channelCount: preparation.channelCount)
        + Coupling.byteCount(channelCount: preparation.channelCount)
        + FilterCascade.byteCount(
          sectionCount: sectionCount(preparation), channelCount: preparation.channelCount,
          sampleRate: preparation.sampleRate)
        + SampleBuffer.byteCount(count: AmplifierCircuit.chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let samples = scratch.samples
    var start = 0
    while start < block.frameCount {
      let count = min(AmplifierCircuit.chunk, block.frameCount &- start)
      for channel in 0..<channelCount {
        let source = block.inputs[channel] + start
        let output = block.outputs[channel] + start
        for frame in 0..<count { samples[frame] = source[frame].finiteSample }
        input.render(samples, channel: channel, frameCount: count)
        for frame in 0..<count { samples[frame] *= parameters.drive[start &+ frame] }
        circuit.take(samples, channel: channel, frameCount: count)
        run(parameters, channel: channel, from: start, frameCount: count)
        circuit.give(samples, channel: channel, frameCount: count)
        for frame in 0..<count {
          output[frame] = samples[frame] * parameters.level[start &+ frame]
        }
      }
      start &+= count
    }
    if transformer.sectionCount > 0 {
      transformer.render(block.again, from: 0, to: block.frameCount)
    }
  }

  /// Processes a chunk with the circuit, in one call if all controls are constant.
  @_noLocks
  private mutating func run(
    _ parameters: Parameters, channel: Int, from start: Int, frameCount: Int
  ) {
    let isStill =
      parameters.bass.isConstant && parameters.middle.isConstant && parameters.treble.isConstant
      && parameters.power.isConstant && parameters.sag.isConstant
    let step = isStill ? frameCount : 1
    var frame = 0
    while frame < frameCount {
      circuit.run(
        controls(parameters, start &+ frame), channel: channel, from: frame, frameCount: step)
      frame &+= step
    }
  }

  /// The controls at a frame; updates the tone stack if its controls have changed.
  @_noLocks
  private mutating func controls(
    _ parameters: Parameters, _ frame: Int
  ) -> AmplifierCircuit.Controls {
    let hasBass = bass.take(parameters.bass, frame)
    let hasMiddle = middle.take(parameters.middle, frame)
    let hasTreble = treble.take(parameters.treble, frame)
    let controls = AmplifierCircuit.Controls(
      bass: 0.1 * Double(bass.value), middle: 0.1 * Double(middle.value),
      treble: 0.1 * Double(treble.value), power: Self.makeup * Double(parameters.power[frame]),
      sag: Double(parameters.sag[frame]))
    if hasBass || hasMiddle || hasTreble { circuit.turn(controls) }
    return controls
  }

  /// Makeup for the loss in the tone stack with its controls in the middle.
  private static var makeup: Double { @_noLocks get { 4 } }

  @_noLocks
  package mutating func reset() {
    circuit.reset()
    input.reset()
    transformer.reset()
  }
}
