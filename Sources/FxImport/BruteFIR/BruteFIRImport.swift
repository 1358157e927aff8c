import FxChain
import FxKit
import FxNodes

/// Reads a configuration of BruteFIR: filters between inputs and outputs.
///
/// Source: BruteFIR's own documents and its program, as docs/import/brutefir.md names them.
struct BruteFIRImport {
  let importing: Importing
  let sections: [BruteFIRParser.Section]
  private let inputs: BruteFIRChannels
  private let outputs: BruteFIRChannels
  /// Frames of a block, and blocks of a filter.
  let blockLength: Int
  let blockCount: Int
  private var filters: [BruteFIRFilter] = []
  private(set) var graph = ChainGraph()
  private var start = GraphPort("in")
  /// Where the sound of each filter comes from; nil for one that is not built.
  private var ends: [End?] = []
  private var started: Set<Int> = []

  /// The end of a path.
  private struct End {
    let port: GraphPort
    /// The channel that is meant, from 1; nil for all.
    var channel: Int?
  }

  var sources: [SourceValue] { sections.map(\.source) }

  init(_ sections: [BruteFIRParser.Section], _ importing: Importing) {
    (self.sections, self.importing) = (sections, importing)
    let general = sections[0].source
    importing.sampleRate = general["sampling_rate"]?.sampleRate ?? 44100
    let lengths = BruteFIRParser.elements(general["filter_length"]?.text ?? "65536").map { Int($0) }
    if lengths.contains(where: { !(1...(1 << 24)).contains($0 ?? 0) }) || lengths.count > 2 {
      general["filter_length"]?.turn(.notPossible("a length and a number of blocks are expected"))
    }
    let limits = 1...(1 << 24)
    blockLength = (lengths.first ?? nil).flatMap { limits.contains($0) ? $0 : nil } ?? 65536
    blockCount =
      (lengths.dropFirst().first ?? nil).flatMap { limits.contains($0) ? $0 : nil } ?? 1
    inputs = BruteFIRChannels(sections.filter { $0.kind == "input" })
    outputs = BruteFIRChannels(sections.filter { $0.kind == "output" })
    readGeneral(general)
    readFilters()
    build()
    for section in sections where section.kind == "coeff" {
      settle(section, .translated("nothing that sounds has these coefficients"))
    }
  }

  private func readGeneral(_ general: SourceValue) {
    if let logic = general["logic"], let text = logic.text {
      let isControl = text.hasPrefix("\"cli\"")
      logic.turn(
        isControl
          ? .translated("'fxrun control' changes what plays")
          : .notPossible("fxrun has no modules of BruteFIR"))
    }
    if let limit = general["safety_limit"], limit.number != 0 {
      limit.turn(.notPossible("BruteFIR ends at this level: write a limiter"))
    }
    let own = [
      "float_bits", "overflow_warnings", "show_progress", "max_dither_table_size", "config_file",
      "allow_poll_mode", "modules_path", "powersave", "monitor_rate", "lock_memory", "sdf_length",
      "convolver_config", "benchmark",
    ]
    for key in own {
      general[key]?.settle(.translated("how BruteFIR works; the sound is the same"))
    }
  }

  private mutating func readFilters() {
    for section in sections
    where !["", "coeff", "input", "output", "filter"].contains(section.kind) {
      section.source.turn(.notPossible("BruteFIR has no structure '\(section.kind)'"))
    }
    let structures = sections.filter { $0.kind == "filter" }
    filters = structures.enumerated().map { BruteFIRFilter($1, number: $0) }
    ends = filters.map { _ in nil }
    // A filter may name those that it feeds; the link has a level if they name it as well.
    for (index, filter) in filters.enumerated() {
      for name in filter.fed {
        guard let target = self.index(name) else {
          filter.refuse("to_filters", "no filter '\(name)'")
          continue
        }
        if !filters[target].fromFilters.contains(where: { self.index($0.name) == index }) {
          filters[target].fromFilters.append(BruteFIRLink(name: filter.name))
        }
      }
    }
  }

  private func index(_ name: String) -> Int? {
    filters.firstIndex { $0.name == name }
      ?? Int(name).flatMap { filters.indices.contains($0) ? $0 : nil }
  }

  // MARK: Graph

