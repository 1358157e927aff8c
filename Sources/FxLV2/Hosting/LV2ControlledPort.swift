import FxAudio

/// A CV input: while no signal feeds it, it holds the value of the parameter of its name, frame by
/// frame.
struct LV2ControlledPort {
  /// Which of the block's channels feeds it; below zero for none.
  let channel: Int
  /// What the port is connected to while it is not fed: frames of the longest run.
  let samples: UnsafeMutablePointer<Float>
  /// Which of the block's parameters; below zero for none.
  let slot: Int
  let parameter: LV2Kernel.Parameter
  /// What all of `samples` hold; not a number while they differ.
  private var held: Float

  /// `samples` all hold `held`.
  init(
    channel: Int, samples: UnsafeMutablePointer<Float>, slot: Int,
    parameter: LV2Kernel.Parameter, held: Float
  ) {
    self.channel = channel
    self.samples = samples
    self.slot = slot
    self.parameter = parameter
    self.held = held
  }

  // MARK: - Realtime

  @_noLocks
  mutating func fill(_ block: RenderBlock, offset: Int, frameCount: Int) {
    guard slot >= 0, channel < 0 || channel >= block.inputCount else { return }
    let signal = block.parameters[slot]
    guard signal.isConstant else {
      for frame in 0..<frameCount {
        samples[frame] = parameter.portValue(signal[offset + frame])
      }
      held = .nan
      return
    }
    let value = parameter.portValue(signal.value)
    guard held != value else { return }
    for frame in 0..<LV2Kernel.maximumFrameCount { samples[frame] = value }
    held = value
  }
}
