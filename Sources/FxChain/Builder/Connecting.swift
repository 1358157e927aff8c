import FxAudio
import FxEngine

/// Connections between drafts.
extension GraphBuilder {
  func connect(_ scope: Scope) {
    if scope.document.form == .list {
      connectList(scope)
      return
    }
    var seen: Set<String> = []
    for document in scope.document.connections {
      guard let link = link(document, scope) else { continue }
      let (from, to) = (link.from, link.to)
      let key =
        "\(link.carriesEvents ? "e" : "")\(from.node).\(from.bus).\(from.channel ?? -1)>\(to.node).\(to.bus).\(to.channel ?? -1)"
        + (document.channels.map { "\($0)" } ?? "") + (document.feedback?.value == true ? "f" : "")
      if !seen.insert(key).inserted {
        report(
          .duplicateConnection, "this connection is written twice: the signal is added to itself",
          document.place)
      }
      if document.channels != nil, from.channel != nil {
        report(
          .invalidConnection, "'channels' chooses from a whole output, not from one channel of it",
          document.place)
      }
      links.append(link)
    }
  }

  private func link(_ document: ConnectionDocument, _ scope: Scope) -> Link? {
    switch eventWay(from: document.from, to: document.to, scope) {
    case .mistaken: return nil
    case .link(let from, let to):
      return Link(
        from: from, to: to, carriesEvents: true, document: document, place: document.place)
    case .signal:
      guard let from = resolve(document.from, scope, feeding: nil),
        let to = resolve(document.to, scope, feeding: document.from)
      else { return nil }
      return Link(from: from, to: to, document: document, place: document.place)
    }
  }

  /// Connects the nodes of a list in order. A modulator receives the signal of the node before it;
  /// the nodes after it receive that signal too, as if the modulator were absent.
  private func connectList(_ scope: Scope) {
    var giver: String?
    for to in scope.order {
      let facts = facts(ofNode: to, scope)
      defer { if facts?.isModulator != true { giver = to } }
      guard let from = giver, !(facts?.isModulator == true && facts?.isGenerator == true) else {
        continue
      }
      if let before = self.facts(ofNode: from, scope), before.givesEventsAlone,
        let input = facts?.mainEventInput, let source = draft(from, scope),
        let target = draft(to, scope)
      {
        links.append(
          Link(
            from: Connection.Endpoint(node: source),
            to: Connection.Endpoint(node: target, bus: input), carriesEvents: true,
            place: drafts[target].place))
        continue
      }
      let place = target(to, scope)?.place ?? scope.document.place
      let fromEnd = EndDocument(node: from, place: place)
      let toEnd = EndDocument(node: to, place: place)
      guard let source = resolve(fromEnd, scope, feeding: nil, isImplicit: true),
        let sink = resolve(toEnd, scope, feeding: fromEnd, isImplicit: true)
      else { continue }
      links.append(Link(from: source, to: sink, place: place))
    }
  }

  private func facts(ofNode id: String, _ scope: Scope) -> UnitFacts? {
    guard case .draft(let index)? = scope.names[id] else { return nil }
    return drafts[index].facts
  }

  private func target(_ id: String, _ scope: Scope) -> (target: Scope.Target, place: Place)? {
    guard let target = scope.names[id] else { return nil }
    switch target {
    case .draft(let index): return (target, drafts[index].place)
    case .chain(let inner): return (target, inner.node?.place ?? scope.document.place)
    }
  }

  // MARK: Names

  /// The node or included chain with a name such as `comp` or `inner/comp`.
  func lookUp(
    _ name: String, _ scope: Scope, _ place: Place?, origin: String? = nil, isImplicit: Bool = false
  ) -> Scope.Target? {
    var scope = scope
    let steps = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    for (index, step) in steps.enumerated() {
      guard let target = scope.names[step] else {
        let known = scope.order
        var hints = Suggestion.hint(for: step, in: known)
        if hints.isEmpty, known.count <= 20, !known.isEmpty {
          hints = ["its nodes: \(known.joined(separator: ", "))"]
        }
        let owner = index == 0 ? "the chain" : "'\(steps[..<index].joined(separator: "/"))'"
        report(.unknownNode, "\(owner) has no node '\(step)'", place, hints: hints, origin: origin)
        return nil
      }
      if scope.ambiguous.contains(step), !isImplicit {
        report(
          .ambiguousNode, "'\(step)' could be any of several nodes", place,
          hints: ["give the node that is meant an \"id\" of its own"], origin: origin)
        return nil
      }
      guard index < steps.count - 1 else { return target }
      guard case .chain(let inner) = target else {
        report(
          .unknownNode, "'\(step)' is not an included chain; it has no nodes inside", place,
          origin: origin)
        return nil
      }
      scope = inner
    }
    return nil
  }

