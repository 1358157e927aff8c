package import FxAudio

/// An event of a node while it rendered: a fault, or a change of latency.
public struct RenderingEvent: Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    /// A sample was NaN or infinite.
    case nonFinite = "not-finite"
    /// The process of an isolated plugin ended.
    case crashed
    /// The process of an isolated plugin did not answer in time.
    case hung
    /// The node's latency changed.
    case latency
    /// The node's latency is more than can be compensated.
    case latencyLimit = "latency-limit"
  }

  public enum Outcome: String, Sendable, CaseIterable {
    /// The render ended.
    case stopped
    /// The node was silent until it was restarted.
    case restarted
    /// The node stays silent, because it was restarted too often.
    case silenced
    /// The node is bypassed.
    case bypassed
  }

  package enum Cause: Sendable, Hashable {
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

  package let cause: Cause
  /// nil for an event that is not a fault.
  public let outcome: Outcome?
  /// The node's name in the chain.
  public let node: String
  /// The URI of an LV2 plugin.
  public let plugin: String?
  /// The frame on the node's own timeline, which begins with the source's first frame.
  public let frame: Int
  private let sampleRate: Double
  /// What the node is: the name of its unit.
  private let content: String

  init(_ cause: Cause, _ outcome: Outcome?, _ node: Graph.Node, frame: Int, sampleRate: Double) {
    self.cause = cause
    self.outcome = outcome
    self.node = node.id
    self.frame = max(0, frame)
    self.sampleRate = sampleRate
    content = node.content.kindName
    if case .unit(let unit) = node.content, case .lv2(let uri) = unit.kind {
      plugin = uri
    } else {
      plugin = nil
    }
  }

  public var isFault: Bool { outcome != nil }

  public var seconds: Double { sampleRate > 0 ? Double(frame) / sampleRate : 0 }

  public var kind: Kind {
    switch cause {
    case .nonFinite, .raised(.nonFinite, _): .nonFinite
    case .raised(.crashed, _): .crashed
    case .raised(.hung, _): .hung
    case .latency: .latency
    case .latencyBeyond, .latencyFillsLoop: .latencyLimit
    }
  }

  /// The latency from here on, in frames.
  public var latencyFrames: Int? {
    switch cause {
    case .nonFinite, .raised, .latencyFillsLoop: nil
    case .latency(_, let now): now
    case .latencyBeyond(let limit, _): limit
    }
  }

  /// False for a fault of the signal, not of the plugin.
  package var isOwnFault: Bool {
    if case .nonFinite(_, let wasFed) = cause { plugin != nil && !wasFed } else { true }
  }

  /// One sentence for people.
  public var description: String {
    switch outcome {
    case .stopped, nil: message
    case .restarted: "\(message); it was silent until it had been restarted"
    case .silenced:
      "\(message), after \(Supervisor.restartLimit) restarts within "
        + "\(Int(Supervisor.period)) s; it stays silent"
    case .bypassed: "\(message); bypassed"
    }
  }

  /// One sentence for people, without the outcome.
  private var message: String {
    let name = content == node ? "'\(node)'" : "'\(node)' (\(content))"
    let place = "\(clockTime(frame, sampleRate: sampleRate)) (frame \(frame))"
    switch cause {
    case .nonFinite(let isInfinite, let wasFed):
      let sample = isInfinite ? "an infinite sample" : "a sample that is not a number"
      return wasFed
        ? "\(name) was fed a sample that is not finite at \(place)"
        : "\(name) made \(sample) at \(place)"
    case .raised(let fault, let detail):
      let detail = detail.map { ": \($0)" } ?? ""
      return switch fault {
      case .nonFinite: "\(name) made a sample that is not a number at \(place)\(detail)"
      case .crashed: "\(name) crashed at \(place)\(detail)"
      case .hung: "\(name) did not answer in time at \(place)\(detail)"
      }
    case .latency(let was, let now):
      return "\(name) is \(now) frames late from \(place) on; before it was \(was)"
    case .latencyBeyond(let limit, let reported):
      return
        "\(name) says that it is \(reported) frames late, more than can be compensated while it "
        + "renders; \(limit) are compensated"
    case .latencyFillsLoop(let now):
      return
        "\(name) says that it is \(now) frames late, which is not less than the delay of its loop; "
        + "the loop is late from \(place) on"
    }
  }
}
