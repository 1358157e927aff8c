/// A unit of measure that a parameter or an option is given in.
public enum Measure: String, Sendable, Hashable, CaseIterable {
  case none = ""
  case decibels = "dB"
  /// A loudness relative to full scale; `loudnessUnits` is for the difference of two.
  case lufs = "LUFS"
  case loudnessUnits = "LU"
  case hertz = "Hz"
  case seconds = "s"
  /// A factor; 50 % is 0.5.
  case ratio = "ratio"
  /// A linear factor of level, which is shown in decibels: 0.5 is -6.02 dB.
  case gain = "gain"
  case semitones = "st"
  case octaves = "oct"
  case beats = "beats"
  case frames = "frames"
  case degrees = "°"
  case bpm = "bpm"
}

/// A level relative to full scale.
public struct Decibels: Sendable, Hashable {
  public let value: Double
  public init(_ value: Double) { self.value = value }
}
