/// A reading: values that a unit publishes, such as the note of a tuner.
public struct LiveReading: Sendable, Hashable {
  /// The name in requests: `tuner.frequency`.
  public var name: String
  /// A description for people.
  public var summary: String
  /// `dB`, `Hz`; empty for a plain number.
  public var unit: String
  /// The values now: one number, or one per channel.
  public var values: [Double]

  public init(name: String, summary: String, unit: String, values: [Double]) {
    self.name = name
    self.summary = summary
    self.unit = unit
    self.values = values
  }
}
