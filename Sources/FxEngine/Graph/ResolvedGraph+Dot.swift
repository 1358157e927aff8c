import FxAudio

extension ResolvedGraph {
  /// The graph in Graphviz's language, with widths, latencies and the delays that align it.
  package func dot(name: String, plan: RenderPlan) -> String {
    var lines = ["digraph \(quoted(name)) {", "  rankdir=LR;"]
    lines.append("  node [shape=box, style=rounded, fontname=\"sans-serif\"];")
    lines.append("  edge [fontname=\"sans-serif\", fontsize=10];")
    for (index, node) in graph.nodes.enumerated() {
      var label = node.id
      let kind = plan.nodes[index].kind
      if kind != node.id { label += "\n\(kind)" }
      if plan.nodes[index].latency > 0 { label += "\nlatency \(plan.nodes[index].latency)" }
      let shape =
        switch node.content {
        case .source, .sink: ", style=filled, fillcolor=\"#e4e4e4\""
        case .unit: ""
        }
      lines.append("  n\(index) [label=\(quoted(label))\(shape)];")
    }
    for connection in graph.connections {
      lines.append("  \(edge(connection, plan))")
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private func edge(_ connection: Connection, _ plan: RenderPlan) -> String {
    let (from, to) = (connection.from, connection.to)
    var labels: [String] = []
    if connection.carriesEvents {
      labels = ["events"]
    } else {
      labels = signalLabels(connection)
    }
    if let seconds = connection.feedbackDelay {
      labels.append("feedback \((seconds * 1000).rounded() / 1000) s")
    } else {
      let left = plan.nodes[from.node].arrival + plan.nodes[from.node].latency
      let wait =
        plan.nodes[to.node].arrival - left + graph.wait(from: from.node, to: to.node)
      if wait > 0 { labels.append("+\(wait)") }
    }
    let style = connection.feedbackDelay == nil ? "" : ", style=dashed, constraint=false"
    return "n\(from.node) -> n\(to.node) [label=\(quoted(labels.joined(separator: ", ")))\(style)];"
  }

  private func signalLabels(_ connection: Connection) -> [String] {
    let (from, to) = (connection.from, connection.to)
    var labels: [String] = []
    let bus = graph.nodes[to.node].inputs[to.bus].name
    if to.bus > 0 || graph.nodes[to.node].inputs.count > 1 { labels.append(bus) }
    let width =
      connection.channels?.count
      ?? (from.channel == nil ? outputWidths[from.node][from.bus] : 1)
    labels.append("\(width) ch")
    if connection.carriesNames, width > 2 {
      labels.append("\(layouts.output(from.node, bus: from.bus, channelCount: width))")
    }
    return labels
  }

  private func quoted(_ text: String) -> String {
    var escaped = ""
    // A line break is Graphviz's own; other control characters are made visible.
    for character in ForeignText.visibleLines(text) {
      switch character {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
    return "\"\(escaped)\""
  }
}
