import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// An event of a node while it rendered: a fault, or a change of latency.
public struct RenderingEvent: Sendable, CustomStringConvertible {
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
    /// The node stays silent.
    case silenced
    /// The node is bypassed.
    case bypassed
  }

  public let kind: Kind
  /// The node's name in the chain.
  public let node: String
  /// The URI of an LV2 plugin.
  public let plugin: String?
  /// The frame on the node's own timeline, which begins with the source's first frame.
  public let frame: Int
  public let seconds: Double
  /// The latency from here on, in frames.
  public let latencyFrames: Int?
  /// nil for an event that is not a fault.
  public let outcome: Outcome?
  /// One sentence for people, without the outcome.
  let message: String
  let isOwnFault: Bool

  public var isFault: Bool { outcome != nil }

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

  /// A fault without an outcome counts as one that stopped the render.
  init(_ event: RenderEvent, in graph: Graph, sampleRate: Double) {
    let node = graph.nodes[event.node]
    self.node = node.id
    frame = max(0, event.frame)
    seconds = sampleRate > 0 ? Double(frame) / sampleRate : 0
    if case .unit(let unit) = node.content, case .lv2(let uri) = unit.kind {
      plugin = uri
    } else {
      plugin = nil
    }
    let kindName = node.content.kindName
    let name = kindName == node.id ? "'\(node.id)'" : "'\(node.id)' (\(kindName))"
    let place = "\(clockTime(frame, sampleRate: sampleRate)) (frame \(frame))"
    var latency: Int?
    var isOwnFault = true
    switch event.kind {
    case .nonFinite(let isInfinite, let wasFed):
      kind = .nonFinite
      isOwnFault = plugin != nil && !wasFed
      let sample = isInfinite ? "an infinite sample" : "a sample that is not a number"
      message =
        wasFed
        ? "\(name) was fed a sample that is not finite at \(place)"
        : "\(name) made \(sample) at \(place)"
    case .raised(let fault, let detail):
      let detail = detail.map { ": \($0)" } ?? ""
      switch fault {
      case .nonFinite:
        kind = .nonFinite
        message = "\(name) made a sample that is not a number at \(place)\(detail)"
      case .crashed:
        kind = .crashed
        message = "\(name) crashed at \(place)\(detail)"
      case .hung:
        kind = .hung
        message = "\(name) did not answer in time at \(place)\(detail)"
      }
    case .latency(let was, let now):
      kind = .latency
      latency = now
      message = "\(name) is \(now) frames late from \(place) on; before it was \(was)"
    case .latencyBeyond(let limit, let reported):
      kind = .latencyLimit
      latency = limit
      message =
        "\(name) says that it is \(reported) frames late, more than can be compensated while it "
        + "renders; \(limit) are compensated"
    case .latencyFillsLoop(let now):
      kind = .latencyLimit
      message =
        "\(name) says that it is \(now) frames late, which is not less than the delay of its loop; "
        + "the loop is late from \(place) on"
    }
    latencyFrames = latency
    self.isOwnFault = isOwnFault
    switch event.outcome {
    case .none: outcome = event.isFault ? .stopped : nil
    case .restarted: outcome = .restarted
    case .silenced: outcome = .silenced
    case .bypassed: outcome = .bypassed
    }
  }
}

extension ChainFailure {
  /// A fault that ended a render: the plugin's own, or a signal that grows without limit.
  init(_ event: RenderingEvent) {
    let advice =
      event.isOwnFault
      ? "" : ": the signal grows beyond what a sample can hold; look for a loop or gains above 0 dB"
    self.init(
      event.isOwnFault ? .plugin : .chain, codeText: event.kind.rawValue, event.description + advice
    )
  }
}
