package import FxAudio

/// The channel layouts of every bus of a graph.
package struct GraphLayouts: Sendable, Equatable {
  /// By node and bus, as wide as the bus; 0 channels for an unconnected optional input.
  package private(set) var inputs: [[ChannelLayout]] = []
  package private(set) var outputs: [[ChannelLayout]] = []
  /// Connections between channels of different names.
  package private(set) var mismatches: [Mismatch] = []

  package struct Mismatch: Sendable, Equatable {
    package let connection: Int
    /// The layout of the connection's signal.
    package let carried: ChannelLayout
    /// The layout of the input that it is connected to.
    package let met: ChannelLayout
  }

  /// For a graph whose layouts nobody reads any more.
  package init() {}

  /// The layout of a node's output; `discrete` where the graph has none.
  package func output(_ node: Int, bus: Int = 0, channelCount: Int) -> ChannelLayout {
    layout(outputs, node, bus, channelCount)
  }

  /// The layout of a node's first input; `discrete` where the graph has none.
  package func input(_ node: Int, channelCount: Int) -> ChannelLayout {
    layout(inputs, node, 0, channelCount)
  }

  private func layout(
    _ layouts: [[ChannelLayout]], _ node: Int, _ bus: Int, _ channelCount: Int
  ) -> ChannelLayout {
    guard layouts.indices.contains(node), layouts[node].indices.contains(bus),
      layouts[node][bus].channelCount == channelCount
    else { return .discrete(channelCount) }
    return layouts[node][bus]
  }
}

extension GraphLayouts {
  /// Propagates the layouts in signal order.
  ///
  /// An input has the layout that its unit declares, or else that of its signal. The first
  /// connection with channel names counts, in the file's order; connections of a loop come last. A
  /// connection that picks channels, or copies mono to a wider input, has no names. Without names,
  /// the usual layout for the number of channels is used.
  init(of graph: Graph, inputWidths: [[Int]], outputWidths: [[Int]], order: [Int]) {
    var resolver = LayoutResolver(graph, inputWidths, outputWidths)
    let isLooped = graph.connections.contains { $0.feedbackDelay != nil }
    resolver.pass(over: order)
    // Inputs that only loops feed are known after more passes.
    while isLooped, resolver.hasNews { resolver.pass(over: order) }
    inputs = zip(resolver.inputs, inputWidths).map(Self.filled)
    outputs = zip(resolver.outputs, outputWidths).map(Self.filled)
    mismatches = graph.connections.indices.compactMap { mismatch(at: $0, in: graph) }
  }

  private static func filled(
    _ layouts: [ChannelLayout?], _ widths: [Int]
  ) -> [ChannelLayout] {
    zip(layouts, widths).map { $0 ?? .usual($1) }
  }

  private func mismatch(at index: Int, in graph: Graph) -> Mismatch? {
    let connection = graph.connections[index]
    guard connection.carriesNames else { return nil }
    let (from, to) = (connection.from, connection.to)
    let carried = outputs[from.node][from.bus]
    var met = inputs[to.node][to.bus]
    if case .upToOutput = graph.nodes[to.node].inputs[to.bus].width,
      let output = outputs[to.node].first
    {
      met = output
    }
    guard carried.isNamed, met.isNamed, carried.channelCount == met.channelCount, carried != met
    else { return nil }
    return Mismatch(connection: index, carried: carried, met: met)
  }
}

extension Connection {
  /// False where channels are picked: the author then knows their meaning.
  var carriesNames: Bool {
    !carriesEvents && channels == nil && from.channel == nil && to.channel == nil
  }
}

/// The layouts found so far; nil where not known yet.
private struct LayoutResolver {
  let graph: Graph
  let inputWidths: [[Int]]
  let outputWidths: [[Int]]
  var inputs: [[ChannelLayout?]]
  var outputs: [[ChannelLayout?]]
  /// The layouts of the last pass, which loops use.
  private var before: [[ChannelLayout?]] = []
  /// The last pass found new layouts.
  private(set) var hasNews = false
  /// By node and input bus: the connections to it, in the graph's order.
  private let incoming: [[[Int]]]

  init(_ graph: Graph, _ inputWidths: [[Int]], _ outputWidths: [[Int]]) {
    self.graph = graph
    self.inputWidths = inputWidths
    self.outputWidths = outputWidths
    inputs = inputWidths.map { $0.map { _ in nil } }
    outputs = outputWidths.map { $0.map { _ in nil } }
    var incoming = inputWidths.map { $0.map { _ in [Int]() } }
    for (index, connection) in graph.connections.enumerated() where connection.carriesNames {
      let (node, bus) = (connection.to.node, connection.to.bus)
      if incoming[node].indices.contains(bus) { incoming[node][bus].append(index) }
    }
    self.incoming = incoming
  }

  mutating func pass(over order: [Int]) {
    hasNews = false
    before = outputs
    for node in order {
      let isReplicable = graph.nodes[node].isReplicable
      for (bus, spec) in graph.nodes[node].inputs.enumerated() where inputs[node][bus] == nil {
        let width = inputWidths[node][bus]
        let declared = spec.layout.flatMap { $0.channelCount == width ? $0 : nil }
        guard let layout = declared ?? fed(node, bus, width) else { continue }
        inputs[node][bus] = layout
        hasNews = true
      }
      for (bus, spec) in graph.nodes[node].outputs.enumerated() where outputs[node][bus] == nil {
        let width = outputWidths[node][bus]
        let found: ChannelLayout? =
          switch spec.layout {
          case .exactly(let layout) where layout.channelCount == width && !isReplicable: layout
          case .usual where !isReplicable: .usual(width)
          case .option(let key): graph.nodes[node].optionLayout(key) ?? .usual(width)
          default: kept(node, width)
          }
        guard let found else { continue }
        outputs[node][bus] = found
        hasNews = true
      }
    }
  }

  /// The layout of the signal into a bus.
  private func fed(_ node: Int, _ bus: Int, _ width: Int) -> ChannelLayout? {
    var unnamed: ChannelLayout?
    for isLoop in [false, true] {
      for index in incoming[node][bus] {
        let connection = graph.connections[index]
        guard (connection.feedbackDelay != nil) == isLoop,
          let layout = (isLoop ? before : outputs)[connection.from.node][connection.from.bus],
          layout.channelCount == width
        else { continue }
        if layout.isNamed { return layout }
        unnamed = layout
      }
      if unnamed != nil { return unnamed }
    }
    return nil
  }

  /// The layout of the first audio input that is as wide as an output, preferably one with names;
  /// nil if there is none, or it is not known yet.
  private func kept(_ node: Int, _ width: Int) -> ChannelLayout? {
    var unnamed: ChannelLayout?
    for (bus, inputWidth) in inputWidths[node].enumerated() where inputWidth == width {
      guard !graph.nodes[node].inputs[bus].isControl, let layout = inputs[node][bus] else {
        continue
      }
      if layout.isNamed { return layout }
      unnamed = unnamed ?? layout
    }
    return unnamed
  }
}
