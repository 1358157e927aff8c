extension RenderBlock {
  /// The frames of an input channel, full scale at ±1.
  @_noLocks @inlinable
  public func input(_ channel: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: inputs[channel], count: frameCount)
  }

  /// The frames of an output channel, full scale at ±1.
  @_noLocks @inlinable
  public func output(_ channel: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(start: outputs[channel], count: frameCount)
  }

  /// Makes every output channel silent.
  @_noLocks
  public func silence() {
    for channel in 0..<outputCount {
      for frame in 0..<frameCount { outputs[channel][frame] = 0 }
    }
  }

  /// Copies each input channel to the output channel of the same number.
  @_noLocks
  public func pass() {
    for channel in 0..<min(inputCount, outputCount) where inputs[channel] != outputs[channel] {
      for frame in 0..<frameCount { outputs[channel][frame] = inputs[channel][frame] }
    }
  }
}
