import FxAudio

/// One unit within a program: its entry points, its channels and its parameters.
struct NodeCall: BitwiseCopyable {
  let state: UnsafeMutableRawPointer
  let entry: UnitEntry
  /// Buffers at frame 0 of the block, and the same moved to the slice at hand.
  let inputBases: UnsafeMutablePointer<UnsafePointer<Float>>
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  let inputCount: Int
  let outputBases: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let outputCount: Int
  /// Frames by which the node's input is late.
  let arrival: Int
  /// True when a node that is fully bypassed may stand still.
  let restsWhenBypassed: Bool
  /// The block that the entry point receives, kept here so that it has an address.
  let block: UnsafeMutablePointer<RenderBlock>
  var bank: ParameterBank

  // MARK: - Realtime

  /// Renders the frames from `offset` on, `frame` being the program's absolute frame there.
  @_noLocks
  mutating func render(frame: Int, offset: Int, frameCount: Int) {
    bank.prepare(from: frame - arrival, frameCount: frameCount)
    if restsWhenBypassed {
      let bypass = bank.signals[bank.count - 1]
      if bypass.isConstant, bypass.value == 1 { return }
    }
    for channel in 0..<inputCount { inputs[channel] = inputBases[channel] + offset }
    for channel in 0..<outputCount { outputs[channel] = outputBases[channel] + offset }
    block.pointee = RenderBlock(
      inputs: UnsafePointer(inputs), inputCount: inputCount,
      outputs: UnsafePointer(outputs), outputCount: outputCount, frameCount: frameCount,
      frame: frame - arrival, parameters: UnsafePointer(bank.signals))
    let (state, block, entry) = (state, UnsafeRawPointer(block), entry)
    // The one dispatch that the checker cannot see through: a concrete entry point of a unit whose
    // `render` is checked where it is written.
    _unsafePerformance { entry.render(state, block) }
  }
}
