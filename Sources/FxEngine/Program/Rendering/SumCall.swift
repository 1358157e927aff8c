import CKernels
import FxAudio

/// A sum of buffers with gains, in a fixed order. On the render thread.
struct SumCall: BitwiseCopyable {
  let inputs: UnsafePointer<BlockBuffer>
  let gains: UnsafePointer<Float>
  let count: Int
  let output: BlockBuffer

  // MARK: - Realtime

  @_noLocks
  func render(_ place: BlockPlace) {
    let frameCount = place.frameCount
    let output = output.at(place)
    let first = UnsafePointer(inputs[0].at(place))
    let firstGain = gains[0]
    if firstGain == 1 {
      if UnsafePointer(output) != first {
        for frame in 0..<frameCount { output[frame] = first[frame] }
      }
    } else {
      fx_scale(fx_vector_level(), first, firstGain, output, frameCount)
    }
    for term in 1..<max(count, 1) {
      let input = inputs[term].at(place)
      let gain = gains[term]
      if gain == 1 {
        fx_add(fx_vector_level(), input, output, frameCount)
      } else {
        fx_add_scaled(fx_vector_level(), input, gain, output, frameCount)
      }
    }
  }
}
