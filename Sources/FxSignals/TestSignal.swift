/// A sound to test with, the same to the bit on every machine, in every build and in blocks of any
/// length.
package struct TestSignal: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case silence
    /// One sample, at `start` seconds, the same in all channels.
    case impulse
    /// A sine of `frequency` from phase 0, the same in all channels.
    case tone
    /// A sine from `from` to `to`, its frequency rising geometrically over the whole duration; the
    /// same in all channels. Its phase is Farina's: "Simultaneous measurement of impulse response
    /// and distortion with a swept-sine technique", AES 108, 2000.
    case sweep
    /// White noise, evenly distributed between plus and minus the level; each channel its own.
    case noise
    /// Noise with equal energy in every octave from 10 Hz up; each channel its own. Its RMS is
    /// 12 dB below the level, to which the few samples beyond are cut.
    case pinkNoise
    /// Noise that falls by 6 dB an octave from 10 Hz up; its level is as that of pink noise.
    case brownNoise
    /// Noise that rises by 3 dB an octave; its level is as that of pink noise.
    case blueNoise
    /// Noise that rises by 6 dB an octave; its level is as that of pink noise.
    case violetNoise
    /// Sines of `frequency` for the first 50 ms of every half second, each from phase 0, the same in
    /// all channels: attacks and releases.
    case bursts
    /// Something of everything in every second, channels that differ: voiced syllables that glide,
    /// hiss, pauses of true silence, clicks and a decaying burst, bass, and levels from -50 dB to
    /// the peak. What goldens and lints use where nothing is said.
    case programme
  }

  package var kind: Kind
  /// Of its peaks, in dB of full scale; no sample is beyond.
  package var level = -12.0
  /// Hertz, of `tone` and `bursts`.
  package var frequency = 1000.0
  /// Hertz, of `sweep`.
  package var from = 20.0
  package var to = 20000.0
  /// Seconds, of `impulse`.
  package var start = 0.0
  /// Of what is random: noises and programme.
  package var seed: UInt64 = 1
  /// Slots of the programme that are left out at its start: of two that begin elsewhere one is loud
  /// where the other is quiet.
  package var slotOffset = 0

  package init(_ kind: Kind) { self.kind = kind }
}

extension TestSignal {
  /// What is wrong with its figures at a rate, as a sentence; nil for nothing. One with a mistake
  /// can be generated all the same, but is not what its name says.
  package func mistake(sampleRate: Double) -> String? {
    let limit = sampleRate / 2
    func isAudible(_ hertz: Double) -> Bool { hertz > 0 && hertz < limit }
    guard level.isFinite, level >= -200, level <= 60 else {
      return "a level is -200 to 60 dB"
    }
    switch kind {
    case .tone, .bursts:
      guard isAudible(frequency) else {
        return "a frequency lies above 0 and below \(shortHertz(limit)), half the sample rate"
      }
    case .sweep:
      guard isAudible(from), isAudible(to) else {
        return "a sweep lies above 0 and below \(shortHertz(limit)), half the sample rate"
      }
    case .impulse:
      guard start.isFinite, start >= 0 else { return "an impulse starts at 0 s or later" }
    case .silence, .noise, .pinkNoise, .brownNoise, .blueNoise, .violetNoise, .programme: break
    }
    return nil
  }

  private func shortHertz(_ hertz: Double) -> String {
    hertz == hertz.rounded() && hertz < 1e9 ? "\(Int(hertz)) Hz" : "\(hertz) Hz"
  }
}
