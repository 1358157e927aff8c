import FxChain
import FxKit

/// The costs of a chain as tables and as JSON.
struct ChainProfileReport {
  let profile: ChainProfile
  let name: String

  /// Shorter renders consist mostly of their start.
  private static let leastSeconds = 0.02

  // MARK: Text

  var text: String {
    let tables = [
      TerminalText.table(nodeRows, leftColumns: 2), TerminalText.table(threadRows, leftColumns: 1),
    ]
    return ([heading] + tables + (advice.isEmpty ? [] : [advice.joined(separator: "\n")]))
      .joined(separator: "\n\n")
  }

  private var heading: String {
    let period = Double(profile.blockSize) / max(profile.sampleRate, 1) * 1000
    return "\(TerminalText.plain(name)): \(Text.decimal(profile.soundSeconds, 1)) s at "
      + "\(Text.decimal(profile.sampleRate, 0)) Hz in blocks of \(profile.blockSize) frames "
      + "(\(Text.decimal(period, 2)) ms)"
  }

  private var nodeRows: [[String]] {
    let nodes = profile.nodes.map { node in
      [
        TerminalText.plain(node.id), TerminalText.plain(node.unit),
        Text.decimal(node.nanosecondsPerFrame, 1), percent(node.share), percent(node.load.p50),
        percent(node.load.maximum), MemorySize.text(node.memory),
      ]
    }
    let steps = profile.steps.map { step in
      [
        TerminalText.plain(step.label), "", Text.decimal(step.nanosecondsPerFrame, 1),
        percent(step.nanosecondsPerFrame / max(profile.nanosecondsPerFrame, 1e-9)), "", "", "",
      ]
    }
    let heading = ["node or step", "unit", "ns/frame", "share", "of a period", "longest", "memory"]
    let all = [
      "all", "", Text.decimal(profile.nanosecondsPerFrame, 1), percent(1),
      percent(profile.scaling.first?.periodShare ?? 0), "", MemorySize.text(profile.memory),
    ]
    return [heading] + nodes + steps + [all]
  }

  private var threadRows: [[String]] {
    let alone = profile.scaling.first?.seconds ?? 0
    return [["threads", "into a file", "faster", "waits for", "a period, live"]]
      + profile.scaling.map { scaling in
        let limit = scaling.activities.first { $0.kind == scaling.limit }
        return [
          "\(scaling.threads)", Text.decimal(scaling.seconds, 3) + " s",
          Text.decimal(alone / max(scaling.seconds, 1e-9), 2) + "×",
          limit.map { "\($0.kind.rawValue) (\(percent($0.busy)) busy)" } ?? "",
          percent(scaling.periodShare),
        ]
      }
  }

  /// Advice from the figures, one sentence each.
  private var advice: [String] {
    guard let alone = profile.scaling.first, profile.scaling.count > 1 else { return [] }
    guard alone.seconds >= Self.leastSeconds else {
      return ["This is too short to compare threads; --duration renders more."]
    }
    var lines: [String] = []
    let best = profile.scaling.min { $0.seconds < $1.seconds } ?? alone
    lines.append(
      best.threads > 1 && best.seconds < 0.95 * alone.seconds
        ? "--threads \(best.threads) renders into files fastest."
        : "More threads do not render this chain into files faster.")
    let live = profile.scaling.min { $0.periodShare < $1.periodShare } ?? alone
    lines.append(
      live.threads > 1 && live.periodShare < 0.95 * alone.periodShare
        ? "Live, --threads \(live.threads) takes \(percent(live.periodShare)) of a period, "
          + "one thread \(percent(alone.periodShare))."
        : "Live, one thread is best for this chain.")
    return lines
  }

  private func percent(_ share: Double) -> String { LiveView.percent(share) }

  // MARK: JSON

  var json: JSONOutput {
    .members([
      "chain": .string(name),
      "sampleRate": .number(profile.sampleRate),
      "blockSize": .integer(profile.blockSize),
      "seconds": .number(profile.soundSeconds),
      "nanosecondsPerFrame": .number(profile.nanosecondsPerFrame),
      "memory": .integer(profile.memory),
      "nodes": .array(
        profile.nodes.map { node in
          .members([
            "node": .string(node.id), "unit": .string(node.unit),
            "nanosecondsPerFrame": .number(node.nanosecondsPerFrame),
            "share": .number(node.share), "load": SnapshotReport.json(node.load),
            "memory": .integer(node.memory),
          ])
        }),
      "steps": .array(
        profile.steps.map { step in
          .members([
            "step": .integer(step.step), "kind": .string(step.kind.rawValue),
            "node": step.node.isEmpty ? nil : .string(step.node),
            "terms": step.kind == .sum ? .integer(step.terms) : nil,
            "frames": step.kind == .sum ? nil : .integer(step.frames),
            "nanosecondsPerFrame": .number(step.nanosecondsPerFrame),
          ])
        }),
      "threads": .array(profile.scaling.map(json)),
    ])
  }

  private func json(_ scaling: ChainProfile.Scaling) -> JSONOutput {
    .members([
      "threads": .integer(scaling.threads), "seconds": .number(scaling.seconds),
      "limit": scaling.limit.map { .string($0.rawValue) },
      "periodShare": .number(scaling.periodShare),
      "liveTasks": .integer(scaling.liveTaskCount),
      "activities": .array(
        scaling.activities.map { activity in
          .members([
            "kind": .string(activity.kind.rawValue),
            "processorSeconds": .number(activity.processorSeconds),
            "busy": .number(activity.busy),
          ])
        }),
    ])
  }
}
