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

  /// Writes `input * value` for each channel of a block. False when a sample of an output is
  /// infinite or not a number.
  @_noLocks @inlinable
  package func scale(
    _ inputs: UnsafePointer<UnsafePointer<Float>>,
    to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) -> Bool {
    guard samples == nil else {
      for channel in 0..<channelCount { scale(inputs[channel], to: outputs[channel], frameCount) }
      return outputs.isFinite(channelCount: channelCount, frameCount: frameCount)
    }
    let level = fx_vector_level()
    return fx_scale_channels(level, inputs, value, outputs, channelCount, frameCount) != 0
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

extension UnsafePointer<UnsafeMutablePointer<Float>> {
  /// False when a sample of these channels is infinite or not a number.
  @_noLocks @inlinable
  package func isFinite(channelCount: Int, frameCount: Int) -> Bool {
    fx_is_finite(fx_vector_level(), self, channelCount, frameCount) != 0
  }
}
