/// The quantization step of a sound that was stored as integers.
enum Quantum {
  /// 2^-15 for 16 bits, 2^-23 for 24, 0 for floats and for silence.
  static func of(_ sound: Sound) -> Float {
    var quantum: Float = 0x1p-15
    var isSilent = true
    for channel in sound.channels {
      for sample in channel where sample != 0 {
        isSilent = false
        guard abs(sample) <= 1 else { return 0 }
        while quantum != 0, !isMultiple(sample, quantum) {
          quantum = quantum == 0x1p-15 ? 0x1p-23 : 0
        }
        if quantum == 0 { return 0 }
      }
    }
    return isSilent ? 0 : quantum
  }

  private static func isMultiple(_ sample: Float, _ quantum: Float) -> Bool {
    let steps = sample / quantum
    return steps == steps.rounded()
  }

  /// The bit depth, 16 or 24, if the difference is only the rounding to integer samples, with
  /// dither of up to one step; otherwise nil.
  static func roundingBits(
    _ expected: Sound, _ actual: Sound, difference: [Comparison.Channel]
  ) -> Int? {
    let steps = (of(expected), of(actual))
    // One of the two must be coarser; with equal steps neither was made by rounding the other.
    guard steps.0 != steps.1 else { return nil }
    let step = max(steps.0, steps.1)
    guard difference.allSatisfy({ $0.peak <= 1.5 * step }) else { return nil }
    let (finer, coarser) = steps.0 < steps.1 ? (expected, actual) : (actual, expected)
    guard isRounded(finer.channels, coarser.channels) else { return nil }
    return step == 0x1p-15 ? 16 : 24
  }
}

extension Quantum {
  /// Rounding changes at least a quarter of the samples that are not 0. If fewer differ, single
  /// samples were changed.
  static func isRounded(_ finer: [[Float]], _ coarser: [[Float]]) -> Bool {
    var (sounding, differing) = (0, 0)
    for (finer, coarser) in zip(finer, coarser) {
      finer.withUnsafeBufferPointer { finer in
        coarser.withUnsafeBufferPointer { coarser in
          for frame in 0..<min(finer.count, coarser.count) {
            if finer[frame] != 0 { sounding += 1 }
            if finer[frame] != coarser[frame] { differing += 1 }
          }
        }
      }
    }
    return 4 * differing >= sounding
  }

  /// The largest power of two that divides all samples; 0 for silence and below 2^-39.
  static func step(of channels: [[Float]]) -> Float {
    var least = Int.max
    for channel in channels {
      channel.withUnsafeBufferPointer { samples in
        for sample in samples where sample != 0 {
          let exponent = sample.isNormal ? Int(sample.exponent) : -126
          let zeros = min(sample.significandBitPattern.trailingZeroBitCount, 23)
          least = min(least, exponent - 23 + zeros)
          if least < -40 { return }
        }
      }
    }
    guard least != .max, least > -40 else { return 0 }
    return Float(sign: .plus, exponent: least, significand: 1)
  }
}
