/// The statements of a pedalboard by their subjects.
struct ModUIBoard {
  typealias Statement = TurtleParser.Statement

  /// A connection between two ports.
  struct Arc {
    /// The block, and its port; for a port of the board the block is empty.
    let from: (block: String, port: String)
    let to: (block: String, port: String)
    let source: SourceValue
  }

  let statements: [Statement]
  private let bySubject: [String: [Statement]]

  init(_ statements: [Statement]) {
    self.statements = statements
    bySubject = Dictionary(grouping: statements, by: \.subject)
  }

  subscript(subject: String) -> [Statement] { bySubject[subject] ?? [] }

  func value(_ subject: String, _ key: String) -> SourceValue? {
    self[subject].first { $0.key == key }?.object
  }

  /// The names of the plugins in the order of the board.
  var blocks: [String] {
    let listed = self[""].filter { $0.key == "block" }.map(\.text)
    let known = statements.filter { $0.key == "prototype" && !$0.subject.isEmpty }.map(\.subject)
    return listed.filter(known.contains) + known.filter { !listed.contains($0) }
  }

  var arcs: [Arc] {
    statements.compactMap { statement in
      guard statement.key == "tail",
        let head = self[statement.subject].first(where: { $0.key == "head" })
      else { return nil }
      return Arc(
        from: Self.port(statement.text), to: Self.port(head.text), source: head.object)
    }
  }

  /// The audio ports of a block, or of the board, in their order.
  ///
  /// Older programs write the inputs twice, as outputs too, and the outputs without a class.
  func audioPorts(of block: String, areInputs: Bool) -> [String] {
    let ports = self[block].filter { $0.key == "port" }.map(\.text)
    return ports.filter { port in
      let classes = self[port].filter { $0.key == "type" }.map { TurtleParser.localName($0.text) }
      if classes.isEmpty { return !areInputs && !block.isEmpty }
      guard classes.contains("AudioPort") else { return false }
      return areInputs
        ? classes.contains("InputPort")
        : classes.contains("OutputPort") && !classes.contains("InputPort")
    }.map { Self.port($0).port }
  }

  /// The blocks that sound passes on its way to the board's outputs.
  func soundingBlocks() -> [String] {
    let arcs = arcs
    let generators = blocks.filter { audioPorts(of: $0, areInputs: true).isEmpty }
    let fed = Self.reached(from: [""] + generators, arcs.map { ($0.from.block, $0.to.block) })
    let used = Self.reached(from: [""], arcs.map { ($0.to.block, $0.from.block) })
    return blocks.filter { fed.contains($0) && used.contains($0) }
  }

  private static func reached(
    from starts: [String], _ steps: [(from: String, to: String)]
  ) -> Set<String> {
    var reached = Set(starts)
    var open = starts
    while let block = open.popLast() {
      for step in steps where step.from == block && reached.insert(step.to).inserted {
        open.append(step.to)
      }
    }
    return reached
  }

  /// Splits `delay/in_1`.
  static func port(_ path: String) -> (block: String, port: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }
}
