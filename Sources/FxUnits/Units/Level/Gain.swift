package import FxAudio

/// Changes the level of the signal.
package struct Gain: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "gain", name: "Gain", summary: "Makes the signal louder or quieter.", category: "level",
    parameters: [
      .gain("gain", "The level change.", -(.infinity)...48),
      .toggle("invert", "Inverts the polarity."),
    ])

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
    let invert: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Gain.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Gain.self)?.pointee.reset() },
    renderChecked: { $0.kernel(Gain.self)?.pointee.renderChecked(RenderBlock(at: $1)) ?? true })

  package init(_ preparation: Preparation) {}

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) { _ = renderChecked(block) }

  /// See `UnitEntry.renderChecked`.
  @_noLocks @inline(__always)
  private func renderChecked(_ block: RenderBlock) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let (gain, invert) = (parameters.gain, parameters.invert)
    // `scale` does not take the block, which would be copied.
    guard gain.isConstant, invert.isConstant else {
      return Self.scale(
        block.inputs, to: block.outputs, channelCount: block.outputCount,
        frameCount: block.frameCount, gain, invert)
    }
    let level = ParameterSignal(constant: gain.value * (1 - 2 * invert.value))
    return level.scale(
      block.inputs, to: block.outputs, channelCount: block.outputCount,
      frameCount: block.frameCount)
  }

  /// The same while a parameter changes.
  @_noLocks @inline(never)
  private static func scale(
    _ inputs: UnsafePointer<UnsafePointer<Float>>,
    to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int,
    _ gain: ParameterSignal, _ invert: ParameterSignal
  ) -> Bool {
    if invert.isConstant, invert.value == 0 {
      return gain.scale(inputs, to: outputs, channelCount: channelCount, frameCount: frameCount)
    }
    for channel in 0..<channelCount {
      let (input, output) = (inputs[channel], outputs[channel])
      for frame in 0..<frameCount {
        output[frame] = input[frame] * (gain[frame] * (1 - 2 * invert[frame]))
      }
    }
    return outputs.isFinite(channelCount: channelCount, frameCount: frameCount)
  }

  @_noLocks
  package mutating func reset() {}
}
