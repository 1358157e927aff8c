import FxAudio

/// Pans a mono signal between left and right, or shifts the balance or the sides of a stereo
/// signal.
struct Pan: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "pan", name: "Pan",
    summary: "Places a mono signal between left and right, or shifts a stereo signal's balance.",
    category: "level",
    parameters: [
      ParameterSpec("pan", "From -1, left, to 1, right.", .none, -1...1, default: 0)
    ],
    options: [
      OptionSpec(
        "law",
        "The levels on the way: balance leaves the centre alone, constantPower has -3 dB there, "
          + "linear -6 dB.",
        .choice(["balance", "constantPower", "linear"]), default: .text("balance")),
      OptionSpec(
        "stereo",
        "How the far side of a stereo signal is treated: balance turns it down, pan moves it over to "
          + "the near side, and leaves the centre alone.",
        .choice(["balance", "pan"]), default: .text("balance")),
    ],
    inputs: [InputBusSpec("in", width: .upToOutput)],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)])

  package struct Parameters: BitwiseCopyable {
    let pan: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Pan.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Pan.self)?.pointee.reset() })

  private let law: PanLaw
  private let movesSides: Bool

  package init(_ preparation: Preparation) {
    law = preparation.text("law").flatMap(PanLaw.init(rawValue:)) ?? .balance
    movesSides = preparation.text("stereo") == "pan" && preparation.channelCount == 2
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let pan = block.parameterStorage.load(as: Parameters.self).pan
    let leftOut = block.outputs[0]
    let rightOut = block.outputs[1]
    guard block.inputCount > 0 else {
      for frame in 0..<block.frameCount {
        leftOut[frame] = 0
        rightOut[frame] = 0
      }
      return
    }
    let left = block.inputs[0]
    let right = block.inputs[block.inputCount > 1 ? 1 : 0]
    if movesSides {
      moveSides(block, pan)
      return
    }
    guard let positions = pan.samples else {
      // Right first: the left output may share memory with a mono input.
      let gains = law.gains(pan.value)
      ParameterSignal(constant: gains.right).scale(right, to: rightOut, block.frameCount)
      ParameterSignal(constant: gains.left).scale(left, to: leftOut, block.frameCount)
      return
    }
    for frame in 0..<block.frameCount {
      let gains = law.gains(positions[frame])
      let (l, r) = (left[frame], right[frame])
      leftOut[frame] = l * gains.left
      rightOut[frame] = r * gains.right
    }
  }

  /// Mixes the opposite side into the near one.
  @_noLocks
  private func moveSides(_ block: RenderBlock, _ pan: ParameterSignal) {
    let (left, right) = (block.inputs[0], block.inputs[1])
    let (leftOut, rightOut) = (block.outputs[0], block.outputs[1])
    var position = pan.value
    var gains = law.sideGains(position.magnitude)
    for frame in 0..<block.frameCount {
      if pan[frame] != position {
        position = pan[frame]
        gains = law.sideGains(position.magnitude)
      }
      let (l, r) = (left[frame], right[frame])
      leftOut[frame] = position > 0 ? gains.stays * l : l + gains.moves * r
      rightOut[frame] = position > 0 ? r + gains.moves * l : gains.stays * r
    }
  }

  @_noLocks
  package mutating func reset() {}
}
