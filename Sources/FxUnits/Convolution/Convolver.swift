package import FxAudio
import FxDSP

/// Gives the signal the sound of a room, a cabinet or a filter that was recorded as an impulse.
///
/// An impulse of one channel serves every channel; one that is as wide as the signal gives each
/// channel its own. The first frame of the impulse is heard at once: there is no latency.
package struct Convolver: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "convolver", name: "Convolver",
    summary: "Gives the signal the sound of a recorded impulse: a room, a cabinet, a filter.",
    category: "space",
    parameters: [.gain("gain", "Level of what comes out.", -60...24)],
    options: [
      OptionSpec(
        "impulse", "The impulse: mono, or as many channels as the signal.", .sound(.oneOrInput),
        default: nil)
    ])

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Convolver.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Convolver.self)?.pointee.reset() })

  private var convolution: Convolution

  package init(_ preparation: Preparation) throws(UnitError) {
    guard let sound = preparation.sound("impulse"), !sound.samples.isEmpty else {
      throw UnitError(.badOption, "its impulse has not been read")
    }
    convolution = Convolution(ImpulseResponse(sound), channelCount: preparation.channelCount)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    guard let sound = preparation.sound("impulse") else { return UnitTraits() }
    return UnitTraits(
      tail: .frames(sound.frameCount),
      memory: Convolution.byteCount(
        tapCount: sound.frameCount, impulseCount: sound.channelCount,
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
  package mutating func reset() { convolution.clear() }
}
