import FxChain
import FxKit
import FxNodes

extension EcasoundImport {
  /// The chain: a list for one chain of one input and one output, otherwise a graph.
  func graph() -> ChainGraph {
    let used = usedLanes()
    for (index, object) in inputs.enumerated() {
      let isConnected = self.lanes.contains { $0.input == index }
      let isUsed = used.contains { $0.input == index }
      settle(object, isConnected: isConnected, isUsed: isUsed, main: mainInput, "input")
    }
    for (index, object) in outputs.enumerated() {
      let isConnected = self.lanes.contains { $0.output == index }
      let isUsed = used.contains { $0.output == index }
      settle(object, isConnected: isConnected, isUsed: isUsed, main: mainOutput, "output")
    }
    let paths = paths(of: leading(used))
    guard !paths.isEmpty else { return ChainGraph {} }
    let width = mainInput?.channels ?? width(before: paths[0].lane)
    var graph = ChainGraph()
    if paths.count == 1, isPlain(paths[0].lane),
      paths[0].lane.output.map({ outputs[$0].channels }) ?? paths[0].path.width
        == paths[0].path.width
    {
      graph = paths[0].path.graph()
      if !graph.isList || namesChannels { graph.channels = width }
    } else {
      join(paths, width, &graph)
    }
    // Coefficients are for one rate.
    if graph.nodes.contains(where: { ["biquad", "convolver"].contains($0.unit) }) {
      graph.sampleRate = .hertz(importing.sampleRate)
    }
    return graph
  }

  private func join(
    _ paths: [(lane: Lane, path: SignalPath)], _ width: Int, _ graph: inout ChainGraph
  ) {
    if mainInput != nil || inputs.isEmpty { graph.channels = width }
    var joins = EcasoundJoins(self)
    joins.addTargets(paths, main: mainOutput, inputChannels: width, &graph)
    for (lane, path) in paths {
      guard let start = joins.start(of: lane, main: mainInput, &graph) else { continue }
      joins.connect(path.add(to: &graph, after: start), path.width, lane, &graph)
    }
  }

  /// True for a setup that says how many channels there are, or has operators for some of them.
  private var namesChannels: Bool {
    options.contains { option in
      option.name == "f" && option.argument(1) != nil || option.name.hasPrefix("ch")
        || ["eac", "epp", "erc", "erm", "etf", "etd", "etr"].contains(option.name)
        || option.name == "eadb" && option.argument(1) != nil
    }
  }

  /// True for a chain between the input and the output of a command line.
  private func isPlain(_ lane: Lane) -> Bool {
    let (input, output) = (lane.input.map { inputs[$0] }, lane.output.map { outputs[$0] })
    return (input.map { $0.isPlain && $0.isOutside } ?? true) && (output?.isOutside ?? true)
  }

  // MARK: Chains

  /// The channels of a chain's input. A loop has those of the output that writes to it.
  private func width(before lane: Lane) -> Int {
    guard let input = lane.input.map({ inputs[$0] }) else { return lastChannels }
    return outputs.first { $0.isLoop && $0.kind == input.kind }?.channels ?? input.channels
  }

  private func paths(of lanes: [Lane]) -> [(lane: Lane, path: SignalPath)] {
    lanes.map { lane in
      var path = SignalPath(width: width(before: lane))
      for option in lane.operators {
        EcasoundOperator(option, width: path.width, importing).add(to: &path)
      }
      return (lane, path)
    }
  }

  /// The chains that have an input and an output. Without any input or output in the setup, they have those of the
  /// command line.
  private func usedLanes() -> [Lane] {
    var used = lanes
    // A chain that is left out may be the only one that writes to a loop.
    while let index = used.indices.first(where: { reason(against: used[$0], used) != nil }) {
      let lane = used.remove(at: index)
      let why = reason(against: lane, used + [lane]) ?? ""
      let reason = "the chain '\(lane.name)' is left out: \(why)"
      for option in lane.operators { option.refuse(reason) }
      for option in options where option.name == "a" && option.arguments.contains(lane.name) {
        option.refuse(reason)
      }
    }
    return used
  }

