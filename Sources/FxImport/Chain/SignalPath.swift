import FxChain
import FxNodes

/// The signal's way through an imported chain: nodes for all of its channels, or for some of them.
struct SignalPath {
  private enum Step {
    case all(Node)
    /// Nodes for some channels, counted from 0; the others pass by.
    case some([Part], channels: [Int])
  }

  /// A node for some channels of the signal.
  private struct Part {
    let node: Node
    /// A node for the whole signal that does the same to these channels alone.
    let inline: Node?
  }

  /// Channels of the signal at the end of the path.
  private(set) var width: Int
  private let inputWidth: Int
  private var steps: [(step: Step, width: Int)] = []

  /// - Parameter width: channels of the signal at the beginning.
  init(width: Int) { (self.width, inputWidth) = (width, width) }

  /// Adds a node for the whole signal.
  mutating func append(_ node: some ChainNode) { steps.append((.all(node.node), width)) }

  /// Adds a node that changes the number of channels.
  mutating func append(_ node: some ChainNode, width: Int) {
    append(node)
    self.width = width
  }

  /// Adds a node for some channels.
  ///
  /// - Parameters:
  ///   - channels: the channels, from 0.
  ///   - inline: a node for the whole signal that does the same to these channels alone.
  mutating func append(
    _ node: some ChainNode, on channels: [Int], inline: (some ChainNode)? = Node?.none
  ) {
    guard channels.count < width || Set(channels).count < width else { return append(node) }
    let part = Part(node: node.node, inline: inline?.node)
    if case (.some(let parts, channels)?, _)? = steps.last.map({ ($0.step, $0.width) }) {
      steps[steps.count - 1].step = .some(parts + [part], channels: channels)
    } else {
      steps.append((.some([part], channels: channels), width))
    }
  }

  /// The chain: a list if every node takes the whole signal, otherwise a graph.
  func graph() -> ChainGraph {
    let steps = steps.flatMap { step, width -> [(Step, Int)] in
      guard case .some(let parts, _) = step else { return [(step, width)] }
      let inline = parts.compactMap(\.inline)
      return inline.count == parts.count ? inline.map { (.all($0), width) } : [(step, width)]
    }
    let nodes = steps.compactMap { step, _ -> Node? in
      if case .all(let node) = step { node } else { nil }
    }
    guard nodes.count == steps.count, width == inputWidth else {
      var graph = ChainGraph()
      let end = Self.add(steps, to: &graph, after: graph.add(Input(id: "in")).end)
      graph.connect(
        end, to: graph.add(Output.main(channels: width == inputWidth ? nil : width)))
      return graph
    }
    return ChainGraph { nodes }
  }

  /// Adds the path to a graph.
  ///
  /// - Parameter end: where its signal comes from.
  /// - Returns: where its signal ends.
  func add(to graph: inout ChainGraph, after end: GraphPort) -> GraphPort {
    Self.add(steps, to: &graph, after: end)
  }

  private static func add(
    _ steps: [(Step, Int)], to graph: inout ChainGraph, after start: GraphPort
  ) -> GraphPort {
    var end = start
    for (step, width) in steps {
      switch step {
      case .all(let node):
        let next = graph.add(node).end
        graph.connect(end, to: next)
        end = next
      case .some(let parts, let channels):
        let others = (0..<width).filter { !channels.contains($0) }
        let join = graph.add(Mixer(id: graph.free("join"), channels: width)).end
        let kept = graph.add(Self.place(others, others, width, graph.free("others"))).end
        graph.connect(end, kept, join)
        var branch = end
        for (index, part) in parts.enumerated() {
          let next = graph.add(part.node).end
          graph.connect(branch, to: next, channels: index == 0 ? channels.map { $0 + 1 } : nil)
          branch = next
        }
        let places = Array(0..<channels.count)
        let placed = graph.add(Self.place(places, channels, width, graph.free("place"))).end
        graph.connect(branch, placed, join)
        end = join
      }
    }
    return end
  }

  /// A matrix that leads channels to other places.
  private static func place(
    _ sources: [Int], _ targets: [Int], _ width: Int, _ id: String
  ) -> Matrix {
    Matrix(
      id: id, channels: width,
      routes: zip(sources, targets).map { Matrix.Route(from: $0 + 1, to: $1 + 1) })
  }
}

extension ChainGraph {
  /// An id that no node has: the name, or the name with a number.
  fileprivate func free(_ name: String) -> String {
    guard self[name] != nil else { return name }
    var number = 2
    while self["\(name)\(number)"] != nil { number += 1 }
    return "\(name)\(number)"
  }
}

extension Output {
  /// The main output of an imported graph.
  ///
  /// - Parameter channels: nil for those of the input.
  static func main(channels: Int?) -> Output {
    let output = Output(id: "out")
    guard let channels else { return output }
    return output.key("sink", ["output": "main", "channels": channels.chainValue])
  }
}
