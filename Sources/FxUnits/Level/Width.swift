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
    render: { $0.kernel(Width.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Width.self)?.pointee.reset() })

  package init(_ preparation: Preparation) {}

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let width = block.parameterStorage.load(as: Parameters.self).width
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
      // Mid and side put back together; exact at a width of 1.
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
  package mutating func reset() {}
}
