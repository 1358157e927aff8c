import FxAudio
import FxEngine

/// Values in beats follow the chain's tempo map, by automation generated from it.
extension GraphBuilder {
  /// Records whether a parameter was given in beats.
  func noteBeats(_ draft: NodeBuilder, _ slot: Int, _ raw: RawValue, _ place: Place?) {
    draft.beats[slot] = nil
    let spec = draft.slots[slot].spec
    guard raw.isInBeats, spec.measure == .seconds, let tempo = context.tempo, tempo > 0 else {
      return
    }
    draft.beats[slot] = draft.values[slot] * tempo / 60
    reportRange(spec, raw, place)
  }

  /// Reports a tempo of the map that moves the value out of its range.
  private func reportRange(_ spec: ParameterSpec, _ raw: RawValue, _ place: Place?) {
    for span in context.tempoMap?.spans.dropFirst() ?? [] {
      var context = context
      context.tempo = span.tempo
      do throws(ValueProblem) {
        _ = try spec.value(raw, context: context)
      } catch {
        diagnostics.add(
          Diagnostic(
            error.code, "\(error.message), at a tempo of \(shortNumber(span.tempo)) bpm", at: place,
            hints: error.hints))
        return
      }
    }
  }

}

extension ValueContext {
  /// The chain's automation of a node, and the generated automation of its values in beats.
  func automation(of draft: NodeBuilder) -> [Automation] {
    guard let map = tempoMap, !map.isConstant else { return draft.automation }
    return draft.automation
      + draft.beats.keys.sorted().compactMap { slot in
        guard let beats = writtenBeats(draft)[slot], !draft.automatedSlots.contains(slot) else {
          return nil
        }
        return Automation(slot: slot, points: map.points(ofBeats: beats))
      }
  }

  /// By slot: the values in beats that a scene has not replaced.
  func writtenBeats(_ draft: NodeBuilder) -> [Int: Double] {
    guard let tempo else { return [:] }
    return draft.beats.filter { slot, beats in
      abs(draft.values[slot] * tempo / 60 - beats) <= 1e-9 * abs(beats)
    }
  }
}

extension TempoMap {
  /// Seconds between two points while the tempo changes.
  private static let step = 0.05

  /// The duration of a number of beats over time: steps, and short lines where the tempo changes
  /// evenly.
  fileprivate func points(ofBeats beats: Double) -> [Automation.Point] {
    var points: [Automation.Point] = []
    for (index, span) in spans.enumerated() {
      let value = beats * 60 / span.tempo
      points.append(Automation.Point(seconds: span.start, value: value))
      guard span.slope != 0, index + 1 < spans.count else { continue }
      let length = spans[index + 1].start - span.start
      let count = min(max(Int(length / Self.step), 1), 10_000)
      for step in 1..<(count + 1) {
        // The last point is just before the next span.
        let share = step == count ? 1 - 1e-6 : Double(step) / Double(count)
        let seconds = span.start + length * share
        points.append(
          Automation.Point(
            seconds: seconds, value: beats * 60 / span.tempo(atSeconds: seconds), curve: .linear))
      }
    }
    return points
  }
}
