/// A test sound. It has the same bits on every machine, in every build and with every block size.
package struct TestSignal: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case silence
    /// One sample, at `start` seconds, the same in all channels.
    case impulse
    /// A sine of `frequency` from phase 0, the same in all channels.
    case tone
    /// A sine from `from` to `to`. Its frequency rises exponentially over the whole duration; the
    /// same in all channels. The phase is from A. Farina, "Simultaneous measurement of impulse
    /// response and distortion with a swept-sine technique", AES 108, 2000.
    case sweep
    /// White noise, evenly distributed between plus and minus the level; different in each channel.
    case noise
    /// Noise with equal energy in every octave from 10 Hz up; different in each channel. Its RMS is
    /// 12 dB below the level; the few samples beyond the level are clipped to it.
    case pinkNoise
    /// Noise that falls by 6 dB an octave from 10 Hz up; the level is defined as for pink noise.
    case brownNoise
    /// Noise that rises by 3 dB an octave; the level is defined as for pink noise.
    case blueNoise
    /// Noise that rises by 6 dB an octave; the level is defined as for pink noise.
    case violetNoise
    /// Sines of `frequency` for the first 50 ms of every half second, each from phase 0, the same
    /// in all channels: attacks and releases.
    case bursts
    /// A mix of many sounds in every second, different in each channel: voiced syllables with
    /// gliding pitch, hiss, pauses of digital silence, clicks and a decaying burst, bass, and
    /// levels from -50 dB to the peak. The default signal of goldens and lints.
    case programme
  }

  package var kind: Kind
  /// The peak level in dB of full scale; no sample is beyond it.
  package var level = -12.0
  /// The frequency of `tone` and `bursts` in hertz.
  package var frequency = 1000.0
  /// The start and end frequency of `sweep` in hertz.
  package var from = 20.0
  package var to = 20000.0
  /// The time of `impulse` in seconds.
  package var start = 0.0
  /// The seed of random signals: noises and `programme`.
  package var seed: UInt64 = 1
  /// The number of slots of `programme` to skip at its start. Two signals with different offsets
  /// are loud and quiet at different times.
  package var slotOffset = 0

  package init(_ kind: Kind) { self.kind = kind }
}

extension TestSignal {
  /// A sentence about an invalid value at a sample rate; nil if all are valid. A signal with an
  /// invalid value can still be generated, but it is not the signal that its name says.
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
