package import FxAudio

/// Narrows a stereo signal to mono or raises its side signal, and makes its bass mono.
package struct Width: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "width", name: "Stereo width",
    summary: "Narrows a stereo signal to mono or makes its sides louder.", category: "level",
    parameters: [
      ParameterSpec(
        "width", "The level of the difference of the sides: 0 is mono, 1 leaves it, 2 doubles it.",
        .ratio, 0...2, default: 1),
      .frequency(
        "monoBelow", "Below it both sides are the same; 10 Hz leaves them.", 10...500, default: 10),
    ],
    inputs: [InputBusSpec("in", width: .exactly(2))],
    outputs: [OutputBusSpec("out", width: .exactly(2))],
    presets: [
      UnitPreset(
        "mono bass", "One bass for both sides, as records and clubs want it.",
        ["monoBelow": 120])
    ])

  package struct Parameters: BitwiseCopyable {
    let width: ParameterSignal
    let monoBelow: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Width.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Width.self)?.pointee.reset() })

  private var bass: SideBass

  package init(_ preparation: Preparation) {
    bass = SideBass(sampleRate: preparation.sampleRate)
  }

  /// The filter for the bass of the side signal rings.
  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let values = preparation.parameters
    let below = values.count > 1 ? values[1] : SideBass.off
    return UnitTraits(
      tail: below > SideBass.off
        ? .frames(Int((2.4 / below * preparation.sampleRate).rounded(.up))) : .none)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let width = parameters.width
    if !parameters.monoBelow.isConstant || Double(parameters.monoBelow.value) > SideBass.off {
      renderWithBass(block, parameters)
      return
    }
    bass.clear()
    let (left, right) = (block.inputs[0], block.inputs[1])
    let (leftOut, rightOut) = (block.outputs[0], block.outputs[1])
    if let widths = width.samples {
      for frame in 0..<block.frameCount {
        let (l, r) = (left[frame], right[frame])
        let change = (0.5 * widths[frame] - 0.5) * (l - r)
        leftOut[frame] = l + change
        rightOut[frame] = r - change
      }
    } else {
      // Converts from mid and side again; exact at a width of 1.
      let factor = 0.5 * width.value - 0.5
      for frame in 0..<block.frameCount {
        let (l, r) = (left[frame], right[frame])
        let change = factor * (l - r)
        leftOut[frame] = l + change
        rightOut[frame] = r - change
      }
    }
  }

  @_noLocks
  private mutating func renderWithBass(_ block: RenderBlock, _ parameters: Parameters) {
    let (left, right) = (block.inputs[0], block.inputs[1])
    let (leftOut, rightOut) = (block.outputs[0], block.outputs[1])
    for frame in 0..<block.frameCount {
      let (l, r) = (left[frame], right[frame])
      let width = parameters.width[frame]
      let low = bass.next(l - r, below: parameters.monoBelow[frame])
      let change = (0.5 * width - 0.5) * (l - r) - 0.5 * width * low
      leftOut[frame] = l + change
      rightOut[frame] = r - change
    }
  }

  @_noLocks
  package mutating func reset() { bass.clear() }
}
