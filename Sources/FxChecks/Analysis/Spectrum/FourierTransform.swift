import CKissFFT
import Glibc

/// The Fourier transform of real samples. The length is a power of two.
///
/// For measurements only, never for audio: the result depends on the build of KissFFT.
final class FourierTransform {
  /// A complex number in the layout of KissFFT.
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
  var binCount: Int { length / 2 + 1 }

  private let forward: OpaquePointer
  private let backward: OpaquePointer

  /// nil when the length is not a power of two from 2 to 2^28, or without enough memory.
  init?(length: Int) {
    guard length >= 2, length <= 1 << 28, length.nonzeroBitCount == 1,
      let forward = kiss_fftr_alloc(Int32(length), 0, nil, nil)
    else { return nil }
    guard let backward = kiss_fftr_alloc(Int32(length), 1, nil, nil) else {
      free(UnsafeMutableRawPointer(forward))
      return nil
    }
    self.length = length
    self.forward = forward
    self.backward = backward
  }

  deinit {
    free(UnsafeMutableRawPointer(forward))
    free(UnsafeMutableRawPointer(backward))
  }

  /// The smallest power of two that is at least `count`.
  static func length(atLeast count: Int) -> Int {
    var length = 2
    while length < count { length *= 2 }
    return length
  }

  /// The unscaled spectrum of `length` samples.
  func spectrum(_ samples: [Float]) -> [Bin] {
    precondition(samples.count == length, "one sample for each of the transform's")
    return [Bin](unsafeUninitializedCapacity: binCount) { bins, count in
      count = binCount
      bins.initialize(repeating: Bin())
      bins.withMemoryRebound(to: kiss_fft_cpx.self) {
        kiss_fftr(forward, samples, $0.baseAddress)
      }
    }
  }

  /// The samples of a spectrum, `length` times as large as the original ones.
  func samples(_ bins: [Bin]) -> [Float] {
    precondition(bins.count == binCount, "one bin for each of the transform's")
    return [Float](unsafeUninitializedCapacity: length) { samples, count in
      count = length
      samples.initialize(repeating: 0)
      bins.withUnsafeBufferPointer { bins in
        bins.withMemoryRebound(to: kiss_fft_cpx.self) {
          kiss_fftri(backward, $0.baseAddress, samples.baseAddress)
        }
      }
    }
  }
}
