package import FxAudio

/// Narrows a stereo signal to mono or makes its sides louder.
package struct Width: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "width", name: "Stereo width",
    summary: "Narrows a stereo signal to mono or makes its sides louder.", category: "level",
    parameters: [
      ParameterSpec(
        "width", "The level of the difference of the sides: 0 is mono, 1 leaves it, 2 doubles it.",
        .ratio, 0...2, default: 1)
    ],
    inputs: [InputBusSpec("in", width: .exactly(2))],
    outputs: [OutputBusSpec("out", width: .exactly(2))])

  package struct Parameters: BitwiseCopyable {
    let width: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Width.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Width.self).pointee.reset() })

  package init(_ preparation: Preparation) {}

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let width = block.parameterStorage.load(as: Parameters.self).width
    for frame in 0..<block.frameCount {
      let (left, right) = (block.inputs[0][frame], block.inputs[1][frame])
      // Mid and side put back together; exact at a width of 1.
      let change = (0.5 * width[frame] - 0.5) * (left - right)
      block.outputs[0][frame] = left + change
      block.outputs[1][frame] = right - change
    }
  }

  @_noLocks
  package mutating func reset() {}
}
