import FxUnits

/// The Fourier transform of real samples, for measurements. The length is a power of two.
final class FourierTransform {
  struct Bin {
    var real: Float = 0
    var imaginary: Float = 0

    /// The square of the magnitude.
    var power: Double {
      Double(real) * Double(real) + Double(imaginary) * Double(imaginary)
    }
  }

  let length: Int
  /// The number of bins, from 0 Hz to half the sample rate, both included.
  var binCount: Int { transform.binCount }

  private let transform: RealTransform
  private let real: SampleBuffer
  private let imaginary: SampleBuffer

  /// nil when the transform has no such length.
  init?(length: Int) {
    guard RealTransform.lengths.contains(length), length.nonzeroBitCount == 1 else { return nil }
    self.length = length
    transform = RealTransform(length: length)
    real = SampleBuffer(count: transform.binCount)
    imaginary = SampleBuffer(count: transform.binCount)
  }

  /// The smallest possible length of at least `count`.
  static func length(atLeast count: Int) -> Int {
    var length = RealTransform.lengths.lowerBound
    while length < count { length *= 2 }
    return length
  }

  /// The unscaled spectrum of `length` samples.
  func spectrum(_ samples: [Float]) -> [Bin] {
    precondition(samples.count == length, "one sample for each of the transform's")
    transform.forward(samples, real: real.samples, imaginary: imaginary.samples)
    return (0..<binCount).map { Bin(real: real.samples[$0], imaginary: imaginary.samples[$0]) }
  }

  /// The samples of a spectrum, `length` times as large as the original ones.
  func samples(_ bins: [Bin]) -> [Float] {
    precondition(bins.count == binCount, "one bin for each of the transform's")
    // The transform divides by its length: a power of two, so that no bit is lost.
    let scale = Float(length)
    for (index, bin) in bins.enumerated() {
      real.samples[index] = bin.real * scale
      imaginary.samples[index] = bin.imaginary * scale
    }
    return [Float](unsafeUninitializedCapacity: length) { samples, count in
      count = length
      samples.initialize(repeating: 0)
      if let target = samples.baseAddress {
        transform.inverse(real: real.samples, imaginary: imaginary.samples, to: target)
      }
    }
  }
}
