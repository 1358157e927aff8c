package import FxAudio

/// Something that happened to a unit while it rendered.
package struct RenderEvent: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// It made a sample that is not a number, or an infinite one; `wasFed` when its input was not
    /// finite either.
    case nonFinite(isInfinite: Bool, wasFed: Bool)
    /// It raised a fault itself, with what is known of it beside its kind.
    case raised(UnitFault, detail: String?)
    /// Its latency is another from here on.
    case latency(was: Int, now: Int)
    /// Its latency is more than there is room for; it is taken for `limit`.
    case latencyBeyond(limit: Int, reported: Int)
    /// Its latency has become longer than the loop that it is in.
    case latencyFillsLoop(Int)
  }

  package enum Outcome: Sendable, Hashable {
    /// Nothing was done about it: the caller ends the render.
    case none
    /// It was silent until it had been restarted.
    case restarted
    /// It stays silent: it has been restarted often enough.
    case silenced
    /// Its input passes from now on.
    case bypassed
  }

  package let node: Int
  /// Of the node's own time line, which is that of the source.
  package let frame: Int
  package let kind: Kind
  package let outcome: Outcome

  package var isFault: Bool {
    switch kind {
    case .nonFinite, .raised: true
    case .latency, .latencyBeyond, .latencyFillsLoop: false
    }
  }
}
