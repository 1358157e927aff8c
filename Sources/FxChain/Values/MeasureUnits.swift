package import FxAudio

/// A unit of measure as written in chains.
enum UnitOfMeasure: Hashable {
  case decibels, fullScale, loudness, truePeak, hertz, seconds, percent, semitones, octaves, beats,
    frames, degrees, bpm

  /// The unit and its factor, by spelling. Case is ignored, except where this function
  /// distinguishes it.
  static func named(_ spelling: String) -> (unit: UnitOfMeasure, factor: Double)? {
    switch spelling.lowercased() {
    case "db": (.decibels, 1)
    case "dbfs": (.fullScale, 1)
    case "lu", "lufs", "lkfs": (.loudness, 1)
    case "dbtp": (.truePeak, 1)
    case "hz": (.hertz, 1)
    case "khz": (.hertz, 1000)
    case "s", "sec", "second", "seconds": (.seconds, 1)
    case "ms": (.seconds, 0.001)
    case "us", "µs", "μs": (.seconds, 0.000001)
    case "min", "minute", "minutes": (.seconds, 60)
    case "h", "hour", "hours": (.seconds, 3600)
    case "%": (.percent, 0.01)
    case "st", "semitone", "semitones": (.semitones, 1)
    case "ct", "cent", "cents": (.semitones, 0.01)
    case "oct", "octave", "octaves": (.octaves, 1)
    case "beat", "beats": (.beats, 1)
    case "frame", "frames": (.frames, 1)
    case "°", "deg", "degrees": (.degrees, 1)
    case "bpm": (.bpm, 1)
    default: nil
    }
  }

  static let spellings = [
    "dB", "Hz", "kHz", "s", "ms", "min", "h", "%", "st", "ct", "oct", "beats", "frames", "°", "bpm",
  ]
}

extension Measure {
  /// The units for a value of this measure, the parameter's own first.
  package var accepted: [String] {
    switch self {
    case .none: []
    case .decibels: ["dB"]
    case .lufs: ["LUFS"]
    case .loudnessUnits: ["LU"]
    case .hertz: ["Hz", "kHz"]
    case .seconds: ["s", "ms", "min", "m:ss", "frames", "beats"]
    case .ratio: ["a factor", "%", "dB", "4:1"]
    case .gain: ["dB", "a factor", "%"]
    case .semitones: ["st", "ct", "oct"]
    case .octaves: ["oct", "st", "ct"]
    case .beats: ["beats", "1/8", "s", "ms"]
    case .frames: ["frames", "s", "ms"]
    case .degrees: ["°"]
    case .bpm: ["bpm"]
    }
  }

  /// Converts a quantity to a number of this measure.
  ///
  /// - Parameters:
  ///   - isFullScale: True for a level relative to full scale, which may be written in dBFS.
  ///   - isTruePeak: True for a true peak level, which may be written in dBTP.
  package func value(
    _ quantity: Quantity, shown: String, context: ValueContext, isFullScale: Bool = false,
    isTruePeak: Bool = false
  ) throws(ValueProblem) -> Double {
    switch quantity {
    case .plain(let number, ""):
      return number
    case .plain(let number, let spelling):
      guard let (unit, factor) = UnitOfMeasure.named(spelling) else {
        throw ValueProblem(
          .wrongUnit, "\(shown): '\(spelling)' is not a unit of measure",
          hints: Suggestion.hint(for: spelling, in: UnitOfMeasure.spellings) + acceptedHint)
      }
      // Divides for milliseconds and other small units, so that "20 ms" is the same number as 0.02.
      if isFullScale && unit == .fullScale || isTruePeak && unit == .truePeak { return number }
      let scaled = factor < 1 ? number / (1 / factor).rounded() : number * factor
      return try converted(scaled, unit, shown: shown, context: context)
    case .clock(let seconds, let quotient):
      if self == .ratio || self == .none {
        guard let quotient else { throw wrongUnit(shown) }
        return quotient
      }
      return try converted(seconds, .seconds, shown: shown, context: context)
    case .fraction(let fraction):
      if self == .ratio || self == .gain || self == .none { return fraction }
      return try converted(
        try context.beats(ofNote: fraction, shown), .beats, shown: shown, context: context)
    case .fractionOfBeat(let fraction):
      if self == .ratio || self == .gain || self == .none { return fraction }
      return try converted(fraction, .beats, shown: shown, context: context)
    case .note(let part):
      return try converted(
        try context.beats(ofNote: part, shown), .beats, shown: shown, context: context)
    }
  }

