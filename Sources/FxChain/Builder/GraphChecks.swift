import FxAudio
import FxEngine

/// Checks of a whole graph: that names on the command line are its own, and that every node has an
/// input and leads to a sink.
struct GraphChecks {
  let document: ChainDocument
  let environment: ChainEnvironment
  let drafts: [NodeBuilder]
  let links: [Link]
  let scopes: [Scope]
  /// Nodes that are not reported again if they lead nowhere.
  let excused: Set<Int>
  private(set) var diagnostics = Diagnostics()

  init(
    _ document: ChainDocument, _ environment: ChainEnvironment, _ drafts: [NodeBuilder],
    _ links: [Link], _ scopes: [Scope], excused: Set<Int>
  ) {
    self.document = document
    self.environment = environment
    self.drafts = drafts
    self.links = links
    self.scopes = scopes
    self.excused = excused
    checkBindings()
    checkEndpoints()
    checkPaths()
  }

  private mutating func report(
    _ code: DiagnosticCode, _ message: String, _ place: Place?, hints: [String] = [],
    origin: String? = nil
  ) {
    diagnostics.add(Diagnostic(code, message, at: place, hints: hints, origin: origin))
  }

  /// Compares the names bound on the command line with those of the chain.
  private mutating func checkBindings() {
    var inputs: [String: NodeBuilder] = [:]
    var outputs: [String: NodeBuilder] = [:]
    var files: [String: NodeBuilder] = [:]
    var devices: Set<String> = []
    var clocks: Set<String> = []
    for draft in drafts {
      switch draft.content {
      case .source(let endpoint):
        if let name = endpoint.inputName, inputs.updateValue(draft, forKey: name) != nil {
          report(
            .duplicateSource, "two sources are the input '\(name)'", draft.place,
            hints: ["one node can feed any number of others"])
        }
        if endpoint.setsPace { checkClock(endpoint.target, draft, &clocks) }
      case .sink(let endpoint, _):
        if let name = endpoint.outputName, outputs.updateValue(draft, forKey: name) != nil {
          report(
            .duplicateSink, "two sinks are the output '\(name)'", draft.place,
            hints: ["signals into one sink sum"])
        }
        if let path = endpoint.path,
          files.updateValue(draft, forKey: ChainFile.normalized(path)) != nil
        {
          report(.duplicateSink, "two sinks write the file '\(path)'", draft.place)
        }
        if endpoint.nature == .device, !devices.insert(endpoint.target).inserted {
          report(
            .duplicateSink, "two sinks play on the device '\(endpoint.target)'", draft.place,
            hints: ["signals into one sink sum"])
        }
        if endpoint.setsPace { checkClock(endpoint.target, draft, &clocks) }
      default: break
      }
    }
    if let bound = environment.inputs {
      let isRecorded =
        environment.recordsUnboundInput && inputs.count { !bound.contains($0.key) } == 1
      for (name, draft) in inputs.sorted(by: { $0.key < $1.key })
      where !bound.contains(name) && !isRecorded {
        report(
          .unboundInput, "nothing is bound to the input '\(name)'", draft.place,
          hints: [
            name == "main"
              ? "name a file on the command line, or play live from a sound device with --capture DEVICE"
              : "--input \(name)=FILE"
          ])
      }
      for name in bound.sorted() where inputs[name] == nil {
        report(
          .unknownInput, "the chain has no input '\(name)'", nil,
          hints: inputs.isEmpty
            ? ["it makes its own sound; leave the input out"]
            : names("inputs", inputs, near: name),
          origin: name == "main" ? "the input file" : "--input \(name)")
      }
    }
    if let bound = environment.outputs {
      for (name, draft) in outputs.sorted(by: { $0.key < $1.key }) where !bound.contains(name) {
        report(
          .unboundOutput, "nothing is bound to the output '\(name)'", draft.place,
          hints: [name == "main" ? "-o FILE" : "--output \(name)=FILE"])
      }
      for name in bound.sorted() where outputs[name] == nil {
        report(
          .unknownOutput, "the chain has no output '\(name)'", nil,
          hints: names("outputs", outputs, near: name), origin: "--output \(name)")
      }
    }
  }

  /// A device that plays and records has one clock.
  private mutating func checkClock(
    _ device: String, _ draft: NodeBuilder, _ clocks: inout Set<String>
  ) {
    guard clocks.insert(device).inserted, clocks.count > 1 else { return }
    report(
      .duplicateClock, "two devices are to set the pace of the chain", draft.place,
      hints: ["'clock' is true for one of them; the others follow it"])
  }

  private func names(_ what: String, _ known: [String: NodeBuilder], near name: String) -> [String]
  {
    let hint = Suggestion.hint(for: name, in: known.keys.sorted())
    if !hint.isEmpty { return hint }
    return known.isEmpty ? [] : ["its \(what): \(known.keys.sorted().joined(separator: ", "))"]
  }

  /// Checks inputs and outputs of included chains, and strips without an input.
  private mutating func checkEndpoints() {
    var fed = Set<Connection.Endpoint>()
    for link in links where !link.carriesEvents {
      fed.insert(Connection.Endpoint(node: link.to.node, bus: link.to.bus))
    }
    for (index, draft) in drafts.enumerated() {
      guard let facts = draft.facts else { continue }
      let isFed = draft.inputs.indices.contains {
        fed.contains(Connection.Endpoint(node: index, bus: $0))
      }
      for (bus, input) in draft.inputs.enumerated()
      where !fed.contains(Connection.Endpoint(node: index, bus: bus)) {
        if bus >= facts.spec.inputs.count {
          let item = bus - facts.spec.inputs.count
          guard draft.declaredItems.indices.contains(item) else { continue }
          let others = draft.items.dropFirst(draft.declaredItems.count).compactMap(\.id)
          report(
            .unfedStrip, "nothing feeds '\(input.name)' of '\(draft.id)'",
            draft.declaredItems[item].place,
            hints: Suggestion.nearest(to: input.name, in: others).map {
              ["did you mean '\($0)', which is connected?"]
            } ?? [])
        } else if !input.isOptional, isFed {
          report(.unfedNode, "nothing feeds '\(draft.id):\(input.name)'", draft.place)
        }
      }
    }
  }