  /// The chains whose sound comes to an output: not those that end in `null`, or in a loop that nobody reads.
  private func leading(_ used: [Lane]) -> [Lane] {
    var leading = used.filter { lane in
      guard let output = lane.output.map({ outputs[$0] }) else { return true }
      return output.isOutside || output.kind == .silence && mainOutput == nil
    }
    var count = -1
    while count != leading.count {
      count = leading.count
      let read = leading.compactMap { $0.input.map { inputs[$0] } }.filter(\.isLoop).map(\.kind)
      leading = used.filter { lane in
        leading.contains { $0.name == lane.name }
          || lane.output.map { read.contains(outputs[$0].kind) } ?? false
      }
    }
    for lane in used where !leading.contains(where: { $0.name == lane.name }) {
      for option in lane.operators {
        option.source.turn(
          leading.isEmpty
            ? .notPossible("no chain of the setup has an output")
            : .translated("left out: the chain '\(lane.name)' leads to no output"))
      }
    }
    return leading
  }

  /// Why a chain cannot be used; nil for one that can.
  private func reason(against lane: Lane, _ used: [Lane]) -> String? {
    guard lane.input != nil || inputs.isEmpty else {
      return "it has no input, which ecasound refuses"
    }
    guard lane.output != nil || outputs.isEmpty else {
      return "it has no output, which ecasound refuses"
    }
    let (input, output) = (lane.input.map { inputs[$0] }, lane.output.map { outputs[$0] })
    if let input, input.isDevice, input.kind != mainInput?.kind {
      return "the command line of fxrun names one input: write others in the chain"
    }
    if let output, output.isDevice, output.kind != mainOutput?.kind {
      return "the command line of fxrun names one output: write others in the chain"
    }
    for case .unknown(let reason)? in [input?.kind, output?.kind] { return reason }
    if let input, input.isLoop {
      guard used.contains(where: { $0.output.map { outputs[$0].kind } == input.kind }) else {
        return "no chain writes to its loop"
      }
      if feedsItself(lane, used) {
        return "a loop that feeds itself: write it with 'feedback' of a connection"
      }
    }
    return nil
  }

  /// True if the output of a chain leads to its input through loops.
  private func feedsItself(_ lane: Lane, _ used: [Lane]) -> Bool {
    var reached: [EcasoundObject.Kind] = lane.output.map { [outputs[$0].kind] } ?? []
    var count = 0
    while count < reached.count {
      let kind = reached[count]
      count += 1
      for next in used where next.input.map({ inputs[$0].kind }) == kind {
        let kind = next.output.map { outputs[$0].kind }
        if let kind, !reached.contains(kind) { reached.append(kind) }
      }
    }
    return lane.input.map { reached.contains(inputs[$0].kind) } ?? false
  }

  // MARK: Objects

  private func settle(
    _ object: EcasoundObject, isConnected: Bool, isUsed: Bool, main: EcasoundObject?, _ word: String
  ) {
    let option = object.option
    if case .unknown(let reason) = object.kind { return option.refuse(reason) }
    guard isUsed else {
      return option.refuse(
        isConnected
          ? "its chain is left out"
          : "no chain has it: a chain keeps the last \(word)")
    }
    if word == "output", object.isChanged {
      return option.refuse("fxrun writes outputs from their beginning")
    }
    let isOther = main.map { $0.kind != object.kind } ?? false
    switch object.kind {
    case .loop: option.source.settle(.translated("a connection, late by a block"))
    case .silence where word == "output" && main == nil:
      option.source.turn(
        .approximated("ecasound throws the sound away; here it is the output of the command line"))
    case .file(let name) where isOther:
      option.source.settle(.translated("the file '\(name)'"))
    case .file, .device:
      option.source.settle(.translated("the \(word) that the command line of fxrun names"))
    case .silence, .tone, .unknown: option.source.settle()
    }
  }
}
