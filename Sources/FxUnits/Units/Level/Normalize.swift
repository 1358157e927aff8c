import FxAudio

/// Brings the highest peak of a whole sound to a level. The gain comes from a measurement in a pass
/// before the render.
struct Normalize: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "normalize", name: "Normalize",
    summary: "Brings the highest peak of the whole sound to a level, by one gain.",
    category: "level",
    measures: "peak",
    parameters: [.gain("level", "The level of the highest peak.", -60...24, default: -1)])

  package struct Parameters: BitwiseCopyable {
    let level: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Normalize.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Normalize.self)?.pointee.reset() })

  /// The factor that brings the highest peak to full scale.
  private let factor: Float

  package init(_ preparation: Preparation) {
    factor = Float(PeakAnalyzer.factor(for: preparation.measured ?? [], decibels: 0))
  }

  package static func analyzer(_ preparation: Preparation) -> (any Analyzer)? {
    PeakAnalyzer(channelCount: preparation.channelCount)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let level = block.parameterStorage.load(as: Parameters.self).level
    for channel in 0..<block.outputCount {
      let (input, output) = (block.inputs[channel], block.outputs[channel])
      level.scale(input, to: output, block.frameCount)
      for frame in 0..<block.frameCount { output[frame] *= factor }
    }
  }

  @_noLocks
  package mutating func reset() {}
}