  /// Checks that every node is on a path from a source to a sink.
  private mutating func checkPaths() {
    let hasSink = drafts.contains { draft in
      switch draft.content {
      case .sink, .broken: true
      case .unit(let facts): facts.isObserver
      default: false
      }
    }
    guard hasSink else {
      report(
        .noOutput, "the chain has no sink: nothing comes out of it", document.place,
        hints: ["add a node such as \"out\": { \"sink\": \"main\" } and connect it"])
      return
    }
    var forward = [[Int]](repeating: [], count: drafts.count)
    var backward = forward
    for link in links {
      forward[link.from.node].append(link.to.node)
      backward[link.to.node].append(link.from.node)
    }
    var isFed = [Bool](repeating: false, count: drafts.count)
    var isHeard = isFed
    for (index, draft) in drafts.enumerated() {
      switch draft.content {
      case .source: isFed[index] = true
      case .sink: isHeard[index] = true
      case .broken:
        isFed[index] = true
        isHeard[index] = true
      case .unit(let facts):
        isFed[index] = facts.isGenerator
        isHeard[index] = facts.isObserver || excused.contains(index)
      case .inlet, .outlet: break
      }
    }
    spread(&isFed, drafts.indices.filter { isFed[$0] }, forward)
    spread(&isHeard, drafts.indices.filter { isHeard[$0] }, backward)
    checkUsedChains(forward, backward, &isFed, &isHeard)
    reportRoots(&isFed, forward, backward, describe: describeUnfed)
    reportRoots(&isHeard, backward, forward, describe: describeDangling)
  }

  private func spread(_ mark: inout [Bool], _ start: [Int], _ next: [[Int]]) {
    var pending = start
    while let node = pending.popLast() {
      for other in next[node] where !mark[other] {
        mark[other] = true
        pending.append(other)
      }
    }
  }

  /// Reports an unconnected included chain once, at its node, instead of every node inside.
  private mutating func checkUsedChains(
    _ forward: [[Int]], _ backward: [[Int]], _ isFed: inout [Bool], _ isHeard: inout [Bool]
  ) {
    for scope in scopes {
      guard let node = scope.node else { continue }
      let inlets = Array(scope.inlets.values)
      if !inlets.isEmpty, inlets.allSatisfy({ backward[$0].isEmpty }) {
        report(.unfedNode, "nothing feeds '\(scope.prefix.dropLast())'", node.place)
        for inlet in inlets { isFed[inlet] = true }
        spread(&isFed, inlets, forward)
      }
      let outlets = Array(scope.outlets.values)
      guard !outlets.isEmpty else { continue }
      if outlets.allSatisfy({ forward[$0].isEmpty }) {
        report(.danglingNode, "'\(scope.prefix.dropLast())' leads nowhere", node.place)
        for outlet in outlets { isHeard[outlet] = true }
        spread(&isHeard, outlets, backward)
      } else {
        // If a chain has several outputs, the unused ones are rendered and discarded.
        for outlet in outlets.sorted() where forward[outlet].isEmpty {
          drafts[outlet].content = .sink(.discarded, isAligned: true)
          isHeard[outlet] = true
          spread(&isHeard, [outlet], backward)
        }
      }
    }
  }

  /// Reports the first nodes that are not reached, and one node of each loop without a first node.
  private mutating func reportRoots(
    _ isReached: inout [Bool], _ next: [[Int]], _ previous: [[Int]],
    describe: (_ node: Int, _ isRing: Bool, _ leadsOn: Bool) -> Diagnostic?
  ) {
    for isRing in [false, true] {
      for index in drafts.indices where !isReached[index] {
        guard isRing || previous[index].isEmpty else { continue }
        let leadsOn = next[index].contains { !isReached[$0] }
        if let diagnostic = describe(index, isRing, leadsOn) { diagnostics.add(diagnostic) }
        isReached[index] = true
        spread(&isReached, [index], next)
      }
    }
  }

  private func describeUnfed(_ index: Int, _ isRing: Bool, _ leadsOn: Bool) -> Diagnostic? {
    let draft = drafts[index]
    switch draft.content {
    case .sink(let endpoint, _):
      if let name = endpoint.outputName {
        return Diagnostic(.unfedOutput, "nothing feeds the output '\(name)'", at: draft.place)
      }
      return Diagnostic(.unfedOutput, "nothing feeds the sink '\(draft.id)'", at: draft.place)
    case .inlet(let name):
      // An unconnected input is harmless if the node inside has another input.
      guard leadsOn, let node = draft.scope.node else { return nil }
      return Diagnostic(
        .unfedNode, "nothing feeds the input '\(name)' of '\(draft.scope.prefix.dropLast())'",
        at: node.place)
    default:
      return Diagnostic(
        .unfedNode,
        isRing ? "no source reaches '\(draft.id)'" : "nothing feeds '\(draft.id)'",
        at: draft.place)
    }
  }

  private func describeDangling(_ index: Int, _ isRing: Bool, _: Bool) -> Diagnostic? {
    let draft = drafts[index]
    if case .outlet = draft.content { return nil }
    return Diagnostic(
      .danglingNode,
      isRing ? "no sink receives '\(draft.id)'" : "'\(draft.id)' leads nowhere", at: draft.place,
      hints: ["connect it, or remove it"])
  }
}
