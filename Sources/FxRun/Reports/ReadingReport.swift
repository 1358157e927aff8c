import FxChain
import FxKit

/// Readings of units as JSON objects.
enum ReadingReport {
  /// `value` is a number, or a list with a number for each channel; null for NaN and for the level
  /// of silence.
  static func json(_ reading: LiveReading) -> JSONOutput {
    let values = reading.values.map { value($0, unit: reading.unit) }
    return .members([
      "name": .string(reading.name), "summary": .string(reading.summary),
      "unit": .string(reading.unit), "value": values.count == 1 ? values[0] : .array(values),
    ])
  }

  /// A value with the precision of 32 bits; a level with a hundredth of a decibel.
  static func value(_ value: Double, unit: String) -> JSONOutput {
    guard value.isFinite else { return .null }
    guard unit == "dB" else { return .number(Double(Float(value).description) ?? value) }
    return value > -200 ? .number((value * 100).rounded() / 100) : .null
  }
}
