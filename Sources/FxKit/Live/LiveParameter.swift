/// A parameter of a playing chain, with all facts needed to draw a knob for it.
public struct LiveParameter: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    case number
    case integer
    /// 0 or 1, written `false` or `true`.
    case toggle
    /// One of `choices`.
    case choice
  }

  public struct Choice: Sendable, Hashable {
    public var label: String
    public var value: Double

    public init(_ label: String, _ value: Double) {
      self.label = label
      self.value = value
    }
  }

  /// The name in requests: `comp.threshold`, or a name that the chain exposes.
  public var name: String
  /// The parameter behind an exposed name.
  public var target: String?
  /// One sentence about the parameter.
  public var summary: String
  public var kind: Kind
  /// `dB`, `Hz`, `s`; empty for a plain number.
  public var unit: String
  public var minimum: Double
  public var maximum: Double
  public var defaultValue: Double
  /// The last value that was set.
  public var value: Double
  /// True if equal factors are equal steps, as for frequencies and times.
  public var isGeometric: Bool
  /// Named values; a `choice` has no others.
  public var choices: [Choice]
}
