import FxAudio
import FxChain
import FxEngine
import FxPlaying

extension Graph {
  /// An inbox for every node that can receive live MIDI.
  func inboxes(_ units: any UnitCatalog) -> [Int: MIDIInbox] {
    var inboxes: [Int: MIDIInbox] = [:]
    for (index, node) in nodes.enumerated() {
      guard let unit = node.unit, (try? units.type(of: unit.kind))?.spec.takesMIDI == true else {
        continue
      }
      inboxes[index] = MIDIInbox()
    }
    return inboxes
  }
}

extension Graph.Node {
  var unit: UnitConfiguration? { if case .unit(let unit) = content { unit } else { nil } }
  var midiPort: MIDIPort? { unit?.midiPort }
}

extension CompiledChain {
  /// The time of the last event of the chain's own MIDI and automation, in seconds; nil if there
  /// is none.
  var scheduleEnd: Double? {
    resolved.graph.nodes.compactMap(\.unit).flatMap { unit in
      unit.events.suffix(1).map(\.seconds) + unit.automation.flatMap { $0.points.map(\.seconds) }
    }.max()
  }

  /// The chain's live MIDI inputs.
  var midiInputs: [MIDISequencer.Input] {
    inboxes.sorted { $0.key < $1.key }.compactMap { node, inbox in
      let id = resolved.graph.nodes[node].id
      return resolved.graph.nodes[node].midiPort.map {
        MIDISequencer.Input(
          id: "\(id) \($0.name)", name: $0.name, sender: $0.sender, inbox: inbox)
      }
    }
  }

  /// A node that a MIDI port of the system plays, with its input.
  var liveNode: (id: String, port: String)? {
    for node in resolved.graph.nodes {
      if let port = node.midiPort { return (node.id, port.name) }
    }
    return nil
  }

  /// Notes about plugins that do not declare themselves real-time capable.
  var realtimeNotes: Diagnostics {
    var notes = Diagnostics()
    for index in lateNodes {
      notes.add(
        built.diagnostic(
          forNode: index, .notRealtime,
          "'\(resolved.graph.nodes[index].id)' is played live, and its plugin does not claim to be "
            + "real-time capable: expect dropouts"))
    }
    return notes
  }

  /// True if the chain names a playback device.
  var namesDevice: Bool {
    plan.sinks.contains { endpoint(ofSink: $0)?.nature == .device }
  }
}

extension ChainFailure {
  /// Refuses an offline render of a chain that needs live MIDI.
  static func liveOnly(_ node: (id: String, port: String)) -> ChainFailure {
    ChainFailure(
      .request, code: .liveOnly,
      "'\(node.id)' plays what comes in on the MIDI input '\(node.port)', which is there only while "
        + "the chain is played: leave out -o, or give the node a MIDI file")
  }
}
