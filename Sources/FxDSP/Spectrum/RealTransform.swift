private import CKernels
import FxAudio

/// The Fourier transform of real samples and back, with the same bits on every processor.
///
/// Allocated on the control thread, used on the render thread. Lengths are powers of two from 16 to
/// 65536. The error of a spectrum is below 4e-7 of its power; `inverse` undoes `forward`.
package struct RealTransform: ~Copyable {
  package static let lengths = 16...65536

  /// Samples.
  package let length: Int
  /// From 0 to half the rate, both included.
  package let binCount: Int
  /// Complex numbers: the even samples and the odd ones.
  private let half: Int
  private let vectorLevel: Int32
  /// Step by step, six rows a step.
  private let twiddles: SampleBuffer
  /// Half of the bins: cosines, then sines.
  private let splits: SampleBuffer
  /// Two complex signals.
  private let work: SampleBuffer

  /// - Parameters:
  ///   - length: A power of two in `lengths`; others are taken for the next one above.
  ///   - vectorLevel: The instruction set to use, 0 the one that every processor has; nil takes the
  ///     best there is. The bits are the same.
  package init(length: Int, vectorLevel: Int? = nil) {
    self.length = Self.length(atLeast: length)
    half = self.length / 2
    binCount = half + 1
    let best = fx_vector_level()
    self.vectorLevel = vectorLevel.map { min(Int32(clamping: $0), best) } ?? best
    twiddles = SampleBuffer(count: Self.twiddleCount(half))
    splits = SampleBuffer(count: half)
    work = SampleBuffer(count: 4 * half)
    var row = twiddles.samples
    var remaining = half
    while remaining >= 4 {
      let count = remaining / 4
      for group in 0..<count {
        for power in 1...3 {
          let turn = -2 * Double.pi * Double(power * group) / Double(remaining)
          let (sin, cos) = Math.sinCos(turn)
          row[(2 * power - 2) * count + group] = Float(cos)
          row[(2 * power - 1) * count + group] = Float(sin)
        }
      }
      row += 6 * count
      remaining = count
    }
    for bin in 0..<half / 2 {
      let (sin, cos) = Math.sinCos(Double.pi * Double(bin) / Double(half))
      splits.samples[bin] = Float(cos)
      splits.samples[half / 2 + bin] = Float(sin)
    }
  }

  private static func length(atLeast length: Int) -> Int {
    var found = lengths.lowerBound
    while found < length, found < lengths.upperBound { found *= 2 }
    return found
  }

  private static func twiddleCount(_ half: Int) -> Int {
    var (count, remaining) = (0, half)
    while remaining >= 4 {
      remaining /= 4
      count += 6 * remaining
    }
    return count
  }

  /// What a transform of this length allocates.
  package static func byteCount(length: Int) -> Int {
    let half = self.length(atLeast: length) / 2
    return SampleBuffer.byteCount(count: twiddleCount(half)) + SampleBuffer.byteCount(count: half)
      + SampleBuffer.byteCount(count: 4 * half)
  }

  // MARK: - Realtime

  /// Writes the spectrum of `length` samples, not scaled: `binCount` real and imaginary parts.
  @_noLocks
  package func forward(
    _ samples: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    let (evens, odds) = (work.samples, work.samples + half)
    for index in 0..<half {
      evens[index] = samples[2 &* index]
      odds[index] = samples[2 &* index &+ 1]
    }
    transform(evens, odds, to: real, imaginary)
    fx_fft_split(vectorLevel, half, 0, splits.samples, real, imaginary)
    let (mean, change) = (real[0], imaginary[0])
    real[0] = mean + change
    imaginary[0] = 0
    real[half] = mean - change
    imaginary[half] = 0
  }

  /// Writes the `length` samples of a spectrum; the imaginary parts of the first and the last bin
  /// are ignored.
  @_noLocks
  package func inverse(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    to samples: UnsafeMutablePointer<Float>
  ) {
    let (reals, imaginaries) = (work.samples, work.samples + half)
    reals.update(copying: real, count: half)
    imaginaries.update(copying: imaginary, count: half)
    fx_fft_split(vectorLevel, half, 1, splits.samples, reals, imaginaries)
    reals[0] = real[0] + real[half]
    imaginaries[0] = real[0] - real[half]
    // With its parts exchanged a transform goes back; so does what comes out.
    let (evens, odds) = (work.samples + 2 &* half, work.samples + 3 &* half)
    transformInPlace(imaginaries, reals, odds, evens)
    let scale = 1 / Float(length)
    let isSwapped = passCount & 1 == 0
    let (first, second) = isSwapped ? (reals, imaginaries) : (evens, odds)
    for index in 0..<half {
      samples[2 &* index] = scale * first[index]
      samples[2 &* index &+ 1] = scale * second[index]
    }
  }

  /// Steps of a transform.
  private var passCount: Int {
    @_noLocks get {
      var (count, remaining) = (0, half)
      while remaining >= 4 {
        remaining /= 4
        count &+= 1
      }
      return remaining == 2 ? count &+ 1 : count
    }
  }

  /// The complex transform of two arrays in the first half of the work, by way of the second half.
  @_noLocks
  private func transform(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>,
    to realOut: UnsafeMutablePointer<Float>, _ imaginaryOut: UnsafeMutablePointer<Float>
  ) {
    var from = (real, imaginary)
    var other = (work.samples + 2 &* half, work.samples + 3 &* half)
    var row = UnsafePointer(twiddles.samples)
    var (remaining, stride) = (half, 1)
    while remaining > 1 {
      let isLast = remaining <= 4
      let to = isLast ? (realOut, imaginaryOut) : other
      step(remaining, stride, row, from, to)
      row += 6 &* (remaining / 4)
      other = from
      from = to
      stride &*= 4
      remaining = remaining / 4
    }
  }

  /// The same between two pairs of arrays; the result is in the second pair after an odd number of
  /// steps.
  @_noLocks
  private func transformInPlace(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>,
    _ otherReal: UnsafeMutablePointer<Float>, _ otherImaginary: UnsafeMutablePointer<Float>
  ) {
    var from = (real, imaginary)
    var to = (otherReal, otherImaginary)
    var row = UnsafePointer(twiddles.samples)
    var (remaining, stride) = (half, 1)
    while remaining > 1 {
      step(remaining, stride, row, from, to)
      row += 6 &* (remaining / 4)
      (from, to) = (to, from)
      stride &*= 4
      remaining = remaining / 4
    }
  }

  @_noLocks
  private func step(
    _ remaining: Int, _ stride: Int, _ row: UnsafePointer<Float>,
    _ from: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>),
    _ to: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
  ) {
    if remaining == 2 {
      fx_fft_radix2(vectorLevel, stride, from.0, from.1, to.0, to.1)
    } else {
      fx_fft_radix4(vectorLevel, remaining / 4, stride, row, from.0, from.1, to.0, to.1)
    }
  }
}
