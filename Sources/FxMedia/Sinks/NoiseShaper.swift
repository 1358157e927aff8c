import CKernels
import FxAudio

/// Rounds samples to few bits with triangular dither, and shapes the rounding noise to frequencies
/// where the ear is less sensitive. Error feedback through the filter with nine coefficients of R.
/// Wannamaker, "Psychoacoustically optimal noise shaping", JAES 40 (1992). The result is the same
/// bits in every render.
struct NoiseShaper {
  private static let coefficients = [
    2.412, -3.370, 3.937, -4.174, 3.353, -2.205, 1.281, -0.569, 0.0847,
  ]
  /// The filter fits the ear's sensitivity only at these rates.
  static let sampleRates: Set<Double> = [44100, 48000]

  private let scale: Double
  private let isDithered: Bool
  private let block: PlanarBuffer
  /// The last errors of each channel, newest first.
  private var errors: [[Double]]
  private var frame = 0

  init(bits: Int, channelCount: Int, isDithered: Bool) {
    scale = Double(1 << (bits - 1))
    self.isDithered = isDithered
    block = PlanarBuffer(channelCount: channelCount, frameCount: 4096)
    errors = Array(
      repeating: Array(repeating: 0, count: NoiseShaper.coefficients.count), count: channelCount)
  }

  /// The most frames per call.
  var blockFrameCount: Int { block.frameCount }

  /// The rounded samples as floats, valid until the next call: channels × frames.
  mutating func round(
    _ channels: UnsafePointer<UnsafePointer<Float>>, from start: Int, frameCount: Int
  ) -> PlanarBuffer {
    let width = errors.count
    let (scale, isDithered, first) = (self.scale, self.isDithered, frame)
    for channel in 0..<width {
      let source = channels[channel] + start
      let target = block[channel]
      errors[channel].withUnsafeMutableBufferPointer { errors in
        for index in 0..<frameCount {
          let sample = Double(source[index])
          var wanted = sample - sample == 0 ? sample * scale : 0
          for tap in errors.indices { wanted -= NoiseShaper.coefficients[tap] * errors[tap] }
          let noise = isDithered ? NoiseShaper.noise((first + index) * width + channel) : 0
          let rounded = (wanted + noise).rounded(.toNearestOrEven)
          for tap in errors.indices.dropFirst().reversed() { errors[tap] = errors[tap - 1] }
          // Only the rounding error is fed back. The error of clipping would be audible.
          errors[0] = min(max(rounded - wanted, -2), 2)
          target[index] = Float(min(max(rounded, -scale), scale - 1) / scale)
        }
      }
    }
    frame += frameCount
    return block
  }

  /// Triangular noise between -1 and 1.
  private static func noise(_ number: Int) -> Double {
    Double(fx_triangular(fx_dither_key(UInt64(number)))) / Double(1 << FX_DITHER_BITS)
  }
}
