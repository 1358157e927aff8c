/// A parameter of a chain that plays: what somebody needs to know to draw a knob for it.
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

  /// As requests name it: `comp.threshold`, or a name that the chain exposes.
  public var name: String
  /// What an exposed name stands for.
  public var target: String?
  /// A sentence.
  public var summary: String
  public var kind: Kind
  /// `dB`, `Hz`, `s`; empty for a plain number.
  public var unit: String
  public var minimum: Double
  public var maximum: Double
  public var defaultValue: Double
  /// What it was given last.
  public var value: Double
  /// True where equal factors make equal steps: frequencies and times.
  public var isGeometric: Bool
  /// Named values; of a `choice` the only ones.
  public var choices: [Choice]
}
