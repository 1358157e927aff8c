import FxChain
import FxKit

/// A node of a filter chain.
struct PipeWireNode {
  let source: SourceValue
  let importing: Importing
  let name: String
  let label: String
  let type: String
  /// Values by the names of control ports.
  let control: SourceValue?
  let config: SourceValue?

  init(_ source: SourceValue, _ importing: Importing) {
    (self.source, self.importing) = (source, importing)
    label = source["label"]?.text ?? ""
    type = source["type"]?.text ?? "builtin"
    name = source["name"]?.text ?? label
    control = source["control"]
    config = source["config"]
  }

  /// A node of fxrun with the nodes before its inputs.
  struct Made {
    var node: Node
    /// Nodes before an input, such as one that inverts it.
    let before: [Before]
    /// The input port for a port of PipeWire.
    private let inputPort: (PipeWirePort) -> String?
    /// The output port for a port of PipeWire.
    private let outputPort: (PipeWirePort) -> String?

    struct Before {
      let node: Node
      /// The port of the node that it feeds.
      let port: String
    }

    init(
      _ node: some ChainNode, before: [Before] = [],
      inputPort: @escaping (PipeWirePort) -> String? = { _ in nil },
      outputPort: @escaping (PipeWirePort) -> String? = { _ in nil }
    ) {
      self.node = node.node
      self.before = before
      (self.inputPort, self.outputPort) = (inputPort, outputPort)
    }

    func input(_ port: PipeWirePort) -> GraphPort {
      let name = inputPort(port)
      if let before = before.first(where: { $0.port == name }) {
        return GraphPort(before.node.name)
      }
      return GraphPort(node.name, port: name)
    }

    func output(_ port: PipeWirePort) -> GraphPort { GraphPort(node.name, port: outputPort(port)) }
  }

  // MARK: Ports

  /// True for a node with one input and one output.
  var isPlain: Bool {
    type == "builtin" && !["mixer", "param_eq", "convolver2", "max", "mult"].contains(label)
  }

  /// True for a node whose ports are ports of fxrun's node.
  var hasOwnPorts: Bool { type == "lv2" || type == "builtin" && label == "mixer" }

  /// The inputs of a node that begins a graph.
  var inputs: [PipeWirePort?] {
    if label == "param_eq" { return channels.map { PipeWirePort(node: name, port: "In \($0)") } }
    return [PipeWirePort(node: name, port: label == "mixer" ? "In 1" : nil)]
  }

  /// The outputs of a node that ends a graph.
  var outputs: [PipeWirePort?] {
    if label == "param_eq" { return channels.map { PipeWirePort(node: name, port: "Out \($0)") } }
    return [PipeWirePort(node: name, port: nil)]
  }

  /// The channels of a `param_eq` whose filters are given one by one.
  private var channels: [Int] {
    let given = (1...8).filter { config?["filters\($0)"] != nil }
    return given.isEmpty ? [1] : given
  }

  // MARK: Values

  /// The value of a control; nil where the file has none.
  func value(_ name: String) -> Double? { control?[name]?.number }

  func refuse(_ reason: String) { source.turn(.notPossible(reason)) }

  /// The node of fxrun.
  ///
  /// - Parameters:
  ///   - width: channels of the signal.
  ///   - isRepeated: true if PipeWire has the node once for each channel.
  func made(width: Int, isRepeated: Bool) -> Made {
    let made: Made? =
      switch type {
      case "builtin": builtIn(width, isRepeated)
      case "lv2": plugin()
      case "ladspa": ladspa()
      default: nil
      }
    if made == nil { refuse("fxrun has no node of the type '\(type)' with the label '\(label)'") }
    if var made {
      made.node = made.node.comment("PipeWire: \(label.isEmpty ? type : label) '\(name)'")
      guard let mistake = importing.mistake(of: made.node, channels: width) else {
        source.settle(.notPossible("fxrun does not know this setting of \(label)"))
        return made
      }
      refuse(mistake)
    }
    // The graph stays whole: the signal passes.
    return Made(
      Gain(id: importing.id(name), gain: 0).comment(
        "PipeWire: \(label.isEmpty ? type : label) '\(name)' is not possible; the signal passes"))
  }
}
