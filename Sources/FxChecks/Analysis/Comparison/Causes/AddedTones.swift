import FxAudio
import Glibc

/// Tones in the remaining difference: each has one frequency, and one amplitude and phase in each
/// channel, from the first to the last frame.
///
/// Each tone is fitted and subtracted, so that the difference without them is known sample by
/// sample.
struct AddedTones {
  struct Tone {
    /// Radians per frame.
    var step: Double
    /// For each channel, twice the mean of the difference times `e^(-i·step·n)`.
    var phasors: [(real: Double, imaginary: Double)]

    var power: Double {
      phasors.reduce(0) { $0 + ($1.real * $1.real + $1.imaginary * $1.imaginary) / 2 }
    }
  }

  private(set) var tones: [Tone] = []
  /// A Hann window for the spectrum.
  private let window: [Float]
  private var rest: [[Float]]
  private let sampleRate: Double

  private static let toneLimit = 12
  private static let longestWindow = 1 << 17
  private static let blockCount = 16
  /// A tone's bin has this many times the power of the bins around it.
  private static let leastProminence = 1e3
  private static let roundCount = 3

  /// Looks for tones in the difference of two sounds; nil when there is no steady tone.
  ///
  /// - Parameter limit: differences up to this are rounding.
  init?(_ pair: AlignedPair, limit: Float) {
    guard pair.count >= 8192 else { return nil }
    sampleRate = pair.sampleRate
    rest = (0..<pair.channelCount).map { pair.difference(ofChannel: $0) }
    var length = 8192
    while 2 * length <= min(pair.count, Self.longestWindow) { length *= 2 }
    guard let transform = FourierTransform(length: length) else { return nil }
    let width = 2 * Double.pi / Double(length)
    window = (0..<length).map { Float(0.5 - 0.5 * Math.cos(width * (Double($0) + 0.5))) }
    while tones.count < Self.toneLimit, let step = strongest(transform),
      let tone = fitted(near: step), tone.power > Double(limit) * Double(limit) / 8
    {
      add(tone, sign: -1)
      tones.append(tone)
    }
    guard !tones.isEmpty else { return nil }
    for _ in 0..<(tones.count > 1 ? Self.roundCount : 1) {
      for index in tones.indices {
        add(tones[index], sign: 1)
        tones[index] = fitted(near: tones[index].step) ?? tones[index]
        add(tones[index], sign: -1)
      }
    }
    tones.sort { $0.power > $1.power }
  }

  func candidate(for pair: AlignedPair) -> Candidate {
    let energy = rest.reduce(0) { $0 + Alignment.product($1, $1.indices, $1, $1.indices) }
    return Candidate(
      kind: .tone, words: words(pair), rank: 3, energy: energy,
      apply: { pair in
        for channel in pair.expected.indices {
          for tone in tones { Self.add(tone, of: channel, sign: 1, to: &pair.expected[channel]) }
        }
      })
  }

  // MARK: - Words