  /// One end of a connection. `feeding` is the source end, if this end is the destination.
  private func resolve(
    _ end: EndDocument, _ scope: Scope, feeding source: EndDocument?, isImplicit: Bool = false
  ) -> Connection.Endpoint? {
    guard let target = lookUp(end.node, scope, end.place, isImplicit: isImplicit) else {
      return nil
    }
    switch target {
    case .chain(let inner): return resolve(end, inside: inner, isSource: source == nil)
    case .draft(let index):
      let draft = drafts[index]
      if draft.isBroken { return Connection.Endpoint(node: index) }
      return source == nil
        ? output(end, draft, index) : input(end, draft, index, source)
    }
  }

  /// An included chain's named input or output.
  private func resolve(_ end: EndDocument, inside scope: Scope, isSource: Bool)
    -> Connection.Endpoint?
  {
    let ports = isSource ? scope.outlets : scope.inlets
    let what = isSource ? "output" : "input"
    guard let name = end.port ?? (ports.count == 1 ? ports.keys.first : "main"),
      let index = ports[name]
    else {
      let names = ports.keys.sorted()
      let message =
        names.isEmpty
        ? "the chain '\(end.node)' has no \(what)"
        : end.port == nil
          ? "the chain '\(end.node)' has several \(what)s and none is 'main'"
          : "the chain '\(end.node)' has no \(what) '\(end.port ?? "")'"
      report(
        .unknownPort, message, end.place,
        hints: names.isEmpty ? [] : ["its \(what)s: \(names.joined(separator: ", "))"])
      return nil
    }
    return Connection.Endpoint(node: index, channel: end.index.map { $0 - 1 })
  }

  private func output(_ end: EndDocument, _ draft: NodeBuilder, _ index: Int) -> Connection
    .Endpoint?
  {
    guard !draft.outputs.isEmpty else {
      report(.unknownPort, "nothing comes out of '\(end.node)'", end.place)
      return nil
    }
    guard let port = end.port else {
      if draft.facts?.givesListedOutputs == true, draft.outputs.count > 1 {
        let names = draft.outputs.map { "'\(end.node):\($0.name)'" }
        report(
          .unknownPort, "'\(end.node)' has several outputs, and the connection names none",
          end.place, hints: ["its outputs: \(names.joined(separator: ", "))"])
        return nil
      }
      return Connection.Endpoint(node: index)
    }
    for (bus, spec) in draft.outputs.enumerated() {
      var width: Int?
      if case .exactly(let count) = spec.width { width = count }
      if let found = channel(port, end, spec.name, spec.channelNames, width) {
        return found.map { Connection.Endpoint(node: index, bus: bus, channel: $0.channel) }
      }
    }
    let ports = draft.outputs.flatMap { [$0.name] + $0.channelNames }
    reportPort(end, "output", ports, draft, others: draft.inputs)
    return nil
  }

  private func input(
    _ end: EndDocument, _ draft: NodeBuilder, _ index: Int, _ source: EndDocument?
  ) -> Connection.Endpoint? {
    guard let port = end.port else {
      if let facts = draft.facts, facts.isNamedList, let source {
        // `inner/limiter` feeds the strip of its included chain.
        let name = String((source.strip ?? source.node).prefix { $0 != "/" })
        return stripBus(name, draft, facts).map { Connection.Endpoint(node: index, bus: $0) }
      }
      guard !draft.inputs.isEmpty else {
        report(.unknownPort, "nothing can be led into '\(end.node)'", end.place)
        return nil
      }
      return Connection.Endpoint(node: index)
    }
    // Strips are found by name, below.
    let named = draft.facts.flatMap { $0.isNamedList ? $0.spec.inputs.count : nil }
    for (bus, spec) in draft.inputs.prefix(named ?? draft.inputs.count).enumerated() {
      var width: Int?
      if case .exactly(let count) = spec.width { width = count }
      if let found = channel(port, end, spec.name, spec.channelNames, width) {
        return found.map { Connection.Endpoint(node: index, bus: bus, channel: $0.channel) }
      }
    }
    if let facts = draft.facts, facts.isNamedList, Names.isID(port),
      let bus = stripBus(port, draft, facts)
    {
      return Connection.Endpoint(node: index, bus: bus, channel: end.index.map { $0 - 1 })
    }
    let ports = draft.inputs.flatMap { [$0.name] + $0.channelNames }
    reportPort(
      end, "input", ports, draft,
      others: draft.outputs.map { InputBusSpec($0.name, channelNames: $0.channelNames) })
    return nil
  }

