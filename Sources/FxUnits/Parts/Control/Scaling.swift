public import CKernels
public import FxAudio

/// Loops over a block with a parameter. Constant and moving parameters have separate loops, so that
/// both run as vectors.
///
/// Render thread.
extension ParameterSignal {
  // MARK: - Realtime

  /// Writes `input * value` frame by frame; input and output may be the same memory.
  @_noLocks @inlinable
  package func scale(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ frameCount: Int
  ) {
    if let samples {
      fx_multiply(fx_vector_level(), input, samples, output, frameCount)
    } else {
      fx_scale(fx_vector_level(), input, value, output, frameCount)
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
