private import CKernels
import FxAudio

/// The Fourier transform of real samples and its inverse, with the same bits on every processor.
///
/// Each direction can be done in `stepCount` steps, so that long transforms can be spread over
/// time. A transform must be finished before the next one begins.
///
/// Allocated on the control thread, used on the render thread. Lengths are powers of two from 16 to
/// 2^28. The error of a spectrum is below 4e-7 of its power; `inverse` undoes `forward`.
package struct RealTransform: ~Copyable {
  package static let lengths = 16...1 << 28

  /// The number of samples.
  package let length: Int
  /// The number of bins, from 0 Hz to half the sample rate, both included.
  package let binCount: Int
  /// The length of the complex transform, whose parts are the even and the odd samples.
  private let half: Int
  private let vectorLevel: Int32
  /// Steps × six rows.
  private let twiddles: SampleBuffer
  /// For half of the bins: cosines, then sines.
  private let splits: SampleBuffer
  /// Two complex signals.
  private let work: SampleBuffer

  /// - Parameters:
  ///   - length: A power of two in `lengths`; other values are rounded up to the next one.
  ///   - vectorLevel: The instruction set to use: 0 is the one that every processor has, nil the
  ///     best available one. The output bits are the same.
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

  /// The bytes that a transform of this length allocates.
  package static func byteCount(length: Int) -> Int {
    let half = self.length(atLeast: length) / 2
    return SampleBuffer.byteCount(count: twiddleCount(half)) + SampleBuffer.byteCount(count: half)
      + SampleBuffer.byteCount(count: 4 * half)
  }

  // MARK: - Realtime

  /// Writes the unscaled spectrum of `length` samples: `binCount` real and imaginary parts.
  @_noLocks
  package func forward(
    _ samples: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    for step in 0..<stepCount {
      forward(step: step, samples, samples + half, real: real, imaginary: imaginary)
    }
  }

  /// Does one step of a transform of samples in two halves; the last step completes the spectrum.
  @_noLocks
  package func forward(
    step: Int, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>,
    real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  ) {
    if step == 0 {
      let (evens, odds) = (work.samples, work.samples + half)
      fx_deinterleave(vectorLevel, first, evens, odds, half / 2)
      fx_deinterleave(vectorLevel, second, evens + half / 2, odds + half / 2, half / 2)
    } else if step <= passCount {
      pass(step &- 1, lastTo: (real, imaginary))
    } else {
      fx_fft_split(vectorLevel, half, 0, splits.samples, real, imaginary)
      let (mean, change) = (real[0], imaginary[0])
      real[0] = mean + change
      imaginary[0] = 0
      real[half] = mean - change
      imaginary[half] = 0
    }
  }

  /// Writes the `length` samples of a spectrum; the imaginary parts of the first and the last bin
  /// are ignored.
  @_noLocks
  package func inverse(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    to samples: UnsafeMutablePointer<Float>
  ) {
    for step in 0..<stepCount { inverse(step: step, real: real, imaginary: imaginary, to: samples) }
  }

  /// Does one step of the inverse transform; the last step writes the samples.
  @_noLocks
  package func inverse(
    step: Int, real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    to samples: UnsafeMutablePointer<Float>
  ) {
    // With real and imaginary parts exchanged at input and output, the forward transform is the
    // inverse.
    if step == 0 {
      let (imaginaries, reals) = (work.samples, work.samples + half)
      reals.update(copying: real, count: half)
      imaginaries.update(copying: imaginary, count: half)
      fx_fft_split(vectorLevel, half, 1, splits.samples, reals, imaginaries)
      reals[0] = real[0] + real[half]
      imaginaries[0] = real[0] - real[half]
    } else if step <= passCount {
      pass(step &- 1, lastTo: nil)
    } else {
      let place = work.samples + (passCount & 1) &* 2 &* half
      fx_interleave(vectorLevel, place + half, place, 1 / Float(length), samples, half)
    }
  }

  /// The steps of a transform in each direction: the passes, one step before and one after them.
  package var stepCount: Int { @_noLocks get { passCount &+ 2 } }

  /// The passes of the complex transform.
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

  /// Does one pass of the complex transform, from one half of `work` into the other.
  ///
  /// - Parameter target: The destination of the last pass; nil for the other half of `work`.
  @_noLocks
  private func pass(
    _ index: Int, lastTo target: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)?
  ) {
    var row = UnsafePointer(twiddles.samples)
    var (remaining, stride) = (half, 1)
    for _ in 0..<index {
      row += 6 &* (remaining / 4)
      remaining /= 4
      stride &*= 4
    }
    let from = work.samples + (index & 1) &* 2 &* half
    let next = work.samples + ((index &+ 1) & 1) &* 2 &* half
    let to = index &+ 1 < passCount ? (next, next + half) : target ?? (next, next + half)
    if remaining == 2 {
      fx_fft_radix2(vectorLevel, stride, from, from + half, to.0, to.1)
    } else {
      fx_fft_radix4(vectorLevel, remaining / 4, stride, row, from, from + half, to.0, to.1)
    }
  }
}
