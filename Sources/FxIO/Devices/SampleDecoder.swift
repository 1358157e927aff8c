/// Turns a device's interleaved samples into buffers of floats, full scale at ±1.
///
/// Samples that are no number become silence. On the render thread.
struct SampleDecoder: BitwiseCopyable {
  let layout: SampleLayout
  let channelCount: Int

  // MARK: - Realtime

  /// Reads `frameCount` frames into each channel from `offset` on. With fewer channels in the frames
  /// than wanted a mono one goes to all, and the rest are silent.
  @_noLocks
  func decode(
    _ frames: UnsafeRawPointer, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, width: Int, offset: Int
  ) {
    let stride = channelCount &* layout.byteCount
    for channel in 0..<width {
      let target = channels[channel] + offset
      guard channel < channelCount || channelCount == 1 else {
        for frame in 0..<frameCount { target[frame] = 0 }
        continue
      }
      let cell = frames + (channel < channelCount ? channel : 0) &* layout.byteCount
      switch layout {
      case .int16:
        for frame in 0..<frameCount {
          target[frame] =
            Float((cell + frame &* stride).loadUnaligned(as: Int16.self)) * (1 / 32768)
        }
      case .int24Packed:
        for frame in 0..<frameCount {
          let place = cell + frame &* stride
          let low = UInt32(place.loadUnaligned(as: UInt16.self))
          let high = UInt32((place + 2).loadUnaligned(as: UInt8.self))
          target[frame] =
            Float(Int32(bitPattern: (low &<< 8) | (high &<< 24)) &>> 8) * (1 / 8_388_608)
        }
      case .int24Low:
        for frame in 0..<frameCount {
          let value = (cell + frame &* stride).loadUnaligned(as: Int32.self)
          target[frame] = Float((value &<< 8) &>> 8) * (1 / 8_388_608)
        }
      case .int24High, .int32:
        for frame in 0..<frameCount {
          let value = (cell + frame &* stride).loadUnaligned(as: Int32.self)
          target[frame] = Float(value) * (1 / 2_147_483_648)
        }
      case .float32:
        for frame in 0..<frameCount {
          let value = (cell + frame &* stride).loadUnaligned(as: Float.self)
          // Neither infinities nor what is not a number equal themselves less themselves.
          target[frame] = value - value == 0 ? value : 0
        }
      }
    }
  }
}
