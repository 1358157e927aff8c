import FxAudio

/// A parameter at the time of the sound that leaves a unit with latency.
///
/// A factor before the latency and its inverse after it cancel only if both have the value of the
/// same frame of the input. Allocated on the control thread, used on the render thread. The output
/// does not depend on the block sizes.
struct DelayedControl: ~Copyable {
  private let latency: Int
  private let maximumFrameCount: Int
  /// The values of the last `latency` frames, then those of this chunk.
  private let values: SampleBuffer
  private let delayed: SampleBuffer
  /// The last value, and for how many frames it has been the same.
  private var last: Float = 0
  private var stillCount = 0
  private var hasStarted = false

  /// - Parameter latency: In frames; with 0 the parameter stays as it is.
  init(latency: Int, maximumFrameCount: Int) {
    self.latency = latency
    self.maximumFrameCount = maximumFrameCount
    values = SampleBuffer(count: latency > 0 ? latency + maximumFrameCount : 0)
    delayed = SampleBuffer(count: latency > 0 ? maximumFrameCount : 0)
  }

  static func byteCount(latency: Int, maximumFrameCount: Int) -> Int {
    guard latency > 0 else { return 2 * SampleBuffer.byteCount(count: 0) }
    return SampleBuffer.byteCount(count: latency + maximumFrameCount)
      + SampleBuffer.byteCount(count: maximumFrameCount)
  }

  // MARK: - Realtime

  /// Takes a parameter's values for the next frames of a block, and returns those of `latency`
  /// frames before. They are valid until the next call.
  @_noLocks
  mutating func take(
    _ signal: ParameterSignal, from start: Int, frameCount: Int
  ) -> ParameterSignal {
    guard latency > 0 else { return signal.from(start) }
    let samples = values.samples
    if !hasStarted {
      hasStarted = true
      last = signal[start]
      stillCount = latency
      for frame in 0..<latency { samples[frame] = last }
    }
    if signal.isConstant && signal.value == last {
      if stillCount >= latency { return signal }
      stillCount &+= frameCount
    } else {
      stillCount = signal.isConstant ? frameCount : 0
    }
    for frame in 0..<frameCount { samples[latency &+ frame] = signal[start &+ frame] }
    last = samples[latency &+ frameCount &- 1]
    delayed.samples.update(copying: UnsafePointer(samples), count: frameCount)
    for frame in 0..<latency { samples[frame] = samples[frame &+ frameCount] }
    return ParameterSignal(samples: UnsafePointer(delayed.samples))
  }

  /// Takes the values of a block that is not rendered.
  @_noLocks
  mutating func rest(_ signal: ParameterSignal, frameCount: Int) {
    var start = 0
    while start < frameCount {
      let count = min(maximumFrameCount, frameCount &- start)
      _ = take(signal, from: start, frameCount: count)
      start &+= count
    }
  }

  @_noLocks
  mutating func reset() { hasStarted = false }
}
