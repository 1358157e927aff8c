import FxAudio

/// The reverberation time of a room from its impulse response: the times in which the level falls
/// by 60 dB.
///
/// It uses Schroeder's backward integration ("New method of measuring reverberation time", 1965).
/// Lines are fitted to the decay and extended to 60 dB, as in ISO 3382-1. The level of the last
/// tenth counts as noise and is subtracted.
package struct ReverberationTime: Sendable, Equatable {
  /// The early decay time in seconds, from the decay between 0 and -10 dB.
  package let earlyDecay: Double?
  /// In seconds, from the decay between -5 and -25 dB.
  package let t20: Double?
  /// In seconds, from the decay between -5 and -35 dB.
  package let t30: Double?

  /// The best known value: T30, else T20.
  package var rt60: Double? { t30 ?? t20 }

  /// A time is nil when the decay does not reach its lower level.
  package init(_ impulseResponse: [Float], sampleRate: Double) {
    let decay = Self.decay(impulseResponse)
    earlyDecay = Self.time(decay, from: 0, to: -10, sampleRate)
    t20 = Self.time(decay, from: -5, to: -25, sampleRate)
    t30 = Self.time(decay, from: -5, to: -35, sampleRate)
  }

  /// The remaining energy in dB at each frame from the direct sound on; 0 dB at its start.
  private static func decay(_ samples: [Float]) -> [Double] {
    let energies = samples.map { $0.isFinite ? Double($0) * Double($0) : 0 }
    // The direct sound is the first sample within 20 dB of the highest.
    guard let highest = energies.max(), highest > 0,
      let start = energies.firstIndex(where: { $0 >= 0.01 * highest })
    else { return [] }
    let sound = energies[start...]
    let tail = sound.suffix(max(sound.count / 10, 1))
    let noise = tail.reduce(0, +) / Double(tail.count)
    var sum = 0.0
    var sums: [Double] = []
    sums.reserveCapacity(sound.count)
    for energy in sound.reversed() {
      sum += energy - noise
      sums.append(max(sum, 0))
    }
    guard let all = sums.last, all > 0 else { return [] }
    return sums.reversed().map { Math.decibels(amplitude: Math.squareRoot($0 / all)) }
  }

  /// The line through the decay between two levels (least squares), extended to 60 dB.
  private static func time(
    _ decay: [Double], from high: Double, to low: Double, _ sampleRate: Double
  ) -> Double? {
    guard let first = decay.firstIndex(where: { $0 <= high }),
      let end = decay[first...].firstIndex(where: { $0 < low }), end - first >= 2
    else { return nil }
    let count = Double(end - first)
    let middle = (count - 1) / 2
    var (product, square) = (0.0, 0.0)
    for frame in first..<end {
      let time = Double(frame - first) - middle
      product += time * decay[frame]
      square += time * time
    }
    let slope = product / square * sampleRate
    return slope < 0 ? -60 / slope : nil
  }
}
