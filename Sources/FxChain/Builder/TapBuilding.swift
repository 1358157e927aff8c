import FxAudio
import FxEngine

/// Taps: a node's output is recorded to a file, in addition to its connections.
extension GraphBuilder {
  /// Adds the sinks of all taps after the chain's nodes, so that node numbers stay the same.
  func addTaps(_ root: Scope) -> [TapDraft] {
    var taps: [TapDraft] = []
    for scope in scopes {
      for id in scope.order {
        let tap: Located<SinkEndpoint>? =
          switch scope.names[id] {
          case .draft(let index): drafts[index].document?.tap
          case .chain(let inner): inner.node?.tap
          case nil: nil
          }
        if let tap { taps.append(addTap(tap.value, of: id, tap.place, scope)) }
      }
    }
    for tap in environment.taps {
      let origin = "--tap \(tap.node)=\(tap.file)"
      guard !tap.file.isEmpty else {
        report(.invalidValue, "'--tap' names no file", nil, origin: origin)
        continue
      }
      guard lookUp(tap.node, root, nil, origin: origin) != nil else { continue }
      taps.append(
        addTap(
          .file(tap.file, environment.tapEncoding), of: tap.node, document.place, root,
          origin: origin))
    }
    return taps
  }

  /// Adds a sink for a node's output, to be connected later.
  private func addTap(
    _ endpoint: SinkEndpoint, of node: String, _ place: Place, _ scope: Scope, origin: String? = nil
  ) -> TapDraft {
    let base = node.split(separator: "/").joined(separator: "-") + "-tap"
    var id = base
    var number = 2
    while scope.names[id] != nil {
      id = "\(base)\(number)"
      number += 1
    }
    let tap = TapDraft(node: node, sink: drafts.count, place: place, scope: scope, origin: origin)
    // It is not added to the list's order: nothing follows it.
    scope.names[id] = .draft(drafts.count)
    drafts.append(
      NodeBuilder(
        id: scope.prefix + id, content: .sink(endpoint, isAligned: true), document: nil,
        place: place, scope: scope, inputs: [InputBusSpec("in", width: .any)], outputs: []))
    return tap
  }

  func connect(_ taps: [TapDraft]) {
    for tap in taps {
      guard let from = tapped(tap) else {
        // The recorded node was reported already; the sink needs no message.
        drafts[tap.sink].content = .broken
        continue
      }
      links.append(
        Link(from: from, to: Connection.Endpoint(node: tap.sink), place: tap.place))
    }
  }

  private func tapped(_ tap: TapDraft) -> Connection.Endpoint? {
    guard
      let target = lookUp(tap.node, tap.scope, tap.place, origin: tap.origin, isImplicit: true)
    else { return nil }
    switch target {
    case .chain(let inner):
      let outlet = inner.outlets.count == 1 ? inner.outlets.values.first : inner.outlets["main"]
      if let outlet { return Connection.Endpoint(node: outlet) }
      report(
        .unknownPort, "the chain '\(tap.node)' has no main output to record", place(tap),
        hints: ["tap a node inside: '\(tap.node)/…'"], origin: tap.origin)
    case .draft(let index):
      let draft = drafts[index]
      if draft.isBroken { return nil }
      if let bus = draft.outputs.firstIndex(where: { !$0.isControl }) {
        return Connection.Endpoint(node: index, bus: bus)
      }
      report(
        .unknownPort, "no audio comes out of '\(tap.node)' that could be recorded", place(tap),
        origin: tap.origin)
    }
    return nil
  }

  private func place(_ tap: TapDraft) -> Place? { tap.origin == nil ? tap.place : nil }
}

/// A tap while the graph is built.
struct TapDraft {
  var node: String
  /// The number of its sink's draft.
  var sink: Int
  var place: Place
  var scope: Scope
  var origin: String?
}
