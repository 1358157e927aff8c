package import FxAudio

/// The unit of a port: its measure in a chain, and the factor between both.
package struct LV2Measure: Sendable, Hashable {
  package var measure: Measure
  /// The port's value is the chain's value times this: 1000 for a port in milliseconds.
  package var scale: Double
  /// The plugin's own notation, for lists: `ms`, `%`; empty where there is none.
  package var label: String

  package static let none = LV2Measure(measure: .none, scale: 1, label: "")

  /// A custom unit of the plugin, by its symbol. The LSP plugins use `G` for a linear gain. Any
  /// other symbol is only shown; its values have no unit in a chain.
  package init(symbol: String, name: String) {
    let isGain = symbol == "G" || name.lowercased() == "gain"
    self.init(measure: isGain ? .gain : .none, scale: 1, label: symbol)
  }

  package init(measure: Measure, scale: Double, label: String) {
    self.measure = measure
    self.scale = scale
    self.label = label
  }

  /// The measure of a unit of the LV2 units vocabulary, nil for any other.
  package init?(unit uri: String) {
    guard uri.hasPrefix(LV2URI.units) else { return nil }
    switch uri.dropFirst(LV2URI.units.count) {
    case "s": self.init(measure: .seconds, scale: 1, label: "s")
    case "ms": self.init(measure: .seconds, scale: 1000, label: "ms")
    case "min": self.init(measure: .seconds, scale: 1 / 60, label: "min")
    case "hz": self.init(measure: .hertz, scale: 1, label: "Hz")
    case "khz": self.init(measure: .hertz, scale: 1e-3, label: "kHz")
    case "mhz": self.init(measure: .hertz, scale: 1e-6, label: "MHz")
    case "db": self.init(measure: .decibels, scale: 1, label: "dB")
    case "coef": self.init(measure: .ratio, scale: 1, label: "")
    case "pc": self.init(measure: .ratio, scale: 100, label: "%")
    case "semitone12TET": self.init(measure: .semitones, scale: 1, label: "st")
    case "cent": self.init(measure: .semitones, scale: 100, label: "ct")
    case "oct": self.init(measure: .octaves, scale: 1, label: "oct")
    case "bpm": self.init(measure: .bpm, scale: 1, label: "BPM")
    case "beat": self.init(measure: .beats, scale: 1, label: "beats")
    case "frame": self.init(measure: .frames, scale: 1, label: "frames")
    case "degree": self.init(measure: .degrees, scale: 1, label: "°")
    case "midiNote": self.init(measure: .none, scale: 1, label: "note")
    case "bar": self.init(measure: .none, scale: 1, label: "bars")
    case "m": self.init(measure: .none, scale: 1, label: "m")
    case "cm": self.init(measure: .none, scale: 1, label: "cm")
    case "mm": self.init(measure: .none, scale: 1, label: "mm")
    case "km": self.init(measure: .none, scale: 1, label: "km")
    case "inch": self.init(measure: .none, scale: 1, label: "in")
    case "mile": self.init(measure: .none, scale: 1, label: "mi")
    default: return nil
    }
  }
}
