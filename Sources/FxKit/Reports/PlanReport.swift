import FxAudio
package import FxChain
import FxEngine

/// A render plan as text, JSON and Graphviz.
package struct PlanReport {
  private let compiled: CompiledChain

  package init(_ compiled: CompiledChain) { self.compiled = compiled }

  /// Steps, buffers and latencies; scenes and MIDI mappings below.
  package var text: String {
    let lines = ControlReport(compiled.built).lines.map { ForeignText.visible($0) + "\n" }
    let plan =
      measurements.map { "first: \($0.what) of \($0.node)\n" }.joined()
      + compiled.plan.description
    return plan + (plan.hasSuffix("\n") ? "" : "\n") + lines.joined()
  }

  /// The measurements before the render, in the order of the nodes.
  private var measurements: [(node: String, what: String)] {
    compiled.measuringNodes.sorted { $0.key < $1.key }.map {
      (compiled.plan.nodes[$0.key].id, $0.value)
    }
  }

  /// The graph in the DOT language of Graphviz.
  package func dot(name: String) -> String {
    compiled.resolved.dot(name: compiled.built.name ?? name, plan: compiled.plan)
  }

  package var json: JSONOutput {
    let plan = compiled.plan
    return .members([
      "sampleRate": .number(compiled.sampleRate),
      "blockSize": .integer(compiled.blockSize),
      "latency": .integer(plan.latency),
      "tail": tail,
      "memory": compiled.memory.map { .integer($0.total) },
      "measuresFirst": .array(
        measurements.map { .members(["node": .string($0.node), "what": .string($0.what)]) }),
      "buffers": .integer(plan.bufferCount),
      "nodes": .array(plan.nodes.indices.map(node)),
      "sources": .array(plan.sources.map { json($0, "input", inputName($0)) }),
      "sections": .array(
        plan.sections.map { section in
          .members([
            "slice": section.slice.map { .integer($0) },
            "steps": .array(plan.steps[section.steps].map(json)),
          ])
        }),
      "tasks": .array(
        plan.tasks.map { task in
          .members([
            "sections": .array(task.sections.map { .integer($0) }),
            "waitsFor": .array(task.waitsFor.map { .integer($0) }),
            "nanosecondsPerFrame": .number(task.cost),
          ])
        }),
      "sinks": .array(plan.sinks.map { json($0, "output", outputName($0)) }),
      "scenes": ControlReport(compiled.built).scenes,
      "controls": ControlReport(compiled.built).controls,
    ])
  }

  private var tail: JSONOutput {
    .members([
      "declaredFrames": .integer(compiled.tail.declaredFrames),
      "isOpenEnded": .bool(compiled.tail.isOpenEnded),
    ])
  }

  private func node(_ index: Int) -> JSONOutput {
    let (node, instance) = (compiled.plan.nodes[index], compiled.instances[index])
    let layouts = compiled.resolved.layouts
    return .members([
      "id": .string(node.id), "kind": .string(node.kind), "latency": .integer(node.latency),
      "arrival": .integer(node.arrival),
      "inputs": .array(layouts.inputs[index].map { .string($0.description) }),
      "outputs": .array(layouts.outputs[index].map { .string($0.description) }),
      // The initial values of a plugin's control inputs, in the ports' own units of measure.
      "controls": instance?.controls.map { controls in
        .object(controls().map { JSONOutput.Member($0.symbol, .number($0.value)) })
      },
    ])
  }

  private func inputName(_ source: RenderPlan.Port) -> String? {
    compiled.endpoint(ofSource: source)?.inputName
  }

  private func outputName(_ sink: RenderPlan.Port) -> String? {
    compiled.endpoint(ofSink: sink)?.outputName
  }

  /// A source or sink, with the name that the command line binds a file to.
  private func json(_ port: RenderPlan.Port, _ key: String, _ name: String?) -> JSONOutput {
    .members([
      "node": .string(compiled.plan.nodes[port.node].id), key: name.map { .string($0) },
      "buffers": list(port.buffers),
      "layout": port.layout.map { .string($0.description) },
      "latency": .integer(port.latency),
    ])
  }

  private func json(_ step: RenderPlan.Step) -> JSONOutput {
    switch step {
    case .sum(let terms, let output):
      .members([
        "sum": .array(
          terms.map {
            .members(["buffer": .integer($0.input), "gain": .number(Double($0.gain))])
          }), "to": .integer(output),
      ])
    case .delay(let line, let input, let output):
      .members([
        "delay": .integer(compiled.plan.delayLines[line]), "from": .integer(input),
        "to": .integer(output),
      ])
    case .feedbackRead(let line, let output):
      .members(["feedbackRead": .integer(line), "to": .integer(output)])
    case .feedbackWrite(let line, let input):
      .members(["feedbackWrite": .integer(line), "from": .integer(input)])
    case .run(let node, let inputs, let outputs):
      .members([
        "run": .string(compiled.plan.nodes[node].id), "from": list(inputs), "to": list(outputs),
      ])
    case .blend(let node, let dry, let wet, let outputs):
      .members([
        "blend": .string(compiled.plan.nodes[node].id), "dry": list(dry), "wet": list(wet),
        "to": list(outputs),
      ])
    }
  }

  private func list(_ buffers: [Int]) -> JSONOutput { .array(buffers.map { .integer($0) }) }
}
