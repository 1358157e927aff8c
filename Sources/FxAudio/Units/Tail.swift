/// How long a unit sounds after its input has ended.
public enum Tail: Sendable, Hashable {
  /// After at most this many frames, the rest is below -90 dB.
  case frames(Int)
  /// Unknown, as for a plugin or a loop.
  case unknown

  public static let none = Tail.frames(0)

  /// The longer of two tails; an unknown one is the longest.
  public func longer(_ other: Tail) -> Tail {
    guard case .frames(let frames) = self, case .frames(let others) = other else { return .unknown }
    return .frames(max(frames, others))
  }
}
