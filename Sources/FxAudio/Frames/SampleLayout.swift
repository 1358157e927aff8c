import CKernels

/// How one sample is stored in a buffer of interleaved frames, little-endian.
package enum SampleLayout: Sendable, Hashable, BitwiseCopyable {
  /// 128 is zero.
  case uint8
  /// 8 bits in the high end of four bytes.
  case int8High
  case int16
  /// 24 bits in three bytes.
  case int24Packed
  /// 24 bits in the low end of four bytes, sign-extended.
  case int24Low
  /// 24 bits in the high end of four bytes.
  case int24High
  case int32
  case float32
  case float64

  package var byteCount: Int {
    @_noLocks get {
      switch self {
      case .uint8: 1
      case .int16: 2
      case .int24Packed: 3
      case .int8High, .int24Low, .int24High, .int32, .float32: 4
      case .float64: 8
      }
    }
  }
}

/// Converts buffers of floats into interleaved samples: rounds to the nearest step, clips to full
/// scale, replaces NaN with silence.
///
/// The dither depends only on the sample's index in the sound, so it is the same in every render.
package struct SampleConverter: BitwiseCopyable {
  package let layout: SampleLayout
  package let channelCount: Int
  /// Triangular dither of one step either way, for 8 and 16 bits only.
  package let isDithered: Bool
  private var sampleIndex: UInt64
  /// Channels of the sound. A device may have more; these do not advance the index of the dither.
  private let soundChannelCount: Int
  private let ditheredChannelCount: Int
  private let vectorLevel: Int32

  /// - Parameters:
  ///   - soundChannelCount: channels of the sound; nil for `channelCount`.
  ///   - usedChannelCount: channels that carry sound; nil for all.
  package init(
    layout: SampleLayout, channelCount: Int, isDithered: Bool, seed: UInt64 = 0,
    soundChannelCount: Int? = nil, usedChannelCount: Int? = nil
  ) {
    self.layout = layout
    self.channelCount = channelCount
    self.soundChannelCount = max(soundChannelCount ?? channelCount, 1)
    ditheredChannelCount = usedChannelCount ?? channelCount
    self.isDithered = isDithered && layout.isCoarse
    sampleIndex = seed
    vectorLevel = fx_vector_level()
  }

  // MARK: - Realtime

  /// Continues at this frame of the sound; negative before the sound begins.
  @_noLocks
  package mutating func seek(to frame: Int) {
    sampleIndex = UInt64(bitPattern: Int64(frame &* soundChannelCount))
  }

  /// Writes `frameCount` frames of `layout` to `target`.
  @_noLocks
  package mutating func convert(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int,
    to target: UnsafeMutableRawPointer
  ) {
    guard !ditherQuickly(channels, frameCount, target) else { return }
    let stride = channelCount * layout.byteCount
    let packed =
      layout == .int24Packed
      ? fx_pack_24(vectorLevel, channels, channelCount, frameCount, target) : 0
    for channel in 0..<channelCount {
      let source = channels[channel]
      let cell = target + channel * layout.byteCount
      switch layout {
      case .uint8 where isDithered && channel < ditheredChannelCount,
        .int8High where isDithered && channel < ditheredChannelCount,
        .int16 where isDithered && channel < ditheredChannelCount:
        dither(source, frameCount, cell, stride, channel)
      case .uint8, .int8High:
        for frame in 0..<frameCount {
          store(round(Double(source[frame]) * 128, -128, 127), cell + frame &* stride)
        }
      case .int16:
        for frame in 0..<frameCount {
          let value = round(Double(source[frame]) * 32768, -32768, 32767)
          (cell + frame &* stride).storeBytes(
            of: Int16(truncatingIfNeeded: value), as: Int16.self)
        }
      case .int24Packed:
        for frame in packed..<frameCount {
          let value = round(Double(source[frame]) * 8_388_608, -8_388_608, 8_388_607)
          let place = cell + frame &* stride
          place.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
          (place + 1).storeBytes(of: UInt8(truncatingIfNeeded: value >> 8), as: UInt8.self)
          (place + 2).storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), as: UInt8.self)
        }
      case .int24Low, .int24High:
        let shift: Int32 = layout == .int24High ? 8 : 0
        for frame in 0..<frameCount {
          let value = round(Double(source[frame]) * 8_388_608, -8_388_608, 8_388_607)
          (cell + frame &* stride).storeBytes(of: value &<< shift, as: Int32.self)
        }
      case .int32:
        for frame in 0..<frameCount {
          let value = round(
            Double(source[frame]) * 2_147_483_648, -2_147_483_648, 2_147_483_647)
          (cell + frame &* stride).storeBytes(of: value, as: Int32.self)
        }
      case .float32:
        for frame in 0..<frameCount {
          (cell + frame &* stride).storeBytes(of: finite(source[frame]), as: Float.self)
        }
      case .float64:
        for frame in 0..<frameCount {
          (cell + frame &* stride).storeBytes(of: Double(finite(source[frame])), as: Double.self)
        }
      }
    }
    sampleIndex &+= UInt64(frameCount &* soundChannelCount)
  }

  /// The fast path for 16-bit mono and stereo. False for any other format.
  @_noLocks
  private mutating func ditherQuickly(
    _ channels: UnsafePointer<UnsafePointer<Float>>, _ frameCount: Int,
    _ target: UnsafeMutableRawPointer
  ) -> Bool {
    guard isDithered, layout == .int16, channelCount <= 2, ditheredChannelCount >= channelCount,
      soundChannelCount <= channelCount
    else { return false }
    fx_dither_16(
      vectorLevel, channels, channelCount, frameCount, sampleIndex, soundChannelCount,
      target.assumingMemoryBound(to: Int16.self))
    sampleIndex &+= UInt64(frameCount &* soundChannelCount)
    return true
  }

  /// Dithers one channel of 8 or 16 bits.
  @_noLocks
  private func dither(
    _ source: UnsafePointer<Float>, _ frameCount: Int, _ cell: UnsafeMutableRawPointer,
    _ stride: Int, _ channel: Int
  ) {
    // A mono sound gets the same dither on both channels.
    let last = soundChannelCount &- 1
    var index = sampleIndex &+ UInt64(channel < last ? channel : last)
    let steps: Int32 = layout == .int16 ? 32768 : 128
    for frame in 0..<frameCount {
      store(fx_dithered(source[frame], fx_dither_key(index), steps), cell + frame &* stride)
      index &+= UInt64(soundChannelCount)
    }
  }

  /// Stores a sample of 8 or 16 bits.
  @_noLocks
  private func store(_ value: Int32, _ cell: UnsafeMutableRawPointer) {
    switch layout {
    case .uint8: cell.storeBytes(of: UInt8(truncatingIfNeeded: value &+ 128), as: UInt8.self)
    case .int8High: cell.storeBytes(of: value &<< 24, as: Int32.self)
    default: cell.storeBytes(of: Int16(truncatingIfNeeded: value), as: Int16.self)
    }
  }
}

/// The sample, or silence for NaN and infinities: only for these is the difference from itself not
/// zero.
@_noLocks @inline(__always)
private func finite(_ sample: Float) -> Float { sample - sample == 0 ? sample : 0 }

extension SampleLayout {
  /// True for 8 and 16 bits, where the rounding noise may be audible.
  package var isCoarse: Bool {
    @_noLocks get {
      switch self {
      case .uint8, .int8High, .int16: true
      default: false
      }
    }
  }
}

/// Rounds to the nearest whole number, ties to even, within limits; 0 for NaN.
///
/// Adding 1.5 · 2^52 leaves the whole number in the low bits of the sum's bit pattern.
@_noLocks @inline(__always)
private func round(_ value: Double, _ low: Double, _ high: Double) -> Int32 {
  let clipped = value > high ? high : (value < low ? low : value)
  let number = clipped == clipped ? clipped : 0
  return Int32(truncatingIfNeeded: (number + 6_755_399_441_055_744).bitPattern)
}
