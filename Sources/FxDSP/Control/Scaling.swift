package import FxAudio

/// Loops over a block that a parameter takes part in, split by whether it moves so that both sides
/// run as vectors.
///
/// Render thread.
extension ParameterSignal {
  // MARK: - Realtime

  /// Writes `input * value` frame by frame; input and output may be the same memory.
  @_noLocks
  package func scale(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ frameCount: Int
  ) {
    if let samples {
      for frame in 0..<frameCount { output[frame] = input[frame] * samples[frame] }
    } else {
      let factor = value
      for frame in 0..<frameCount { output[frame] = input[frame] * factor }
    }
  }

  /// The value of every frame: the signal's own samples, or `memory` filled with the constant.
  @_noLocks
  package func expanded(into memory: UnsafeMutablePointer<Float>, _ frameCount: Int)
    -> UnsafePointer<Float>
  {
    if let samples { return samples }
    let constant = value
    for frame in 0..<frameCount { memory[frame] = constant }
    return UnsafePointer(memory)
  }
}
