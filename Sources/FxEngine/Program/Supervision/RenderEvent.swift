package import FxAudio

/// An event of a unit during a render.
package struct RenderEvent: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The unit produced NaN or an infinite sample. `wasFed`: its input was not finite either.
    case nonFinite(isInfinite: Bool, wasFed: Bool)
    /// The unit reported a fault; `detail` says more about it, if known.
    case raised(UnitFault, detail: String?)
    /// Its latency has changed.
    case latency(was: Int, now: Int)
    /// Its latency is above the limit; `limit` is used instead.
    case latencyBeyond(limit: Int, reported: Int)
    /// Its latency has become longer than the loop that it is in.
    case latencyFillsLoop(Int)
  }

  package enum Outcome: Sendable, Hashable {
    /// No action: the caller ends the render.
    case none
    /// The unit was silent until it was restarted.
    case restarted
    /// The unit stays silent: it was restarted too often.
    case silenced
    /// Its input passes through from now on.
    case bypassed
  }

  package let node: Int
  /// On the node's own timeline, which is that of the source.
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
