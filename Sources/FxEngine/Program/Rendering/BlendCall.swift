import CKernels
import FxAudio

/// The mix of a node's dry and wet signals. On the render thread.
struct BlendCall: BitwiseCopyable {
  /// The node's memory.
  let memory: UnsafeMutablePointer<NodeMemory.State>
  let dry: UnsafePointer<BlockBuffer>
  let wet: UnsafePointer<BlockBuffer>
  let outputs: UnsafePointer<BlockBuffer>
  let channelCount: Int
  /// Equal power: the cosine of the share's angle for the dry signal, the sine for the wet one.
  let mixesByPower: Bool

  // MARK: - Realtime

  /// `dry · (1 − share) + wet · share`, or with equal power; the share is `wet · (1 − bypass)`. At
  /// a share of 0 or 1 the output is one signal, bit for bit.
  @_noLocks
  func render(_ place: BlockPlace) {
    let frameCount = place.frameCount
    let share = memory.pointee.signals[memory.pointee.wetSlot]
    let bypass = memory.pointee.signals[memory.pointee.wetSlot + 1]
    for channel in 0..<channelCount {
      let dry = UnsafePointer(dry[channel].at(place))
      let wet = UnsafePointer(wet[channel].at(place))
      let output = outputs[channel].at(place)
      if share.isConstant, bypass.isConstant {
        blend(dry, wet, output, frameCount, share: share.value * (1 - bypass.value))
      } else {
        for frame in 0..<frameCount {
          blend(
            dry + frame, wet + frame, output + frame, 1,
            share: share[frame] * (1 - bypass[frame]))
        }
      }
    }
  }

  /// Equal-power gains for a share.
  @_noLocks
  private func powers(_ share: Float) -> (dry: Float, wet: Float) {
    let (sine, cosine) = Math.sinCos(0.5 * Double.pi * Double(share))
    return (Float(cosine), Float(sine))
  }

  @_noLocks @inline(__always)
  private func blend(
    _ dry: UnsafePointer<Float>, _ wet: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ frameCount: Int, share: Float
  ) {
    if share == 1 {
      guard UnsafePointer(output) != wet else { return }
      for frame in 0..<frameCount { output[frame] = wet[frame] }
    } else if share == 0 {
      for frame in 0..<frameCount { output[frame] = dry[frame] }
    } else {
      let (rest, share) = mixesByPower ? powers(share) : (1 - share, share)
      fx_blend(fx_vector_level(), dry, rest, wet, share, output, frameCount)
    }
  }
}
