import FxAudio

/// A sum of buffers, each times its gain, in a fixed order. On the render thread.
struct SumCall: BitwiseCopyable {
  let inputs: UnsafePointer<UnsafePointer<Float>>
  let gains: UnsafePointer<Float>
  let count: Int
  let output: UnsafeMutablePointer<Float>

  // MARK: - Realtime

  @_noLocks
  func render(offset: Int, frameCount: Int) {
    let output = output + offset
    let first = inputs[0] + offset
    let firstGain = gains[0]
    if firstGain == 1 {
      if UnsafePointer(output) != first {
        for frame in 0..<frameCount { output[frame] = first[frame] }
      }
    } else {
      for frame in 0..<frameCount { output[frame] = first[frame] * firstGain }
    }
    for term in 1..<max(count, 1) {
      let input = inputs[term] + offset
      let gain = gains[term]
      if gain == 1 {
        for frame in 0..<frameCount { output[frame] += input[frame] }
      } else {
        for frame in 0..<frameCount { output[frame] += input[frame] * gain }
      }
    }
  }
}