  private func words(_ pair: AlignedPair) -> String {
    let powers = rest.indices.map { channel in
      tones.reduce(0.0) { sum, tone in
        let phasor = tone.phasors[channel]
        return sum + (phasor.real * phasor.real + phasor.imaginary * phasor.imaginary) / 2
      }
    }
    let highest = powers.max() ?? 0
    let sounding = powers.indices.filter { powers[$0] > 1e-4 * highest }
    let power = sounding.reduce(0) { $0 + powers[$1] } / Double(max(sounding.count, 1))
    let names = pair.names(of: sounding)
    let place = names.isEmpty ? "" : " on \(names)"
    let level = "with an RMS of \(Figures.level(Math.squareRoot(power)))\(place)"
    let all = tones.map { $0.step * sampleRate / (2 * .pi) }
    let sorted = all.sorted().map { Figures.frequency(Self.rounded($0)) }
    guard let last = sorted.last, sorted.count > 1 else {
      return "a tone near \(sorted.first ?? "") \(level) was added"
    }
    if let ground = Self.hum(all) {
      return "hum of \(Figures.frequency(ground)) \(level) was added: "
        + "\(sorted.dropLast().joined(separator: ", ")) and \(last)"
    }
    return "\(sorted.count) tones \(level) were added: "
      + "\(sorted.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// To a tenth of a hertz below 100 Hz.
  private static func rounded(_ hertz: Double) -> Double {
    hertz < 100 ? (hertz * 10).rounded() / 10 : hertz.rounded()
  }

  /// 50 or 60 Hz if all tones are multiples of it; otherwise nil.
  private static func hum(_ hertz: [Double]) -> Double? {
    [50.0, 60.0].first { ground in
      (hertz.min() ?? 0) < 2.5 * ground
        && hertz.allSatisfy { abs($0 - ($0 / ground).rounded() * ground) < 0.01 * $0 }
    }
  }

  // MARK: - Fitting

  /// The frequency of the strongest tone of the difference, by its spectrum.
  private func strongest(_ transform: FourierTransform) -> Double? {
    let (size, window) = (transform.length, window)
    let first = ((rest.first?.count ?? 0) - size) / 2
    var powers = [Double](repeating: 0, count: transform.binCount)
    for channel in rest {
      let samples = [Float](unsafeUninitializedCapacity: size) { made, count in
        count = size
        channel.withUnsafeBufferPointer { channel in
          for index in 0..<size { made[index] = channel[first + index] * window[index] }
        }
      }
      for (bin, value) in transform.spectrum(samples).enumerated() { powers[bin] += value.power }
    }
    // The window spreads an offset over the first bins.
    guard powers.count > 80,
      let peak = (4..<powers.count - 1).max(by: { powers[$0] < powers[$1] }), powers[peak] > 0
    else { return nil }
    var around = (max(peak - 40, 4)...min(peak + 40, powers.count - 1)).filter {
      abs($0 - peak) > 4
    }.map { powers[$0] }
    around.sort()
    guard powers[peak] > Self.leastProminence * around[around.count / 2] else { return nil }
    let logs = [-1, 0, 1].map { Math.log2(max(powers[peak + $0], 1e-300)) }
    let bend = logs[0] - 2 * logs[1] + logs[2]
    let part = bend < 0 ? min(max(0.5 * (logs[0] - logs[2]) / bend, -0.5), 0.5) : 0
    return 2 * .pi * (Double(peak) + part) / Double(size)
  }

  /// A tone near a frequency, if it is steady from start to end.
  private func fitted(near start: Double) -> Tone? {
    var step = start
    let count = rest.first?.count ?? 0
    let size = count / Self.blockCount
    for _ in 0..<4 {
      // The phase from block to block.
      var (slope, weight) = (0.0, 0.0)
      for channel in rest {
        let blocks = (0..<Self.blockCount).map {
          Self.phasor(channel, $0 * size..<($0 + 1) * size, step)
        }
        for (one, other) in zip(blocks, blocks.dropFirst()) {
          let real = other.real * one.real + other.imaginary * one.imaginary
          let imaginary = other.imaginary * one.real - other.real * one.imaginary
          let power = Math.squareRoot(real * real + imaginary * imaginary)
          slope += power * atan2(imaginary, real)
          weight += power
        }
      }
      guard weight > 0 else { return nil }
      step += slope / weight / Double(size)
    }
    guard step > 0, step < .pi else { return nil }
    let blocks = (0..<Self.blockCount).map { block in
      rest.reduce(0.0) { sum, channel in
        let phasor = Self.phasor(channel, block * size..<(block + 1) * size, step)
        return sum + phasor.real * phasor.real + phasor.imaginary * phasor.imaginary
      }
    }
    guard let least = blocks.min(), let most = blocks.max(), least > 0.8 * most else { return nil }
    return Tone(step: step, phasors: rest.map { Self.phasor($0, 0..<count, step) })
  }

  /// Twice the mean of some samples times `e^(-i·step·n)`, with a Hann window.
  private static func phasor(_ samples: [Float], _ frames: Range<Int>, _ step: Double)
    -> (real: Double, imaginary: Double)
  {
    let width = 2 * Double.pi / Double(frames.count)
    let (turnCosine, turnSine) = (Math.cos(width), Math.sin(width))
    var (slowCosine, slowSine) = (Math.cos(width / 2), Math.sin(width / 2))
    var (real, imaginary) = (0.0, 0.0)
    samples.withUnsafeBufferPointer { samples in
      forEachPhase(frames, step) { frame, cosine, sine in
        let value = (0.5 - 0.5 * slowCosine) * Double(samples[frame])
        real += value * cosine
        imaginary -= value * sine
        (slowCosine, slowSine) = (
          slowCosine * turnCosine - slowSine * turnSine,
          slowCosine * turnSine + slowSine * turnCosine
        )
      }
    }
    // The mean of the window is a half.
    let scale = 4 / Double(max(frames.count, 1))
    return (scale * real, scale * imaginary)
  }

  /// The cosine and sine of the phase `step·n` for each frame.
  private static func forEachPhase(
    _ frames: Range<Int>, _ step: Double, _ body: (Int, Double, Double) -> Void
  ) {
    let (turnCosine, turnSine) = (Math.cos(step), Math.sin(step))
    var (cosine, sine) = (1.0, 0.0)
    for frame in frames {
      if (frame - frames.lowerBound) % 1024 == 0 {
        let turns = step * Double(frame) / (2 * .pi)
        let phase = (turns - turns.rounded(.down)) * 2 * .pi
        (cosine, sine) = (Math.cos(phase), Math.sin(phase))
      }
      body(frame, cosine, sine)
      (cosine, sine) = (
        cosine * turnCosine - sine * turnSine, cosine * turnSine + sine * turnCosine
      )
    }
  }

  private mutating func add(_ tone: Tone, sign: Double) {
    for channel in rest.indices { Self.add(tone, of: channel, sign: sign, to: &rest[channel]) }
  }

  private static func add(
    _ tone: Tone, of channel: Int, sign: Double, to samples: inout [Float]
  ) {
    let phasor = tone.phasors[channel]
    samples.withUnsafeMutableBufferPointer { samples in
      forEachPhase(samples.indices, tone.step) { frame, cosine, sine in
        let value = phasor.real * cosine - phasor.imaginary * sine
        samples[frame] = Float(Double(samples[frame]) + sign * value)
      }
    }
  }
}
