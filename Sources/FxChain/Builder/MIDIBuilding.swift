import FxAudio
import FxEngine

/// The MIDI that a node's `midi` key plays.
extension GraphBuilder {
  /// The default duration of a note in seconds.
  private static let usualDuration = 0.5

  func configureMIDI(_ draft: NodeBuilder, _ facts: UnitFacts, _ node: NodeDocument) {
    guard let midi = node.midi else { return }
    guard facts.spec.takesMIDI else {
      report(.noMIDIInput, "\(facts.name) takes no MIDI", midi.place)
      return
    }
    switch midi.content {
    case .file(let path, let channel):
      draft.events = file(path, channel: channel, draft)
    case .events(let events):
      draft.events = events.flatMap { messages($0) }.stablySorted()
    case .port(let name, let sender):
      draft.midiPort = MIDIPort(name: name, sender: sender)
    }
  }

  /// The MIDI file of a node, relative to the current folder; nil if it names none.
  func midiFile(of node: NodeDocument, _ draft: NodeBuilder) -> String? {
    guard case .file(let path, _)? = node.midi?.content, !path.value.isEmpty else { return nil }
    return ChainFile.path(path.value, relativeTo: draft.scope.document.path)
  }

  private func file(_ path: Located<String>, channel: Int?, _ draft: NodeBuilder) -> [TimedMIDI] {
    guard !path.value.isEmpty else {
      report(.invalidValue, "'midi' names no file", path.place)
      return []
    }
    let file = ChainFile.path(path.value, relativeTo: draft.scope.document.path)
    do throws(Failure) {
      let bytes = try files.read(file)
      do throws(Failure) {
        let midi = try MIDIFile(bytes, channel: channel.map { UInt8($0 - 1) })
        for warning in midi.warnings {
          diagnostics.add(
            Diagnostic(
              .invalidMIDI, "the MIDI file '\(file)': \(warning)", at: path.place,
              severity: .warning))
        }
        return midi.events
      } catch {
        report(
          .invalidMIDI,
          "the MIDI file '\(file)' cannot be read: \(error.message) (byte \(error.part?.lowerBound ?? 0))",
          path.place)
      }
    } catch {
      report(
        .unreadableFile, "the MIDI file '\(file)' cannot be read: \(error.message)", path.place)
    }
    return []
  }

  /// A note is two messages.
  private func messages(_ event: MIDIEventDocument) -> [TimedMIDI] {
    let start = event.at.flatMap { at in time(at, "at").map { context.moment($0, at.value) } }
    var length = Self.usualDuration
    if case .note(_, _, _, let duration?) = event.kind {
      guard let given = time(duration, "duration") else { return [] }
      length = given
      if length == 0 {
        report(
          .outOfRange, "a note with the duration 0 is not heard", duration.place,
          hints: ["give it more, or leave it out: a note then lasts \(Self.usualDuration) s"])
        return []
      }
    } else if case .broken(let duration?) = event.kind {
      _ = time(duration, "duration")
    }
    guard let start else { return [] }
    switch event.kind {
    case .broken: return []
    case .message(let bytes): return [TimedMIDI(seconds: start, bytes: bytes)]
    case .note(let number, let velocity, let channel, _):
      return [
        TimedMIDI(seconds: start, bytes: [0x90 | channel, number, velocity]),
        TimedMIDI(seconds: end(start, length, event), bytes: [0x80 | channel, number, 64]),
      ]
    }
  }

  /// The end of a note: a duration in beats follows the tempo.
  private func end(_ start: Double, _ length: Double, _ event: MIDIEventDocument) -> Double {
    guard case .note(_, _, _, let duration?) = event.kind, duration.value.isInBeats,
      let map = context.tempoMap, !map.isConstant
    else { return start + length }
    return map.seconds(atBeat: map.beat(atSeconds: start) + length * map.initialTempo / 60)
  }

  private func time(_ value: Located<RawValue>, _ name: String) -> Double? {
    guard let key = ChainFormat.midiEvent.key(name) else { return nil }
    do throws(ValueProblem) {
      return try key.number(value.value, context: context)
    } catch {
      diagnostics.add(error.diagnostic(at: value.place))
      return nil
    }
  }
}

extension [TimedMIDI] {
  /// Sorted by time; events at the same time keep their order.
  fileprivate func stablySorted() -> [TimedMIDI] {
    indices.sorted { (self[$0].seconds, $0) < (self[$1].seconds, $1) }.map { self[$0] }
  }
}
