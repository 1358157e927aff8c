import FxNodes
import Glibc

/// A filter of the equalizer of LSP Plugins as bands of fxrun's.
///
/// The analog prototypes of both have the same form: a section with zeros and poles of one Q is a shelf of the
/// Audio EQ Cookbook, a section of resonance a peak. Source: LSP Plugins, `Filter.cpp` and `para_equalizer.cpp`,
/// which decides the order and the frequencies, as docs/import/easyeffects.md names them.
struct LSPFilter {
  enum Family { case rlc, butterworth, linkwitz, cookbook }

  let type: String
  let family: Family
  /// Whether the filter is made by the matched Z-transform.
  let isMatched: Bool
  /// From 1.
  let slope: Int
  /// In hertz.
  let frequency: Double
  /// In octaves, of a filter with two frequencies.
  let width: Double
  /// In decibels.
  let gain: Double
  let quality: Double
  let sampleRate: Double

  /// - Parameter mode: `RLC (BT)`, `APO (DR)` and so on; nil for an unknown one.
  static func family(_ mode: String) -> (Family, isMatched: Bool)? {
    switch mode {
    case "RLC (BT)": (.rlc, false)
    case "RLC (MT)": (.rlc, true)
    case "BWC (BT)": (.butterworth, false)
    case "BWC (MT)": (.butterworth, true)
    case "LRX (BT)": (.linkwitz, false)
    case "LRX (MT)": (.linkwitz, true)
    case "APO (DR)": (.cookbook, false)
    default: nil
    }
  }

  /// The slope `x3` as a number, x1 where there is none; nil for one that LSP Plugins do not have.
  static func slope(_ source: SourceValue?) -> Int? {
    let slopes = [1, 2, 3, 4, 6, 8, 12, 16]
    guard let text = source?.text else { return source == nil ? 1 : nil }
    return slopes.first { text == "x\($0)" }
  }

  /// Whether the filter changes nothing: it raises or lowers a part of the spectrum, by 0 dB.
  var isNeutral: Bool { gain == 0 && Self.usesGain(type) }

  static func usesGain(_ type: String) -> Bool {
    ["Bell", "Hi-shelf", "Lo-shelf", "Resonance", "Ladder-pass", "Ladder-rej"].contains(type)
  }

  static func usesWidth(_ type: String) -> Bool {
    ["Bandpass", "Ladder-pass", "Ladder-rej"].contains(type)
  }

  /// The bands in their order; nil for a filter that fxrun does not have.
  func bands() -> [Equalizer.Band]? {
    switch (type, family) {
    case ("Notch", .cookbook): [band(.notch, q: cookbookQ)]
    case ("Notch", _): [band(.notch, q: rlcQ)]
    case ("Resonance", .cookbook), ("Bell", .cookbook): [band(.peak, gain: gain, q: cookbookQ)]
    case ("Resonance", _): resonance
    case (_, .cookbook): cookbook
    case (_, .rlc): rlc
    case (_, .butterworth): ButterworthSections(self, repeats: 1).bands
    case (_, .linkwitz): ButterworthSections(self, repeats: 2).bands
    }
  }

  // MARK: Parts

  var lowFrequency: Double { frequency / exp2(width / 2) }
  var highFrequency: Double { frequency * exp2(width / 2) }

  /// LSP has no smaller Q of these filters.
  private var cookbookQ: Double { max(quality, 0.1) }

  /// The Q of a section 1 + 2/(1+q) s + s².
  private var rlcQ: Double { (1 + quality) / 2 }

  /// - Parameters:
  ///   - hertz: the filter's frequency, which is exact; nil for the middle one.
  ///   - ratio: the section's frequency relative to it, in the analog prototype.
  func band(
    _ kind: Equalizer.Band.Kind, at hertz: Double? = nil, ratio: Double = 1, order: Int? = nil,
    gain: Double? = nil, q: Double? = nil
  ) -> Equalizer.Band {
    let limit = 0.49 * sampleRate
    let centre = min(max(hertz ?? frequency, 10), limit)
    let warped =
      ratio == 1 || isMatched
      ? centre * ratio
      : atan(ratio * tan(.pi * centre / sampleRate)) * sampleRate / .pi
    return Equalizer.Band(
      type: kind, order: order, frequency: .hertz(rounded(min(max(warped, 10), limit))),
      gain: gain.map { .decibels(rounded($0)) }, q: q.map { rounded(min(max($0, 0.1), 40)) })
  }