  private mutating func build() {
    guard (1...32).contains(inputs.width), (1...32).contains(outputs.width), !filters.isEmpty else {
      for section in sections where section.kind != "" {
        section.source.turn(.notPossible("fxrun needs filters, and 1 to 32 inputs and outputs"))
      }
      graph = ChainGraph {}
      return
    }
    if let filter = common() {
      graph = ChainGraph { coefficients(of: filter) }
      graph.channels = inputs.width
      return
    }
    graph.channels = inputs.width
    start = graph.add(Input(id: "in")).end
    let join = graph.add(Mixer(id: importing.id("join"), channels: outputs.width)).end
    for index in filters.indices {
      let groups = outputs.groups(of: filters[index].toOutputs) {
        filters[index].refuse("to_outputs", $0)
      }
      guard !groups.isEmpty, let end = end(of: index) else { continue }
      for (delay, members) in groups {
        let routes = members.map { $0.link.route(from: 1, to: $0.place) }
        let placed = matrix("outputs", outputs.width, routes)
        graph.connect(extend(delayed(end, by: delay), placed).port, join)
      }
    }
    for (filter, end) in zip(filters, ends) where end == nil {
      filter.leaveOut("nothing leads through this filter")
    }
    let width = inputs.width == outputs.width ? nil : outputs.width
    graph.connect(join, to: graph.add(Output.main(channels: width)))
  }

  /// The filter that does the same as all of them, each in a channel of its own; nil for another configuration.
  private func common() -> BruteFIRFilter? {
    guard inputs.width == outputs.width, inputs.isPlain, outputs.isPlain,
      filters.count == inputs.width, let first = filters.first
    else { return nil }
    var places: Set<Int> = []
    for filter in filters {
      guard filter.fromFilters.isEmpty, filter.coefficients == first.coefficients,
        filter.delay == first.delay, filter.fromInputs.map(\.factor) == [1],
        filter.toOutputs.map(\.factor) == [1], let from = inputs[filter.fromInputs[0].name],
        let to = outputs[filter.toOutputs[0].name], from.place == to.place
      else { return nil }
      places.insert(from.place)
    }
    return places.count == inputs.width ? first : nil
  }

  /// Builds a filter and those before it.
  ///
  /// - Returns: where its sound comes from; nil if nothing feeds it.
  private mutating func end(of index: Int) -> End? {
    if let known = ends[index] { return known }
    let filter = filters[index]
    guard !started.contains(index) else {
      filter.refuse("from_filters", "a loop of filters")
      return nil
    }
    started.insert(index)
    var feeds: [End] = []
    let groups = inputs.groups(of: filter.fromInputs) { filter.refuse("from_inputs", $0) }
    for (delay, members) in groups {
      let isPlain = members.count == 1 && members[0].link.factor == 1
      let routes = members.map { $0.link.route(from: $0.place, to: 1) }
      let mixed =
        isPlain
        ? End(port: start, channel: members[0].place)
        : extend(End(port: start), matrix("inputs", 1, routes))
      feeds.append(delayed(mixed, by: delay))
    }
    for link in filter.fromFilters {
      guard let source = self.index(link.name) else {
        filter.refuse("from_filters", "no filter '\(link.name)'")
        continue
      }
      guard link.factor != 0, let end = end(of: source) else { continue }
      let level = matrix("level", 1, [link.route(from: 1, to: 1)])
      feeds.append(link.factor == 1 ? end : extend(end, level))
    }
    guard var end = feeds.first else { return nil }
    if feeds.count > 1 {
      let sum = graph.add(Mixer(id: importing.id("sum"), channels: 1)).end
      for feed in feeds { connect(feed, to: sum) }
      end = End(port: sum)
    }
    for node in coefficients(of: filter) {
      end = extend(end, node.comment("BruteFIR: filter \(filter.name)"))
    }
    ends[index] = end
    return end
  }

  private func matrix(_ name: String, _ width: Int, _ routes: [Matrix.Route]) -> Node {
    Matrix(id: importing.id(name), channels: width, routes: routes).node
  }

  private mutating func connect(_ end: End, to port: GraphPort) {
    graph.connect(end.port, to: port, channels: end.channel.map { [$0] })
  }

  private mutating func extend(_ end: End, _ node: Node) -> End {
    let next = graph.add(node).end
    connect(end, to: next)
    return End(port: next)
  }

  private mutating func delayed(_ end: End, by frames: Int) -> End {
    frames == 0 ? end : extend(end, Align(id: importing.id("delay"), frames: frames).node)
  }
}
