import FxAudio

/// Converts stereo to mid and side, and back.
struct MidSide: ~Copyable, UnitKernel {
  package static let encode = UnitSpec(
    "midSideEncode", name: "Mid-side encoder",
    summary: "Makes the middle and the sides of left and right.", category: "channels",
    inputs: [InputBusSpec("in", width: .exactly(2))],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .exactly(.discrete(2)))])

  package static let decode = UnitSpec(
    "midSideDecode", name: "Mid-side decoder",
    summary: "Makes left and right of the middle and the sides.", category: "channels",
    inputs: [InputBusSpec("in", width: .exactly(2))],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)])

  package static let spec = encode
  package static let specs = [encode, decode]

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(MidSide.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(MidSide.self)?.pointee.reset() })

  /// The encoder halves both signals and the decoder does not, so that together they restore the
  /// input.
  private let scale: Float

  package init(_ preparation: Preparation) {
    scale = preparation.unit == Self.decode.id ? 1 : 0.5
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let (first, second) = (block.inputs[0], block.inputs[1])
    let (sum, difference) = (block.outputs[0], block.outputs[1])
    for frame in 0..<block.frameCount {
      let (one, other) = (first[frame], second[frame])
      sum[frame] = scale * (one + other)
      difference[frame] = scale * (one - other)
    }
  }

  @_noLocks
  package mutating func reset() {}
}
