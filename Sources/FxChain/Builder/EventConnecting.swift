import FxAudio
import FxEngine

/// Connections that carry events: from a MIDI or atom output to a MIDI or atom input.
extension GraphBuilder {
  /// The meaning of a connection: events or a signal.
  enum EventWay {
    /// A signal connection.
    case signal
    /// A wrong event connection, which was reported.
    case mistaken
    case link(from: Connection.Endpoint, to: Connection.Endpoint)
  }

  /// A connection carries events if an end names an event port, or if its source node has only
  /// event outputs.
  func eventWay(
    from source: EndDocument, to target: EndDocument, _ scope: Scope
  ) -> EventWay {
    guard let giver = draft(source.node, scope), let taker = draft(target.node, scope) else {
      return .signal
    }
    let (from, to) = (drafts[giver], drafts[taker])
    guard let given = from.facts?.spec.eventOutputs, let taken = to.facts?.spec.eventInputs else {
      return .signal
    }
    let output = source.port.flatMap { port in given.firstIndex { $0.name == port } }
    let input = target.port.flatMap { port in taken.firstIndex { $0.name == port } }
    let isEvents =
      output != nil || input != nil && source.port == nil && !given.isEmpty
      || source.port == nil && !from.givesSignals && !given.isEmpty && input == nil
        && target.port == nil
    guard isEvents else { return .signal }
    guard let input = input ?? (target.port == nil ? to.facts?.mainEventInput : nil) else {
      report(
        .unknownPort,
        "'\(target.node)' takes no events" + (target.port.map { " at '\($0)'" } ?? ""),
        target.place,
        hints: taken.isEmpty
          ? [] : ["its event inputs: \(taken.map(\.name).joined(separator: ", "))"])
      excused.insert(giver)
      return .mistaken
    }
    return .link(
      from: Connection.Endpoint(node: giver, bus: output ?? 0),
      to: Connection.Endpoint(node: taker, bus: input))
  }

  /// The draft with a name; nil for an included chain and for an unknown name.
  func draft(_ name: String, _ scope: Scope) -> Int? {
    var scope = scope
    let steps = name.split(separator: "/").map(String.init)
    for step in steps.dropLast() {
      guard case .chain(let inner)? = scope.names[step] else { return nil }
      scope = inner
    }
    guard let last = steps.last, !scope.ambiguous.contains(last),
      case .draft(let index)? = scope.names[last]
    else { return nil }
    return index
  }
}

extension NodeBuilder {
  /// True if it has outputs for sound or control signals.
  var givesSignals: Bool { !outputs.isEmpty }
}

extension UnitFacts {
  /// The event input for a connection that names no port: the first that takes MIDI.
  var mainEventInput: Int? {
    spec.eventInputs.firstIndex(where: \.takesMIDI) ?? (spec.eventInputs.isEmpty ? nil : 0)
  }

  /// True if it has only event outputs.
  var givesEventsAlone: Bool { spec.outputs.isEmpty && !spec.eventOutputs.isEmpty }
}
