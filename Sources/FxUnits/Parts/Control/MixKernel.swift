private import CKernels

/// Weighted sums of channels in one pass over memory, with the best vector instructions available.
struct MixKernel: BitwiseCopyable {
  private let vectorLevel: Int32

  /// - Parameter vectorLevel: The instruction set to use: 0 is the one that every processor has,
  ///   nil the best available one. The output bits are the same.
  package init(vectorLevel: Int? = nil) {
    let best = fx_vector_level()
    self.vectorLevel = vectorLevel.map { min(Int32(clamping: $0), best) } ?? best
  }

  // MARK: - Realtime

  /// Writes `(0 + gains[0] * inputs[0] + …) * gain` to a channel. The output must not be an input.
  @_noLocks
  package func render(
    _ inputs: UnsafePointer<UnsafePointer<Float>>, _ gains: UnsafePointer<Float>,
    _ inputCount: Int, gain: Float, to output: UnsafeMutablePointer<Float>, _ frameCount: Int
  ) {
    inputs.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: inputCount) {
      fx_mix(vectorLevel, $0, gains, inputCount, gain, output, frameCount)
    }
  }
}
