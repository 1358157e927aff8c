import FxAudio

/// Moves a sound from side to side.
struct AutoPan: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "autoPan", name: "Auto-pan", summary: "Moves a sound from side to side.", category: "movement",
    parameters: Swing.rate(0.5) + [
      ParameterSpec(
        "depth", "How far it goes; at 1 all the way to either side.", .ratio, 0...1, default: 0.8)
    ],
    options: [
      Swing.option,
      OptionSpec(
        "law",
        "The levels on the way: balance leaves the centre alone, constantPower has -3 dB there, "
          + "linear -6 dB.",
        .choice(["balance", "constantPower", "linear"]), default: .text("constantPower")),
    ],
    inputs: [InputBusSpec("in", width: .upToOutput)],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)],
    presets: [
      UnitPreset("wander", "Slowly, and not to the ends.", ["rate": 0.12, "depth": 0.5]),
      UnitPreset("electric piano", "The vibrato of stage pianos.", ["rate": 4.5, "depth": 0.9]),
    ])

  package struct Parameters: BitwiseCopyable {
    let rate: ParameterSignal
    let period: ParameterSignal
    let depth: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(AutoPan.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(AutoPan.self)?.pointee.reset() })

  private let law: PanLaw
  private var swing: Swing

  package init(_ preparation: Preparation) {
    law = preparation.text("law").flatMap(PanLaw.init(rawValue:)) ?? .constantPower
    swing = Swing(preparation)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(memory: Swing.byteCount)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let (left, right) = (block.outputs[0], block.outputs[1])
    guard block.inputCount > 0 else {
      left.update(repeating: 0, count: block.frameCount)
      right.update(repeating: 0, count: block.frameCount)
      return
    }
    let (leftIn, rightIn) = (block.inputs[0], block.inputs[block.inputCount > 1 ? 1 : 0])
    swing.begin()
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Swing.chunk)
      swing.take(
        block, from: frame, count: count, rate: parameters.rate, period: parameters.period)
      swing.findValues(ahead: ParameterSignal(constant: 0), from: frame, count: count)
      let values = swing.values.numbers
      for index in 0..<count {
        let now = frame &+ index
        let gains = law.gains(Float(Double(parameters.depth[now]) * values[index]))
        // An output may share memory with an input.
        let (l, r) = (leftIn[now], rightIn[now])
        left[now] = l * gains.left
        right[now] = r * gains.right
      }
      frame &+= count
    }
  }

  @_noLocks
  package mutating func reset() { swing.reset() }
}
