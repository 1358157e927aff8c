import Glibc

/// The width of a filter of sox or ffmpeg, in one of their units.
struct FilterWidth {
  enum Unit: Character {
    case q = "q"
    case octaves = "o"
    case hertz = "h"
    case kilohertz = "k"
    /// The slope S of the Audio EQ Cookbook, of a shelf.
    case slope = "s"
  }

  let value: Double
  let unit: Unit

  /// A width with the letter of its unit: `0.7q`, `1o`, `100h`, `0.1k`, `0.5s`; nil for another text.
  init?(_ text: String, otherwise: Unit) {
    let last = text.last.flatMap { Unit(rawValue: $0) }
    guard let value = Double(last == nil ? text : String(text.dropLast())), value > 0,
      value.isFinite
    else { return nil }
    self.init(value, last ?? otherwise)
  }

  init(_ value: Double, _ unit: Unit) { (self.value, self.unit) = (value, unit) }

  /// The Q. A width in octaves is that of the cookbook, at this rate.
  func q(frequency: Double, gain: Double, sampleRate: Double) -> Double {
    switch unit {
    case .q: value
    case .octaves: FxImport.q(octaves: value, frequency: frequency, sampleRate: sampleRate)
    case .hertz: frequency / value
    case .kilohertz: frequency / (value * 1000)
    case .slope: FxImport.q(slope: value, gain: gain)
    }
  }
}
