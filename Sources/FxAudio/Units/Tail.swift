/// How long a unit goes on sounding after its input has ended.
package enum Tail: Sendable, Hashable {
  /// At most so many frames until what is left is below -90 dB.
  case frames(Int)
  /// It is not known: a plugin, a loop.
  case unknown

  package static let none = Tail.frames(0)

  /// The longer of two; one that is not known is the longest.
  package func longer(_ other: Tail) -> Tail {
    guard case .frames(let frames) = self, case .frames(let others) = other else { return .unknown }
    return .frames(max(frames, others))
  }
}