  /// The channel if a port is this bus or one of its channels. nil if it is neither; `.some(nil)`
  /// if the channel does not exist, which is reported.
  private func channel(
    _ port: String, _ end: EndDocument, _ name: String, _ channels: [String], _ width: Int?
  ) -> (channel: Int?, Void)?? {
    if port == name {
      if let index = end.index, let width, index > width {
        report(
          .unknownPort,
          "'\(end.node):\(port)' has \(width == 1 ? "1 channel" : "\(width) channels")",
          end.place)
        return .some(nil)
      }
      return (end.index.map { $0 - 1 }, ())
    }
    guard let channel = channels.firstIndex(of: port) else { return nil }
    if end.index != nil {
      report(.unknownPort, "'\(end.node):\(port)' is a single channel", end.place)
      return .some(nil)
    }
    return (channel, ())
  }

  private func reportPort(
    _ end: EndDocument, _ direction: String, _ ports: [String], _ draft: NodeBuilder,
    others: [InputBusSpec]
  ) {
    let port = end.port ?? ""
    var hints = Suggestion.hint(for: port, in: ports)
    let known = draft.facts?.spec.port(named: port)
    if let known, ![.audioInput, .audioOutput].contains(known.kind) {
      hints = [known.sentence]
    } else if others.contains(where: { $0.name == port || $0.channelNames.contains(port) }) {
      hints = ["'\(port)' is its \(direction == "input" ? "output" : "input")"]
    } else if hints.isEmpty, !ports.isEmpty {
      hints = ["its \(direction)s: \(ports.joined(separator: ", "))"]
    }
    report(.unknownPort, "'\(end.node)' has no \(direction) '\(port)'", end.place, hints: hints)
  }

  // MARK: Values

  func configureLink(_ index: Int) {
    guard let document = links[index].document else { return }
    if links[index].carriesEvents {
      checkEventKeys(document)
      if document.feedback?.value == true {
        links[index].feedbackDelay = feedbackDelay(document.delay)
      }
      return
    }
    let spec = ChainFormat.connection
    if let gain = document.gain, let key = spec.key("gain") {
      do throws(ValueProblem) {
        links[index].gain = amplitude(decibels: try key.number(gain.value, context: context))
      } catch {
        diagnostics.add(error.diagnostic(at: gain.place))
      }
    }
    links[index].channels = document.channels.map { $0.map { $0 - 1 } }
    checkChannels(index, document)
    guard document.feedback?.value == true else { return }
    links[index].feedbackDelay = feedbackDelay(document.delay)
  }

  /// Events have no gain and no channels.
  private func checkEventKeys(_ document: ConnectionDocument) {
    guard document.gain != nil || document.channels != nil else { return }
    report(
      .invalidConnection,
      "'\(document.gain == nil ? "channels" : "gain")' does not go with a connection of events",
      document.place)
  }

  /// A loop's delay in seconds; nil if it is missing or not valid, which is reported.
  func feedbackDelay(_ delay: Located<RawValue>?) -> Double? {
    guard let delay, let key = ChainFormat.connection.key("delay") else { return nil }
    do throws(ValueProblem) {
      let seconds = try key.number(delay.value, context: context)
      if seconds == 0 {
        report(.loopDelay, "a loop's delay is more than nothing", delay.place)
      }
      return seconds
    } catch {
      diagnostics.add(error.diagnostic(at: delay.place))
      return nil
    }
  }

  /// Reports channels that the source does not have, as far as known.
  private func checkChannels(_ index: Int, _ document: ConnectionDocument) {
    let from = drafts[links[index].from.node]
    guard from.outputs.indices.contains(links[index].from.bus), !from.isJunction,
      case .exactly(let width) = from.outputs[links[index].from.bus].width,
      let channel = document.channels?.first(where: { $0 > width })
    else { return }
    report(
      .outOfRange,
      "'\(document.from.node)' has no channel \(channel); it has "
        + (width == 1 ? "1 channel" : "\(width) channels"), document.place)
  }
}
