import FxAudio

/// The level of a sound in each third-octave band (IEC 61260, base 10), from 25 Hz up.
///
/// By Welch's method: spectra of stretches that overlap by half, with a sine window. The squares of
/// the windows add up to 1, so that every sample has the same weight.
struct ThirdOctaves {
  /// A third-octave band.
  package struct Third: Equatable {
    /// The nominal centre frequency: 25, 31.5, 40, … 20000.
    package var hertz: Double
    var firstBin: Int
    var endBin: Int
  }

  package let thirds: [Third]
  private let transform: FourierTransform
  private let window: [Float]

  /// nil when the sample rate is outside 100 Hz to 10 MHz, or without enough memory.
  package init?(sampleRate: Double) {
    guard sampleRate.isFinite, sampleRate >= 100, sampleRate <= 1e7 else { return nil }
    let length = FourierTransform.length(atLeast: Int(sampleRate / 4))
    guard let transform = FourierTransform(length: length) else { return nil }
    self.transform = transform
    window = (0..<length).map {
      Float(Math.sin(Double.pi * (Double($0) + 0.5) / Double(length)))
    }
    let mantissas = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8]
    var thirds: [Third] = []
    for index in 14... {
      let centre = Math.pow(10, Double(index) / 10)
      let low = centre * 0.891_250_938_133_745_5
      guard low < sampleRate / 2 else { break }
      let first = Int((low * Double(length) / sampleRate).rounded(.up))
      let end = Int((centre / 0.891_250_938_133_745_5 * Double(length) / sampleRate).rounded(.up))
      let hertz = mantissas[index % 10] * Math.pow(10, Double(index / 10)).rounded()
      guard first < transform.binCount, end > first else { continue }
      thirds.append(Third(hertz: hertz, firstBin: first, endBin: min(end, transform.binCount)))
    }
    self.thirds = thirds
  }

  /// The mean square in each band over the first `frameCount` samples; a full-scale sine has 0.5 in
  /// its band. A sample that is not a number counts as silence.
  package func powers(_ samples: [Float], frameCount: Int) -> [Double] {
    let count = min(frameCount, samples.count)
    var powers = [Double](repeating: 0, count: thirds.count)
    guard count > 0 else { return powers }
    let length = transform.length
    var stretch = [Float](repeating: 0, count: length)
    var start = -length / 2
    while start < count {
      let first = max(start, 0)
      let end = min(start + length, count)
      var isSilent = true
      samples.withUnsafeBufferPointer { samples in
        stretch.withUnsafeMutableBufferPointer { stretch in
          stretch.update(repeating: 0)
          for frame in first..<end {
            let sample = samples[frame]
            guard sample != 0, sample.isFinite else { continue }
            isSilent = false
            stretch[frame - start] = sample * window[frame - start]
          }
        }
      }
      if !isSilent { add(transform.spectrum(stretch), to: &powers) }
      start += length / 2
    }
    // The factor 2 is for both halves of the spectrum; the rest is Parseval's theorem.
    let scale = 2 / (Double(length) * Double(count))
    return powers.map { $0 * scale }
  }

  private func add(_ bins: [FourierTransform.Bin], to powers: inout [Double]) {
    for (index, third) in thirds.enumerated() {
      var sum = 0.0
      for bin in third.firstBin..<third.endBin { sum += bins[bin].power }
      powers[index] += sum
    }
  }
}
