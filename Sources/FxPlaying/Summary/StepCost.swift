import FxAudio
package import FxEngine

/// The time of a sum or a delay of the plan in a render.
public struct StepCost: Sendable, Hashable {
  public enum Kind: String, Sendable {
    case sum, delay, feedbackRead, feedbackWrite
  }

  /// Its number in the plan, from 0.
  public let step: Int
  public let kind: Kind
  /// The next node that reads its result; empty for the input of a feedback line.
  public let node: String
  /// The number of terms of a sum.
  public let terms: Int
  /// Frames of a delay.
  public let frames: Int
  public let nanosecondsPerFrame: Double

  /// In words: `sum of 16 into mix`, `delay of 240 for mix`.
  public var label: String {
    let place = node.isEmpty ? "" : " \(node)"
    return switch kind {
    case .sum: "sum of \(terms)" + (place.isEmpty ? "" : " into\(place)")
    case .delay: "delay of \(frames)" + (place.isEmpty ? "" : " before\(place)")
    case .feedbackRead: "loop of \(frames)" + (place.isEmpty ? "" : " into\(place)")
    case .feedbackWrite: "end of a loop"
    }
  }
}

extension RenderProgram {
  /// The time of each sum and delay, in the order of the plan; empty if it was not measured.
  package var stepCosts: [StepCost] {
    plan.steps.enumerated().compactMap { number, step in
      guard let time = time(ofStep: number) else { return nil }
      let nanoseconds = time.summary.mean * 1e9 / Double(max(maximumFrameCount, 1))
      func cost(_ kind: StepCost.Kind, terms: Int = 0, frames: Int = 0) -> StepCost {
        StepCost(
          step: number, kind: kind, node: reader(behind: number) ?? "", terms: terms,
          frames: frames, nanosecondsPerFrame: nanoseconds)
      }
      switch step {
      case .sum(let terms, _): return cost(.sum, terms: terms.count)
      case .delay(let line, _, _): return cost(.delay, frames: plan.delayLines[line])
      case .feedbackRead(let line, _):
        return cost(.feedbackRead, frames: plan.feedbackLines[line].frames)
      case .feedbackWrite(let line, _):
        return cost(.feedbackWrite, frames: plan.feedbackLines[line].frames)
      case .run, .blend: return nil
      }
    }
  }

  /// The node that reads what a step writes.
  private func reader(behind step: Int) -> String? {
    let written = Set(plan.steps[step].writes)
    for next in plan.steps[(step + 1)...] {
      if !written.isDisjoint(with: next.reads) {
        switch next {
        case .run(let node, _, _), .blend(let node, _, _, _): return plan.nodes[node].id
        case .sum, .delay, .feedbackRead, .feedbackWrite: return nil
        }
      }
      // From here on its buffers hold other signals.
      if !written.isDisjoint(with: next.writes) { return nil }
    }
    return plan.sinks.first { !written.isDisjoint(with: $0.buffers) }
      .map { plan.nodes[$0.node].id }
  }
}
