import FxAudio

extension RenderPlan: CustomStringConvertible {
  /// The plan as `fxrun plan` prints it: one line for each step, buffers by number.
  package var description: String {
    var lines: [String] = []
    lines.append(
      "\(nodes.count) \(nodes.count == 1 ? "node" : "nodes"), \(steps.count) "
        + "\(steps.count == 1 ? "step" : "steps"), \(bufferCount) buffers, "
        + "latency \(latency) frames")
    for source in sources {
      lines.append(
        row("source", nodes[source.node].id, "-> \(list(source.buffers))\(layout(source))"))
    }
    var begun = tasks[...]
    for (number, section) in sections.enumerated() {
      if let task = begun.first, task.sections.lowerBound == number {
        lines.append(describe(task, number: tasks.count - begun.count))
        begun = begun.dropFirst()
      }
      if let slice = section.slice {
        lines.append("loop, slices of at most \(slice) frames")
      }
      for step in steps[section.steps] {
        lines.append((section.slice == nil ? "" : "  ") + describe(step))
      }
    }
    for sink in sinks {
      let late = sink.latency == 0 ? "" : "   late by \(sink.latency)"
      lines.append(
        row("sink", nodes[sink.node].id, "<- \(list(sink.buffers))\(layout(sink))\(late)"))
    }
    return lines.map { ForeignText.visible($0) }.joined(separator: "\n")
  }

  private func describe(_ task: Task, number: Int) -> String {
    let cost = "about \(Int(task.cost.rounded())) ns a frame"
    guard !task.waitsFor.isEmpty else { return "task \(number), \(cost)" }
    return
      "task \(number), \(cost), behind \(task.waitsFor.map(String.init).joined(separator: " "))"
  }

  /// The channel layout, if the number of channels does not imply it.
  private func layout(_ port: Port) -> String {
    guard let layout = port.layout, port.buffers.count > 2 || layout != .usual(port.buffers.count)
    else { return "" }
    return "   \(layout)"
  }

  private func describe(_ step: Step) -> String {
    switch step {
    case .sum(let terms, let output):
      let sum = terms.map { term in
        (term.gain == 1 ? "b\(term.input)" : "\(term.gain)·b\(term.input)") + mark(term.fade)
      }
      return row("sum", "", "\(sum.joined(separator: " + ")) -> b\(output)")
    case .delay(let line, let input, let output):
      let moving = movingLines[line].map { ", at most \($0)" } ?? ""
      return row("delay", "", "b\(input) -> b\(output)   \(delayLines[line]) frames\(moving)")
    case .feedbackRead(let line, let output):
      return row("feedback", "read \(line)", "-> b\(output)   \(feedbackLines[line].frames) frames")
    case .feedbackWrite(let line, let input):
      return row("feedback", "write \(line)", "b\(input)")
    case .run(let node, let inputs, let outputs):
      let summary = nodes[node]
      let latency = summary.latency == 0 ? "" : "   latency \(summary.latency)"
      let kind = summary.kind == summary.id ? "" : "   \(summary.kind)"
      return row("run", summary.id, "\(list(inputs)) -> \(list(outputs))\(latency)\(kind)")
    case .blend(let node, let dry, let wet, let outputs):
      return row(
        "blend", nodes[node].id, "dry \(list(dry)), wet \(list(wet)) -> \(list(outputs))")
    }
  }

  private func mark(_ fade: Term.Fade) -> String {
    switch fade {
    case .none: ""
    case .enters: " (enters)"
    case .leaves: " (leaves)"
    case .moves(let gain): " (from \(gain))"
    case .ringsOut: " (rings out)"
    case .opens: " (opens)"
    }
  }

  private func list(_ buffers: [Int]) -> String {
    buffers.map { "b\($0)" }.joined(separator: " ")
  }

  private func row(_ verb: String, _ subject: String, _ rest: String) -> String {
    padded(verb, 9) + padded(subject, 16) + rest
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
