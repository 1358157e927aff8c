import FxDiagnostics
import FxKit

/// Figures that units publish, as objects.
enum ReadingReport {
  /// `value` is one number, or a list of one a channel; null for what is no number, and for a level of
  /// nothing.
  static func json(_ reading: LiveReading) -> JSONOutput {
    let values = reading.values.map { value($0, unit: reading.unit) }
    return .members([
      "name": .string(reading.name), "summary": .string(reading.summary),
      "unit": .string(reading.unit), "value": values.count == 1 ? values[0] : .array(values),
    ])
  }

  /// A figure as 32 bits hold it; a level to a hundredth of a decibel.
  static func value(_ value: Double, unit: String) -> JSONOutput {
    guard value.isFinite else { return .null }
    guard unit == "dB" else { return .number(Double(Float(value).description) ?? value) }
    return value > -200 ? .number((value * 100).rounded() / 100) : .null
  }
}
