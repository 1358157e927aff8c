import FxAudio

/// A CV input. While no signal feeds it, every frame holds the value of its parameter.
struct LV2ControlledPort {
  /// The channel of the block that feeds it; negative for none.
  let channel: Int
  /// The samples that the port reads while it is not fed: frames of the longest run.
  let samples: UnsafeMutablePointer<Float>
  /// The index of the block's parameter; negative for none.
  let slot: Int
  let parameter: LV2Kernel.Parameter
  /// The value of all `samples`; NaN while they differ.
  private var held: Float

  /// All `samples` are equal to `held`.
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
