import FxChain
import FxKit
import FxNodes

/// Reads a pedalboard of mod-ui: LV2 plugins and the cables between their ports.
///
/// Source: pedalboards as docs/import/mod-ui.md names them.
struct ModUIImport {
  private let board: ModUIBoard
  private let importing: Importing
  private(set) var graph = ChainGraph()
  /// The nodes by their blocks.
  private var nodes: [String: GraphPort] = [:]
  /// The audio outputs of the board's input, and of each block that has a node.
  private var outputs: [String: [String]] = [:]

  var sources: [SourceValue] { board.statements.map(\.object) }

  init(_ statements: [TurtleParser.Statement], _ importing: Importing) {
    board = ModUIBoard(statements)
    self.importing = importing
    let recorded = board.audioPorts(of: "", areInputs: true)
    let played = board.audioPorts(of: "", areInputs: false)
    let sounding = board.soundingBlocks()
    outputs[""] = recorded
    graph.channels = max(recorded.count, 1)
    if board.arcs.contains(where: {
      $0.from.block.isEmpty && ([""] + sounding).contains($0.to.block)
    }) {
      nodes[""] = graph.add(Input(id: "in")).end
    }
    for block in sounding { add(block) }
    let isSame = played.count == recorded.count
    let output = graph.add(Output.main(channels: isSame || played.isEmpty ? nil : played.count)).end
    for block in sounding {
      guard let node = nodes[block] else { continue }
      connect(to: block, node, inputs: board.audioPorts(of: block, areInputs: true))
    }
    connect(to: "", output, inputs: played)
    for block in board.blocks where !sounding.contains(block) {
      settle(block, .translated("left out: no sound passes it"))
    }
    readBoard()
    settleOthers()
  }

  // MARK: Plugins

  private mutating func add(_ block: String) {
    guard let uri = board.value(block, "prototype")?.text else { return }
    let id = importing.id(block)
    var node = Node(plugin: uri, id: id)
    let ports = board[block].filter { $0.key == "port" }.map(\.text)
    for port in ports {
      guard let value = board.value(port, "value"), let number = value.number else { continue }
      let symbol = ModUIBoard.port(port).port
      guard !symbol.hasPrefix(":") else { continue }
      node[parameter: symbol] = .number(number)
    }
    if let preset = board.value(block, "preset"), preset.text?.isEmpty == false {
      preset.turn(.translated("its values stand in the pedalboard"))
    }
    let isOn = board.value(block, "enabled")?.flag ?? true
    let made = node.comment("mod-ui: \(block)").bypassed(!isOn)
    let (given, taken) = (
      board.audioPorts(of: block, areInputs: true), board.audioPorts(of: block, areInputs: false)
    )
    outputs[block] = taken
    if let mistake = importing.mistake(of: made, channels: max(given.count, 1)) {
      board.value(block, "prototype")?.turn(.notPossible(mistake))
      nodes[block] = graph.add(passing(block, id, given.count, taken.count)).end
      return settle(block, .notPossible("the plugin cannot be used"))
    }
    nodes[block] = graph.add(made).end
    for port in ports { map(port, of: id) }
  }

  /// A node in the place of a plugin, through which the signal passes.
  private func passing(_ block: String, _ id: String, _ inputs: Int, _ outputs: Int) -> Node {
    let routes = (1...max(outputs, 1)).map { Matrix.Route(from: min($0, max(inputs, 1)), to: $0) }
    return Matrix(id: id, channels: max(outputs, 1), routes: routes).node
      .comment("mod-ui: the signal passes in the place of \(block)")
  }

  private func settle(_ block: String, _ outcome: ImportOutcome) {
    for statement in board.statements {
      let isPart =
        statement.subject == block || ModUIBoard.port(statement.subject).block == block
      if isPart, !Self.layout.contains(statement.key) { statement.object.settle(outcome) }
    }
  }

  /// A controller that moves a port.
  private mutating func map(_ port: String, of node: String) {
    guard let binding = board.value(port, "binding")?.text,
      let number = board.value(binding, "controllerNumber")?.integer, (0...127).contains(number)
    else { return }
    let channel = board.value(binding, "channel")?.integer
    let trigger = MIDITrigger.controller(number, channel: channel.map { $0 + 1 })
    let symbol = ModUIBoard.port(port).port
    guard symbol != ":bypass" else {
      // The controller says whether the plugin is on.
      graph.map(
        trigger, to: ParameterReference<Bool>(node: node, parameter: "bypass"), range: (true, false)
      )
      return
    }
    let least = board.value(binding, "minimum")?.number
    let greatest = board.value(binding, "maximum")?.number
    let parameter = ParameterReference<Double>(node: node, parameter: symbol)
    if let least, let greatest {
      graph.map(trigger, to: parameter, range: (least, greatest))
    } else {
      graph.map(trigger, to: parameter)
    }
  }