  private func converted(
    _ number: Double, _ unit: UnitOfMeasure, shown: String, context: ValueContext
  ) throws(ValueProblem) -> Double {
    switch (self, unit) {
    case (.decibels, .decibels), (.hertz, .hertz), (.seconds, .seconds), (.ratio, .percent),
      (.gain, .percent), (.lufs, .loudness), (.loudnessUnits, .loudness),
      (.semitones, .semitones), (.octaves, .octaves), (.beats, .beats), (.frames, .frames),
      (.degrees, .degrees), (.bpm, .bpm):
      return number
    case (.ratio, .decibels), (.gain, .decibels): return amplitude(decibels: number)
    case (.semitones, .octaves): return number * 12
    case (.octaves, .semitones): return number / 12
    case (.seconds, .frames): return number / (try sampleRate(context, shown))
    case (.frames, .seconds): return (number * (try sampleRate(context, shown))).rounded()
    case (.seconds, .beats): return number * 60 / (try tempo(context, shown))
    case (.beats, .seconds): return number * (try tempo(context, shown)) / 60
    case (.frames, .beats):
      let seconds = number * 60 / (try tempo(context, shown))
      return (seconds * (try sampleRate(context, shown))).rounded()
    case (.beats, .frames):
      let seconds = number / (try sampleRate(context, shown))
      return seconds * (try tempo(context, shown)) / 60
    default: throw wrongUnit(shown, unit)
    }
  }

  private func wrongUnit(_ shown: String, _ unit: UnitOfMeasure? = nil) -> ValueProblem {
    let hints = unit.flatMap(relativeHint).map { [$0] } ?? acceptedHint
    return ValueProblem(
      .wrongUnit,
      self == .none
        ? "\(shown): a plain number is asked for, without a unit of measure"
        : "\(shown) has the wrong unit of measure",
      hints: hints)
  }

  /// Why an absolute unit cannot be used for a change of level.
  private func relativeHint(_ unit: UnitOfMeasure) -> String? {
    guard self == .decibels || self == .ratio || self == .gain else { return nil }
    return switch unit {
    case .fullScale: "dBFS is a level against full scale, and this is a change of level: write dB"
    case .loudness: "loudness is measured in LUFS and LU, it is not set in them: write dB"
    case .truePeak: "true peaks are measured in dBTP, they are not set in it: write dB"
    default: nil
    }
  }

  private var acceptedHint: [String] {
    accepted.isEmpty ? [] : ["written in \(accepted.joined(separator: ", "))"]
  }

  private func sampleRate(_ context: ValueContext, _ shown: String) throws(ValueProblem) -> Double {
    guard let rate = context.sampleRate, rate > 0 else {
      throw ValueProblem(
        .needsSampleRate, "\(shown): the sample rate is not known here",
        hints: ["give the chain a \"sampleRate\", or write a time"])
    }
    return rate
  }

  private func tempo(_ context: ValueContext, _ shown: String) throws(ValueProblem) -> Double {
    guard let tempo = context.tempo, tempo > 0 else {
      throw ValueProblem(
        .needsTempo, "\(shown): beats need a tempo",
        hints: ["give the chain a \"tempo\", such as \"120 bpm\", or write a time"])
    }
    return tempo
  }
}

/// The linear amplitude of a level: 10^(dB/20), the same bits on every machine.
///
/// 2^x as 2^n · e^(f·ln 2) with |f| ≤ ½ and the exponential's Taylor series to the term below half
/// a unit in the last place.
package func amplitude(decibels: Double) -> Double {
  guard decibels.isFinite else { return decibels > 0 ? .infinity : 0 }
  let exponent = decibels * 0.16609640474436813  // log2(10) / 20
  let whole = exponent.rounded()
  guard abs(whole) < 1000 else { return whole > 0 ? .infinity : 0 }
  let rest = (exponent - whole) * 0.6931471805599453
  var sum = 1.0
  for term in stride(from: 18.0, through: 1, by: -1) { sum = 1 + rest / term * sum }
  return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
}
