import FxAudio

/// The text after `Filter:`: `ON PK Fc 100 Hz Gain 3 dB Q 1.41`.
///
/// The default width, and the corner frequency of a shelf without a C, follow Equalizer APO: its
/// configuration reference, and its behaviour.
struct EqualizerLine {
  private let line: Int
  private let words: [Substring]
  private var isOn = true
  private var type = ""
  private var frequency: Double?
  private var gain: Double?
  private var q: Double?
  private var octaves: Double?
  private var slope: Double?

  init(_ text: String, line: Int) throws(EqualizerText.Mistake) {
    self.line = line
    words = text.split(whereSeparator: \.isWhitespace)
    var index = 0
    while index < words.count {
      let word = words[index].lowercased()
      index += 1
      switch word {
      case "on": isOn = true
      case "off": isOn = false
      case "fc": frequency = try number(&index, "Fc")
      case "gain": gain = try number(&index, "Gain")
      case "q": q = try number(&index, "Q")
      case "bw":
        if index < words.count, words[index].lowercased() == "oct" { index += 1 }
        octaves = try number(&index, "BW")
      case "hz", "db", "oct": break
      default: takeOther(word)
      }
    }
  }

  /// A type, or the slope of a shelf: `12`, `12dB`.
  private mutating func takeOther(_ word: String) {
    let plain = word.hasSuffix("db") ? String(word.dropLast(2)) : word
    if let number = EqualizerText.number(Substring(plain)), !type.isEmpty, frequency == nil {
      slope = number
    } else if type.isEmpty {
      type = word
    }
  }

  private func number(
    _ index: inout Int, _ key: String
  ) throws(EqualizerText.Mistake) -> Double {
    guard index < words.count, let number = EqualizerText.number(words[index]) else {
      throw mistake("a number is missing behind \(key)")
    }
    index += 1
    return number
  }

  private func mistake(_ message: String) -> EqualizerText.Mistake {
    EqualizerText.Mistake(line: line, message: message)
  }

  /// The band; nil for a filter that is off or has no type.
  func band(sampleRate: Double) throws(EqualizerText.Mistake) -> EqualizerText.Band? {
    guard isOn, !type.isEmpty, type != "none" else { return nil }
    let kinds = [
      "pk": "peak", "peq": "peak", "lp": "lowPass", "lpq": "lowPass", "hp": "highPass",
      "hpq": "highPass", "bp": "bandPass", "no": "notch", "ap": "allPass", "ls": "lowShelf",
      "lsc": "lowShelf", "lsq": "lowShelf", "hs": "highShelf", "hsc": "highShelf",
      "hsq": "highShelf",
    ]
    guard let kind = kinds[type] else { throw mistake("there is no filter '\(type.uppercased())'") }
    guard let frequency, frequency > 0 else { throw mistake("'Fc' is missing") }
    var band = EqualizerText.Band(type: kind, frequency: frequency, gain: gain ?? 0)
    switch kind {
    case "lowShelf", "highShelf": try shelf(&band)
    case "peak", "allPass":
      guard let width = width(frequency, sampleRate) else {
        throw mistake("a \(type.uppercased()) needs Q or BW")
      }
      band.q = width
    case "notch": band.q = width(frequency, sampleRate) ?? 30
    default: band.q = width(frequency, sampleRate) ?? band.q
    }
    guard band.q > 0 else { throw mistake("a Q is above 0") }
    return band
  }

  /// The Q, or the Q for a bandwidth in octaves (R. Bristow-Johnson, "Audio EQ Cookbook").
  private func width(_ frequency: Double, _ sampleRate: Double) -> Double? {
    if let q { return q }
    guard let octaves, octaves > 0 else { return nil }
    let turn = 2 * Double.pi * min(frequency / sampleRate, 0.49)
    let exponent = 0.5 * 0.693_147_180_559_945_3 * octaves * turn / Math.sin(turn)
    return 1 / (Math.exp(exponent) - Math.exp(-exponent))
  }

  private func shelf(_ band: inout EqualizerText.Band) throws(EqualizerText.Mistake) {
    let amplitude = Math.pow(10, band.gain / 40)
    let sum = amplitude + 1 / amplitude
    // A steepness of 1 is 12 dB per octave.
    var steepness = 0.9
    if let slope { steepness = slope / 12 }
    if let q {
      band.q = q
      steepness = 1 / ((1 / (q * q) - 2) / sum + 1)
    } else {
      let inverse = sum * (1 / steepness - 1) + 2
      guard steepness > 0, inverse > 0 else { throw mistake("a shelf is not as steep as that") }
      band.q = 1 / Math.squareRoot(inverse)
    }
    guard type == "ls" || type == "hs", q != nil || slope != nil else { return }
    let factor = Math.pow(10, abs(band.gain) / 80 / steepness)
    band.frequency = band.type == "lowShelf" ? band.frequency * factor : band.frequency / factor
  }
}
