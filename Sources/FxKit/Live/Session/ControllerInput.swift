import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// Carries out MIDI messages with the chain's mappings and the learned mappings.
final class ControllerInput {
  private let playing: PlayingChain
  private let switches: SwitchControl
  private let tempo: TempoControl
  /// Receives messages and sender changes, from any thread.
  private let inbox: LiveControl
  /// Opened for the first mapping or the first `learn`.
  private var sequencer: MIDISequencer?
  /// The MIDI inputs of the nodes, if the chain has any.
  private let nodeSequencer: MIDISequencer?
  private let report: (SenderChange) -> Void
  /// True after the first attempt to open: a failure is reported once.
  private var wasTried = false
  /// Mappings learned in this performance.
  private var learned: [MIDIControl] = []
  /// The parameter that the next message is bound to, and the receiver of the answer.
  private var learning: (name: String, answer: (LiveControl.Outcome) -> Void)?
  /// The reason why no mapping works.
  private(set) var warning: String?

  /// - Parameter report: receives the connections and losses of senders.
  init(
    _ playing: PlayingChain, _ switches: SwitchControl, _ tempo: TempoControl, inbox: LiveControl,
    nodeSequencer: MIDISequencer?, report: @escaping (SenderChange) -> Void
  ) {
    self.playing = playing
    self.switches = switches
    self.tempo = tempo
    self.inbox = inbox
    self.nodeSequencer = nodeSequencer
    self.report = report
  }

  /// Opens the input `control` if the chain has mappings or follows a clock, or for `learn`.
  func open(isWanted: Bool = false) {
    guard !wasTried,
      isWanted || !playing.compiled.built.controls.isEmpty || playing.compiled.built.followsClock
    else { return }
    wasTried = true
    let inbox = inbox
    do throws(Failure) {
      sequencer = try MIDISequencer([controlInput]) { inbox.receive($0) }
    } catch {
      warning = "no MIDI mapping or clock works: \(error.description)"
    }
  }

  private var controlInput: MIDISequencer.Input {
    let inbox = inbox
    return MIDISequencer.Input(name: "control", sender: playing.compiled.built.controlSender) {
      status, data1, data2, seconds in
      if let clock = MIDIClockMessage(status: status, data1, data2, at: seconds) {
        inbox.receive(clock)
      } else {
        inbox.receive([status, data1, data2])
      }
    }
  }

  /// Connects the inputs to the senders that the playing chain names.
  func update() {
    open()
    sequencer?.update([controlInput])
    nodeSequencer?.update(playing.compiled.midiInputs)
  }

  /// Carries out the messages received since the last call.
  func poll() {
    for change in inbox.takeSenderChanges() { report(change) }
    let messages = inbox.takeMessages()
    for (index, message) in messages.enumerated() {
      do throws(ChainFailure) {
        try follow(message.paddedBytes)
      } catch {
        guard error.isTooManyChanges else { continue }
        // The queue is full until the render thread starts its next block.
        return inbox.putBack(messages[index...])
      }
    }
  }

  /// The number of messages dropped because they came faster than they were taken.
  var droppedMessageCount: Int {
    inbox.droppedMessageCount + (nodeSequencer?.droppedCount ?? 0)
  }

  /// Carries out a message as if the port had received it.
  func receive(_ bytes: [UInt8]) throws(ChainFailure) {
    try follow(bytes + [0])
  }

  func learn(
    _ name: String?, answer: @escaping (LiveControl.Outcome) -> Void
  ) throws(ChainFailure) {
    guard let name else {
      stopLearning()
      return answer(.success(.done))
    }
    let parameter = try playing.parameter(name)
    guard ControlRange(parameter.spec) != nil else {
      throw .outOfRange("\(name) has no range that a controller could cover")
    }
    stopLearning()
    open(isWanted: true)
    learning = (name, answer)
  }

  private func stopLearning() {
    let learning = learning
    self.learning = nil
    learning?.answer(
      .failure(
        ChainFailure(.request, code: .notLearned, "learning was ended: no control was moved"))
    )
  }

  func end() {
    stopLearning()
    sequencer?.stop()
    sequencer = nil
    nodeSequencer?.stop()
  }

  /// Learns from a message, then carries out its actions. Ignores fewer than three bytes.
  private func follow(_ bytes: [UInt8]) throws(ChainFailure) {
    guard bytes.count >= 3 else { return }
    let message = (status: bytes[0], data1: bytes[1], data2: bytes[2])
    if let learning, let parameter = try? playing.parameter(learning.name),
      let mapping = MIDIControl.learned(
        from: message, parameter: parameter, name: learning.name)
    {
      self.learning = nil
      learned.removeAll { $0.trigger == mapping.trigger && $0.channel == mapping.channel }
      learned.append(mapping)
      learning.answer(.success(.learned(mapping.json.text(indented: false))))
    }
    let actions = (playing.compiled.built.controls + currentLearned).actions(for: message)
    for (done, action) in actions.enumerated() {
      do throws(ChainFailure) {
        try carryOut(action)
      } catch {
        // The message must not be put back: a second pass would undo the toggles that were done.
        guard error.isTooManyChanges, actions[..<done].contains(where: \.switchesOver) else {
          throw error
        }
        return
      }
    }
  }

  /// Found again by name, because another chain may have taken over since.
  private var currentLearned: [MIDIControl] {
    learned.compactMap { mapping in
      guard let parameter = try? playing.parameter(mapping.target) else { return nil }
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
    case .set(let parameter, let value): try playing.move(parameter, to: value)
    case .toggle(let parameter):
      try playing.move(parameter, to: playing.value(of: parameter) == 0 ? 1 : 0)
    case .bypass(let node, let isOn):
      _ = try switches.bypass(playing.compiled.resolved.graph.nodes[node].id, isOn)
    case .toggleBypass(let node):
      _ = try switches.bypass(playing.compiled.resolved.graph.nodes[node].id, nil)
    case .scene(let scene): try playing.enter(playing.compiled.built.scenes[scene])
    case .tap: try tempo.tap()
    }
  }
}

extension ControlAction {
  /// True if the result depends on the state before.
  fileprivate var switchesOver: Bool {
    switch self {
    case .toggle, .toggleBypass, .tap: true
    case .set, .bypass, .scene: false
    }
  }
}
