import CKernels
import FxAudio

/// The mix of a node's dry and wet signals. On the render thread.
struct BlendCall: BitwiseCopyable {
  /// That of the node.
  let memory: UnsafeMutablePointer<NodeMemory.State>
  let dry: UnsafePointer<BlockBuffer>
  let wet: UnsafePointer<BlockBuffer>
  let outputs: UnsafePointer<BlockBuffer>
  let channelCount: Int
  /// Of the angle of the share, the cosine is for the dry signal and the sine for the wet one.
  let mixesByPower: Bool

  // MARK: - Realtime

  /// `dry · (1 − share) + wet · share`, the share being `wet · (1 − bypass)`, or with equal power; each
  /// end to the bit.
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

  /// Levels of equal power for a share.
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
