public import FxKit

/// A click for each note, as loud as it was played.
public struct Click: UnitKernel, ~Copyable {
  public static let spec = UnitSpec(
    "click", summary: "Clicks at notes.", role: .instrument, inputs: [],
    outputs: [OutputBusSpec("out", width: .exactly(1))], takesMIDI: true)

  private var midi: MIDIInput

  public init(_ preparation: Preparation) { midi = MIDIInput(preparation) }

  @_noLocks
  public mutating func render(_ block: RenderBlock) {
    for frame in 0..<block.frameCount { block.outputs[0][frame] = 0 }
    midi.begin(block)
    while let event = midi.next() {
      if case .noteOn(_, let velocity) = event.meaning {
        block.outputs[0][event.frame] = Float(velocity) / 127
      }
    }
  }

  @_noLocks
  public mutating func reset() {}
}