  func level(_ gain: Double) -> Equalizer.Band {
    Equalizer.Band(type: .level, gain: .decibels(rounded(gain)))
  }

  // MARK: Filters

  private var cookbook: [Equalizer.Band]? {
    switch type {
    case "Hi-pass": [band(.highPass, q: cookbookQ)]
    case "Lo-pass": [band(.lowPass, q: cookbookQ)]
    case "Hi-shelf": [band(.highShelf, gain: gain, q: cookbookQ)]
    case "Lo-shelf": [band(.lowShelf, gain: gain, q: cookbookQ)]
    case "Allpass": [band(.allPass, q: cookbookQ)]
    case "Bandpass": [band(.bandPass, q: cookbookQ)]
    case "Ladder-pass":
      [
        band(.highShelf, at: lowFrequency, gain: gain, q: cookbookQ),
        band(.highShelf, at: highFrequency, gain: -gain, q: cookbookQ),
      ]
    case "Ladder-rej":
      [
        band(.lowShelf, at: lowFrequency, gain: gain, q: cookbookQ),
        band(.highShelf, at: highFrequency, gain: gain, q: cookbookQ),
      ]
    default: nil
    }
  }

  private var rlc: [Equalizer.Band]? {
    switch type {
    case "Bell": bell
    case "Hi-pass": repeated(slope) { band(.highPass, q: rlcQ) }
    case "Lo-pass": repeated(slope) { band(.lowPass, q: rlcQ) }
    case "Hi-shelf": repeated(slope) { band(.highShelf, gain: gain / Double(slope), q: rlcQ) }
    case "Lo-shelf": repeated(slope) { band(.lowShelf, gain: gain / Double(slope), q: rlcQ) }
    case "Allpass":
      repeated(slope / 2) { band(.allPass, q: 0.5) }
        + (slope.isMultiple(of: 2) ? [] : [band(.allPass, order: 1)])
    case "Bandpass": bandPass
    case "Ladder-pass":
      repeated(slope) { band(.highShelf, at: lowFrequency, gain: gain / Double(slope), q: rlcQ) }
        + repeated(slope) {
          band(.highShelf, at: highFrequency, gain: -gain / Double(slope), q: rlcQ)
        }
    case "Ladder-rej":
      repeated(slope) { band(.lowShelf, at: lowFrequency, gain: gain / Double(slope), q: rlcQ) }
        + repeated(slope) {
          band(.highShelf, at: highFrequency, gain: gain / Double(slope), q: rlcQ)
        }
    default: nil
    }
  }

  private func repeated(_ count: Int, _ band: () -> Equalizer.Band) -> [Equalizer.Band] {
    (0..<count).map { _ in band() }
  }

  /// Peaks that share the gain; `q` of LSP is another measure than the cookbook's.
  private var bell: [Equalizer.Band] {
    let share = Double(slope)
    let factor = pow(10, gain / 20 / share)
    let q =
      (1 + 2 * quality / share) * factor.squareRoot() / (2 * (1 + factor * factor).squareRoot())
    return repeated(slope) { band(.peak, gain: gain / share, q: q) }
  }

  private var resonance: [Equalizer.Band] {
    let share = Double(slope)
    let factor = pow(10, gain / 20 / share)
    let q = (1 + quality) * (1 + factor * factor).squareRoot() / (2 * factor.squareRoot())
    return repeated(slope) { band(.peak, gain: gain / share, q: q) }
  }

  /// A high-pass at the lower frequency and a low-pass at the upper one, of the order of the slope.
  private var bandPass: [Equalizer.Band] {
    let single =
      slope.isMultiple(of: 2)
      ? []
      : [
        band(.highPass, at: lowFrequency, order: 1), band(.lowPass, at: highFrequency, order: 1),
      ]
    return single + repeated(slope / 2) { band(.highPass, at: lowFrequency, q: rlcQ) }
      + repeated(slope / 2) { band(.lowPass, at: highFrequency, q: rlcQ) }
  }
}
