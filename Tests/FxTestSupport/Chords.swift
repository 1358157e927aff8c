internal import FxAudio

/// Chords, and how far their notes are out of tune.
package enum Chord {
  /// Three harmonics of each note.
  package static func sound(_ notes: [Double], sampleRate: Double, _ count: Int) -> [Float] {
    var sum = [Double](repeating: 0, count: count)
    for (number, note) in notes.enumerated() {
      for harmonic in 1...3 where note * Double(harmonic) < sampleRate / 2 {
        let turn = note * Double(harmonic) / sampleRate
        for frame in 0..<count {
          let turns = (Double(frame) * turn).truncatingRemainder(dividingBy: 1)
          let phase = 2 * Double.pi * turns + Double(number + harmonic)
          sum[frame] += 0.1 / Double(harmonic) * Math.sin(phase)
        }
      }
    }
    return sum.map { Float($0) }
  }

  /// The distance of the loudest frequency within 80 cents of each note, in cents, in steps of 2.
  package static func errors(of sound: [Float], notes: [Double], sampleRate: Double) -> [Double] {
    let windowed = sound.enumerated().map { frame, sample in
      let place = Double(frame) / Double(sound.count)
      let turn = 2 * Double.pi * place
      return sample * Float(0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn))
    }
    return notes.map { note in
      let levels = stride(from: -80.0, through: 80, by: 2).map { cents in
        let hertz = note * Math.exp2(cents / 1200)
        return (cents, Measured.spectrum(windowed, at: hertz, sampleRate: sampleRate).magnitude)
      }
      return levels.max { $0.1 < $1.1 }?.0 ?? .infinity
    }
  }
}
