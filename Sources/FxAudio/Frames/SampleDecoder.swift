import CKernels

/// How one sample of a file or a device is stored, little-endian.
package enum StoredSample: Sendable, Hashable, BitwiseCopyable {
  /// 128 is zero.
  case uint8
  case int16
  /// 24 bits in three bytes.
  case int24Packed
  /// 24 bits in the low end of four bytes, sign-extended.
  case int24Low
  /// 24 bits in the high end of four bytes are also stored like this.
  case int32
  case float32
  case float64

  package init(_ layout: SampleLayout) {
    switch layout {
    case .uint8: self = .uint8
    case .int16: self = .int16
    case .int24Packed: self = .int24Packed
    case .int24Low: self = .int24Low
    case .int8High, .int24High, .int32: self = .int32
    case .float32: self = .float32
    case .float64: self = .float64
    }
  }

  package var byteCount: Int {
    @_noLocks get {
      switch self {
      case .uint8: 1
      case .int16: 2
      case .int24Packed: 3
      case .int24Low, .int32, .float32: 4
      case .float64: 8
      }
    }
  }
}

/// Turns interleaved samples into buffers of floats, full scale at ±1.
package struct SampleDecoder: BitwiseCopyable {
  package let sample: StoredSample
  package let channelCount: Int
  /// Whether NaN and infinite samples become silence. Those of a file are kept for the guard of
  /// sources, which reports them.
  package let silencesNonFinite: Bool

  /// For the samples of a device.
  package init(layout: SampleLayout, channelCount: Int) {
    self.init(StoredSample(layout), channelCount: channelCount, silencesNonFinite: true)
  }

  package init(_ sample: StoredSample, channelCount: Int, silencesNonFinite: Bool) {
    self.sample = sample
    self.channelCount = channelCount
    self.silencesNonFinite = silencesNonFinite
  }

  // MARK: - Realtime

  /// Reads `frameCount` frames into each channel, starting at `offset`. If there are fewer channels
  /// than wanted, mono is copied to all of them; otherwise the rest are silent.
  @_noLocks
  package func decode(
    _ frames: UnsafeRawPointer, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, width: Int, offset: Int
  ) {
    let done = decodeVectors(frames, frameCount, into: channels, width, offset)
    let rest = frames + done &* channelCount &* sample.byteCount
    for channel in 0..<width {
      let target = channels[channel] + (offset &+ done)
      guard channel < channelCount || channelCount == 1 else {
        for frame in 0..<(frameCount &- done) { target[frame] = 0 }
        continue
      }
      let cell = rest + (channel < channelCount ? channel : 0) &* sample.byteCount
      decode(cell, frameCount: frameCount &- done, into: target)
    }
  }

  /// Reads the frames that fit the vector instructions, and returns how many were read.
  @_noLocks
  private func decodeVectors(
    _ frames: UnsafeRawPointer, _ frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ width: Int, _ offset: Int
  ) -> Int {
    guard width == channelCount else { return 0 }
    let bits: Int32
    switch sample {
    case .int16: bits = 16
    case .int24Packed: bits = 24
    default: return 0
    }
    return fx_unpack(
      fx_vector_level(), bits, frames, channelCount, frameCount, channels, offset)
  }

  /// Reads one channel, whose first sample is at `cell`.
  @_noLocks
  private func decode(
    _ cell: UnsafeRawPointer, frameCount: Int, into target: UnsafeMutablePointer<Float>
  ) {
    let stride = channelCount &* sample.byteCount
    switch sample {
    case .uint8:
      for frame in 0..<frameCount {
        let value = (cell + frame &* stride).loadUnaligned(as: UInt8.self)
        target[frame] = Float(Int32(value) &- 128) * (1 / 128)
      }
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
    case .int32:
      for frame in 0..<frameCount {
        let value = (cell + frame &* stride).loadUnaligned(as: Int32.self)
        target[frame] = Float(value) * (1 / 2_147_483_648)
      }
    case .float32:
      for frame in 0..<frameCount {
        target[frame] = finite((cell + frame &* stride).loadUnaligned(as: Float.self))
      }
    case .float64:
      for frame in 0..<frameCount {
        target[frame] = finite(Float((cell + frame &* stride).loadUnaligned(as: Double.self)))
      }
    }
  }

  @_noLocks
  private func finite(_ value: Float) -> Float {
    // Only for NaN and infinities is the difference from itself not zero.
    !silencesNonFinite || value - value == 0 ? value : 0
  }
}
