/// A frequency; a literal is in hertz.
public struct Frequency: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func hertz(_ number: Double) -> Frequency { measured(number, "Hz") }
  public static func kilohertz(_ number: Double) -> Frequency { measured(number, "kHz") }
}

/// A level or a change of level; a literal is in decibels.
public struct Level: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  /// In decibels; negative infinity is silence.
  public init(_ number: Double) {
    chainValue = number == -.infinity ? Self.silence.chainValue : .number(number)
  }

  public static func decibels(_ number: Double) -> Level { measured(number, "dB") }
  /// No sound at all.
  public static let silence = Level(written: "-inf dB")
}

/// A loudness relative to full scale; a literal is in LUFS.
public struct LoudnessLevel: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func lufs(_ number: Double) -> LoudnessLevel { measured(number, "LUFS") }
}

/// A time; a literal is in seconds. Beats and notes need the chain's tempo.
public struct Time: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func seconds(_ number: Double) -> Time { measured(number, "s") }
  public static func milliseconds(_ number: Double) -> Time { measured(number, "ms") }
  public static func minutes(_ number: Double) -> Time { measured(number, "min") }
  public static func beats(_ number: Double) -> Time { measured(number, "beats") }
  /// Frames at the chain's sample rate.
  public static func frames(_ number: Int) -> Time { measured(Double(number), "frames") }
  /// A note as it is written in music: `.note(1, 8)` is an eighth.
  public static func note(_ count: Int, _ value: Int, _ form: NoteForm = .plain) -> Time {
    Time(written: .string("\(count)/\(value)\(form.rawValue)"))
  }
}

/// How a note lasts longer or shorter than its value says.
public enum NoteForm: String, Sendable, Hashable, CaseIterable {
  case plain = ""
  /// Half as long again.
  case dotted = "."
  /// A third of the time of two.
  case triplet = "t"
}

/// A share or a factor: 0.2 is 20 %.
public struct Ratio: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func percent(_ number: Double) -> Ratio { measured(number, "%") }
  /// A factor of amplitude as a change of level.
  public static func decibels(_ number: Double) -> Ratio { measured(number, "dB") }
}

/// A pitch interval; a literal is in semitones.
public struct Semitones: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func semitones(_ number: Double) -> Semitones { measured(number, "st") }
  public static func cents(_ number: Double) -> Semitones { measured(number, "ct") }
  public static func octaves(_ number: Double) -> Semitones { measured(number, "oct") }
}

/// A frequency interval; a literal is in octaves.
public struct Octaves: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func octaves(_ number: Double) -> Octaves { measured(number, "oct") }
  public static func semitones(_ number: Double) -> Octaves { measured(number, "st") }
}

/// An angle; a literal is in degrees.
public struct Degrees: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func degrees(_ number: Double) -> Degrees { measured(number, "°") }
}

/// A tempo; a literal is in beats a minute.
public struct Tempo: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func beatsPerMinute(_ number: Double) -> Tempo { measured(number, "bpm") }
}

/// A musical time; a literal is in beats. Notes and seconds need the chain's tempo.
public struct Beats: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func beats(_ number: Double) -> Beats { measured(number, "beats") }
  public static func seconds(_ number: Double) -> Beats { measured(number, "s") }
  public static func milliseconds(_ number: Double) -> Beats { measured(number, "ms") }
  /// A note as it is written in music: `.note(1, 8)` is an eighth.
  public static func note(_ count: Int, _ value: Int, _ form: NoteForm = .plain) -> Beats {
    Beats(written: Time.note(count, value, form).chainValue)
  }
}

/// A number of frames.
public struct Frames: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func frames(_ number: Int) -> Frames { measured(Double(number), "frames") }
  public static func seconds(_ number: Double) -> Frames { measured(number, "s") }
  public static func milliseconds(_ number: Double) -> Frames { measured(number, "ms") }
}
