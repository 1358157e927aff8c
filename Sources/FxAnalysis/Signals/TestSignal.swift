/// A sound to test with, the same to the bit on every machine.
package struct TestSignal: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case silence
    /// One sample, at `start` seconds.
    case impulse
    /// A sine of `frequency`.
    case tone
    /// A sine from `from` to `to`, rising geometrically over the whole duration.
    case sweep
    /// White noise between plus and minus the level.
    case noise
    /// Noise with equal energy in every octave.
    case pinkNoise
    /// Sines of `frequency` for 50 ms out of every half second: attacks and releases.
    case bursts
    /// Something of everything, channels that differ: syllables of harmonics and hiss with pauses,
    /// as music and voices have them. What goldens and lints use where nothing is said.
    case programme
  }

  package var kind: Kind
  /// Of its peaks, in dB below full scale.
  package var level = -12.0
  /// Hertz.
  package var frequency = 1000.0
  package var from = 20.0
  package var to = 20000.0
  /// Seconds.
  package var start = 0.0
  package var seed: UInt64 = 1

  package init(_ kind: Kind) { self.kind = kind }
}