  // MARK: Cables

  /// Connects what leads to a block: whole nodes where the cables keep their channels, otherwise a matrix
  /// for each node before it.
  private mutating func connect(to block: String, _ node: GraphPort, inputs: [String]) {
    var cables: [(block: String, routes: [(from: Int, to: Int)])] = []
    for arc in board.arcs where arc.to.block == block {
      guard let to = inputs.firstIndex(of: arc.to.port) else { continue }
      guard let from = outputs[arc.from.block]?.firstIndex(of: arc.from.port),
        nodes[arc.from.block] != nil
      else {
        arc.source.turn(.notPossible("no sound comes from '\(arc.from.block)/\(arc.from.port)'"))
        continue
      }
      arc.source.settle()
      if let index = cables.firstIndex(where: { $0.block == arc.from.block }) {
        cables[index].routes.append((from + 1, to + 1))
      } else {
        cables.append((arc.from.block, [(from + 1, to + 1)]))
      }
    }
    let ends = cables.compactMap { cable in
      nodes[cable.block].map { (cable.block, $0, cable.routes) }
    }
    guard ends.count > 1 else {
      if let (before, end, routes) = ends.first {
        lead(end, outputs[before]?.count ?? 0, routes, to: node, inputs.count)
      }
      return
    }
    let sum = graph.add(Mixer(id: importing.id("sum"), channels: inputs.count)).end
    for (before, end, routes) in ends {
      lead(end, outputs[before]?.count ?? 0, routes, to: sum, inputs.count)
    }
    graph.connect(sum, to: node)
  }

  private mutating func lead(
    _ end: GraphPort, _ width: Int, _ routes: [(from: Int, to: Int)], to node: GraphPort,
    _ count: Int
  ) {
    let sorted = routes.sorted { $0.to < $1.to }
    guard sorted.map(\.to) == Array(1...max(count, 1)) else {
      let matrix = Matrix(
        id: importing.id("cables"), channels: count,
        routes: sorted.map { Matrix.Route(from: $0.from, to: $0.to) })
      let placed = graph.add(matrix).end
      graph.connect(end, placed, node)
      return
    }
    let channels = sorted.map(\.from)
    graph.connect(end, to: node, channels: channels == Array(1...width) ? nil : channels)
  }

  // MARK: The board

  private mutating func readBoard() {
    if let name = board.value("", "name")?.text, !name.isEmpty { graph.name = name }
    if let tempo = board.value(":bpm", "value"), let number = tempo.number, number != 120 {
      graph.tempo = .beatsPerMinute(number)
    }
    board.value(":rolling", "value")?.settle()
    if let beats = board.value(":bpb", "value"), let number = beats.number, number != 4 {
      if number == number.rounded(), (1...32).contains(number) {
        graph.metre = "\(plain(number))/4"
      } else {
        beats.turn(.notPossible("fxrun has no bar of \(plain(number)) beats"))
      }
    }
    if let file = board.value("", "addressings"), let name = file.text {
      let hasAny = importing.text(of: name)?.contains("\"instance\"") ?? false
      if hasAny {
        file.turn(.notPossible("knobs and switches of the device: map MIDI controllers in 'midi'"))
      }
    }
  }

  private func settleOthers() {
    for statement in board.statements {
      if statement.key == "binding" || statement.key == "controllerNumber" {
        statement.object.settle()
      }
      if statement.key == "head" {
        let isKnown = statement.object.outcome != nil
        if !isKnown {
          statement.object.turn(
            .notPossible("a cable for MIDI or control voltage: write it in 'connections'"))
        }
      }
      if Self.layout.contains(statement.key) { statement.object.settle() }
    }
  }

  /// What does not change the sound.
  private static let layout: Set = [
    "type", "canvasX", "canvasY", "polyphonic", "polyphony", "microVersion", "minorVersion",
    "instanceNumber", "builderVersion", "releaseNumber", "buildEnvironment", "label", "port", "arc",
    "block", "preset", "tail", "bufferType", "supports", "index", "name", "portProperty", "symbol",
    "minimumSize", "width", "height", "screenshot", "thumbnail", "addressings", "extensionData",
    "unitName", "unitModel", "version", "prototype", "enabled", "shortName", "designation",
    "comment", "seeAlso",
  ]
}
