public import FxKit

/// Turns one side of a stereo sound down, and shows both levels.
public struct Balance: UnitKernel, ~Copyable {
  public static let spec = UnitSpec(
    "balance", name: "Balance", summary: "Turns the left or the right side down.",
    category: "level",
    parameters: [
      ParameterSpec(
        "position", "From -1, left alone, to 1, right alone.", .none, -1...1, default: 0)
    ],
    inputs: [InputBusSpec("in", width: .exactly(2))],
    outputs: [OutputBusSpec("out", width: .exactly(2))],
    readings: [
      ReadingSpec("level", "The highest sample of the last block.", .gain, isPerChannel: true)
    ])

  public struct Parameters: BitwiseCopyable {
    let position: ParameterSignal
  }

  private let readings: ReadingBoard

  public init(_ preparation: Preparation) {
    readings = preparation.readings
  }

  @_noLocks
  public mutating func render(_ block: RenderBlock) {
    let position = block.parameterStorage.load(as: Parameters.self).position
    for channel in 0..<2 {
      let (input, output) = (block.inputs[channel], block.outputs[channel])
      var highest: Float = 0
      for frame in 0..<block.frameCount {
        let side = channel == 0 ? position[frame] : -position[frame]
        output[frame] = input[frame] * min(1 - side, 1)
        highest = max(highest, abs(output[frame]))
      }
      readings[channel] = highest
    }
  }

  @_noLocks
  public mutating func reset() {
    readings[0] = 0
    readings[1] = 0
  }
}
