import CKissFFT
import Glibc

/// The Fourier transform of real samples, of a length that is a power of two.
///
/// For measuring only, never for audio: what comes out depends on how KissFFT was built.
final class FourierTransform {
  /// A complex number, laid out as KissFFT has it.
  struct Bin {
    var real: Float = 0
    var imaginary: Float = 0

    /// The magnitude's square.
    var power: Double {
      Double(real) * Double(real) + Double(imaginary) * Double(imaginary)
    }
  }

  let length: Int
  /// From 0 to half the rate, both included.
  var binCount: Int { length / 2 + 1 }

  private let forward: OpaquePointer
  private let backward: OpaquePointer

  /// nil where there is not enough memory.
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

  /// The least power of two that is no smaller.
  static func length(atLeast count: Int) -> Int {
    var length = 2
    while length < count { length *= 2 }
    return length
  }

  /// The spectrum of `length` samples; not scaled.
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

  /// The samples of a spectrum, `length` times as large as those that it came from.
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
