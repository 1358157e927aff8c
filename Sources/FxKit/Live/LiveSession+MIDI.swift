import FxAudio
import FxChain
import FxDevices
import FxDiagnostics
import FxFrames
import FxGraph

/// What a session knows of the MIDI that moves its chain.
struct MIDIState {
  /// Open from the first mapping or learning on.
  var sequencer: MIDISequencer?
  /// The inputs of the nodes, where the chain has some.
  var nodeSequencer: MIDISequencer?
  /// Reports what becomes of senders.
  var tell: ((SenderChange) -> Void)?
  /// It was tried once: what cannot be opened is told once.
  var wasTried = false
  /// Bound by hand, for this performance.
  var learned: [MIDIControl] = []
  /// What the next message is bound to, and who wants to know.
  var learning: (name: String, answer: (LiveControl.Outcome) -> Void)?
  /// Told once why no mapping works.
  var warning: String?
}

/// Carries out what MIDI asks for: the chain's mappings and what was learned.
extension LiveSession {
  /// Opens the input `control`, where the chain has mappings or somebody learns one.
  func openControlInput(isWanted: Bool = false) {
    guard !midi.wasTried, isWanted || !live.built.controls.isEmpty else { return }
    midi.wasTried = true
    let control = control
    do throws(IOError) {
      midi.sequencer = try MIDISequencer([controlInput]) { control.receive($0) }
    } catch {
      midi.warning = "no MIDI mapping works: \(error.description)"
    }
  }

  private var controlInput: MIDISequencer.Input {
    let control = control
    return MIDISequencer.Input(name: "control", sender: live.built.controlSender) {
      status, data1, data2, _ in control.receive([status, data1, data2])
    }
  }

  /// The inputs of the chain that plays, with its senders.
  func updateMIDIInputs() {
    openControlInput()
    midi.sequencer?.update([controlInput])
    midi.nodeSequencer?.update(live.midiInputs)
  }

  /// What came in since the last time.
  func lookAfterMIDI() {
    for change in control.takeSenderChanges() { midi.tell?(change) }
    let messages = control.takeMessages()
    for (index, message) in messages.enumerated() {
      do throws(ChainFailure) {
        try follow(message.paddedBytes)
      } catch {
        guard error.isTooManyChanges else { continue }
        // The render thread takes them at its next block.
        return control.putBack(messages[index...])
      }
    }
  }

  /// Messages that came faster than anybody took them.
  var droppedMessageCount: Int {
    control.droppedMessageCount + (midi.nodeSequencer?.droppedCount ?? 0)
  }

  /// A message as if it had come in at the port.
  func hear(_ bytes: [UInt8]) throws(ChainFailure) {
    guard let status = bytes.first, (0x80...0xef).contains(status),
      bytes.count == ((0xc0...0xdf).contains(status) ? 2 : 3),
      bytes.dropFirst().allSatisfy({ $0 < 128 })
    else {
      throw .outOfRange(
        "a MIDI message is a status of 128 to 239 and its data of 0 to 127: [176, 74, 64]")
    }
    try follow(bytes + [0])
  }

  func learn(
    _ name: String?, answer: @escaping (LiveControl.Outcome) -> Void
  ) throws(ChainFailure) {
    guard let name else {
      stopLearning()
      return answer(.success(.done))
    }
    let parameter = try parameter(name)
    guard ControlRange(parameter.spec) != nil else {
      throw .outOfRange("\(name) has no range that a control could go along")
    }
    stopLearning()
    openControlInput(isWanted: true)
    midi.learning = (name, answer)
  }

  func stopLearning() {
    let learning = midi.learning
    midi.learning = nil
    learning?.answer(
      .failure(ChainFailure(.request, code: "not-learned", "learning was ended: nothing was heard"))
    )
  }

  func endMIDI() {
    stopLearning()
    midi.sequencer?.stop()
    midi.sequencer = nil
    midi.nodeSequencer?.stop()
  }

  /// At least three bytes.
  private func follow(_ bytes: [UInt8]) throws(ChainFailure) {
    guard bytes.count >= 3 else { return }
    let message = (status: bytes[0], data1: bytes[1], data2: bytes[2])
    if let learning = midi.learning, let parameter = try? parameter(learning.name),
      let mapping = MIDIControl.learned(
        from: message, parameter: parameter, name: learning.name)
    {
      midi.learning = nil
      midi.learned.removeAll { $0.trigger == mapping.trigger && $0.channel == mapping.channel }
      midi.learned.append(mapping)
      learning.answer(.success(.learned(mapping.json.text(indented: false))))
    }
    let actions = (live.built.controls + currentLearned).actions(for: message)
    for (done, action) in actions.enumerated() {
      do throws(ChainFailure) {
        try carryOut(action)
      } catch {
        // Followed once more, what has been switched over would be as before.
        guard error.isTooManyChanges, actions[..<done].contains(where: \.switchesOver) else {
          throw error
        }
        return
      }
    }
  }

  /// By name: another chain may have taken over since.
  private var currentLearned: [MIDIControl] {
    midi.learned.compactMap { mapping in
      guard let parameter = try? parameter(mapping.target) else { return nil }
      var mapping = mapping
      if case .toggle = mapping.action, parameter.spec.isToggle {
        mapping.action = .toggle(parameter)
        return mapping
      }
      guard let range = ControlRange(parameter.spec) else { return nil }
      mapping.action = .parameter(parameter, range)
      return mapping
    }
  }

  private func carryOut(_ action: ControlAction) throws(ChainFailure) {
    switch action {
    case .set(let parameter, let value): try move(parameter, to: value)
    case .toggle(let parameter):
      try move(parameter, to: values[parameter.node][parameter.slot] == 0 ? 1 : 0)
    case .bypass(let node, let isOn):
      _ = try bypass(live.resolved.graph.nodes[node].id, isOn)
    case .toggleBypass(let node): _ = try bypass(live.resolved.graph.nodes[node].id, nil)
    case .scene(let scene): try enter(live.built.scenes[scene])
    }
  }
}

extension ControlAction {
  /// True for what depends on how it was before.
  fileprivate var switchesOver: Bool {
    switch self {
    case .toggle, .toggleBypass: true
    case .set, .bypass, .scene: false
    }
  }
}
