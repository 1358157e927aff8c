import FxChain
import FxKit
import FxNodes

/// The inputs, loops and outputs of a setup in a graph, where its chains begin and end.
struct EcasoundJoins {
  /// Chains that end in one output.
  private struct Target {
    let object: EcasoundObject?
    let channels: Int
    /// Where chains are connected to.
    let end: GraphPort
  }

  private let importing: Importing
  private let inputs: [EcasoundObject]
  private let outputs: [EcasoundObject]
  private let isMean: Bool
  private let blockSize: Int
  private var starts: [(object: EcasoundObject?, end: GraphPort)] = []
  private var targets: [Target] = []
  private var loops: [String: GraphPort] = [:]

  init(_ setup: EcasoundImport) {
    importing = setup.importing
    (inputs, outputs) = (setup.inputs, setup.outputs)
    (isMean, blockSize) = (setup.isMean, setup.blockSize)
  }

  // MARK: Ends

  /// Adds the outputs and loops, with a mixer where several chains meet.
  mutating func addTargets(
    _ paths: [(lane: EcasoundImport.Lane, path: SignalPath)], main: EcasoundObject?,
    inputChannels: Int, _ graph: inout ChainGraph
  ) {
    for (lane, path) in paths where target(of: lane) == nil {
      let object = lane.output.map { outputs[$0] }
      let channels = object?.channels ?? paths.map(\.path.width).max() ?? path.width
      let count = paths.count { isSame($0.lane.output.map { outputs[$0] }, object) }
      guard let sink = sink(object, main, channels, inputChannels, &graph) else { continue }
      var end = sink
      if count > 1 {
        let level = isMean ? rounded(-decibels(Double(count))) : 0
        let join = Mixer(
          id: importing.id("join"), gain: level == 0 ? nil : .decibels(level), channels: channels)
        end = graph.add(join).end
        graph.connect(end, to: sink)
      }
      targets.append(Target(object: object, channels: channels, end: end))
    }
  }

  private func isSame(_ one: EcasoundObject?, _ other: EcasoundObject?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.kind == other.kind
  }

  private func target(of lane: EcasoundImport.Lane) -> Target? {
    targets.first { isSame($0.object, lane.output.map { outputs[$0] }) }
  }

  /// The node of an output; nil for one that is left out.
  private mutating func sink(
    _ object: EcasoundObject?, _ main: EcasoundObject?, _ channels: Int, _ inputChannels: Int,
    _ graph: inout ChainGraph
  ) -> GraphPort? {
    switch object?.kind {
    case .loop(let tag):
      // ecasound hands a block over to the next one.
      let delay = Align(id: importing.id("loop-\(tag)"), frames: blockSize)
      let end = graph.add(delay.comment("ecasound: a loop is a block late")).end
      loops[tag] = end
      return end
    case .silence where main != nil, .tone, .unknown: return nil
    case .file(let name) where main.map { $0.kind != .file(name) } ?? false:
      let path = importing.target.written(importing.target.found(name))
      return graph.add(Sink.file(path, id: importing.id("file"), channels: channels)).end
    default: return graph.add(Output.main(channels: channels == inputChannels ? nil : channels)).end
    }
  }

  /// Connects the end of a chain with its output. Channels that the output does not have end here.
  func connect(
    _ end: GraphPort, _ width: Int, _ lane: EcasoundImport.Lane, _ graph: inout ChainGraph
  ) {
    guard let target = target(of: lane) else { return }
    guard width != target.channels else { return graph.connect(end, to: target.end) }
    let routes = (1...min(width, target.channels)).map { Matrix.Route(from: $0, to: $0) }
    let fit = Matrix(id: importing.id("fit"), channels: target.channels, routes: routes)
    let fitted = graph.add(fit).end
    graph.connect(end, fitted, target.end)
  }

  // MARK: Starts

  /// Where the signal of a chain comes from; nil for a loop that nothing is written to.
  mutating func start(
    of lane: EcasoundImport.Lane, main: EcasoundObject?, _ graph: inout ChainGraph
  ) -> GraphPort? {
    let object = lane.input.map { inputs[$0] }
    if case .loop(let tag)? = object?.kind { return loops[tag] }
    let known = starts.first { start in
      guard let one = start.object, let other = object else {
        return start.object == nil && object == nil
      }
      return one.isSame(as: other)
    }
    if let known { return known.end }
    let end = source(object, main, &graph)
    starts.append((object, end))
    return end
  }

  private func source(
    _ object: EcasoundObject?, _ main: EcasoundObject?, _ graph: inout ChainGraph
  ) -> GraphPort {
    guard let object else { return graph.add(Input(id: "in")).end }
    switch object.kind {
    case .tone(let frequency, let seconds):
      return graph.add(
        Source.signal(
          .sine, id: importing.id("tone"), duration: seconds > 0 ? .seconds(seconds) : nil,
          level: 0, frequency: .hertz(frequency), channels: object.channels)
      ).end
    case .file(let name) where main.map { !$0.isSame(as: object) } ?? false:
      return graph.add(object.file(importing.file(name), id: importing.id("file"))).end
    case .file, .device:
      let input = object.isPlain ? Input(id: "in").node : object.mainInput(id: "in").node
      return graph.add(input).end
    case .silence, .loop, .unknown:
      return graph.add(Source.silent(id: importing.id("silence"), channels: object.channels)).end
    }
  }
}
