import FxAudio
import FxDevices
import FxEngine
import FxGraph
import FxPlaying

/// A change of a parameter that has taken effect.
public struct LiveChange: Sendable, Hashable {
  /// The first frame that it holds for, counted from the start of the input; the start of a block.
  public var frame: Int
  /// `comp.threshold`.
  public var parameter: String
  /// In the parameter's own unit of measure.
  public var value: Double
  /// How long it took to get there; nil for the parameter's own smoothing.
  public var seconds: Double?
}

/// Hears from the render thread which changes have taken effect, and where.
struct ChangeFollower {
  var log: LiveLogWriter?
  /// What plays.
  fileprivate var program: RenderProgram?
  /// What played before, until the render thread has left it.
  fileprivate var former: [RenderProgram] = []
  fileprivate var recent: [LiveChange] = []

  /// Changes that nobody has asked after are forgotten.
  fileprivate static let rememberedCount = 4096
}

extension LiveSession {
  /// Asks after what has taken effect since the last time, writes it to the log, and remembers it.
  func noteChanges() {
    let program = driver.program
    if let last = changes.program, last !== program { changes.former.append(last) }
    changes.program = program
    if !changes.former.isEmpty {
      // What is left is freed here.
      driver.device.isChangingChain = true
      // Asked before: what is left by now changes no more.
      let isLeft = driver.isReplaced
      for former in changes.former { noteChanges(of: former) }
      if isLeft { changes.former = [] }
    }
    noteChanges(of: program)
    changes.log?.flush()
  }

  private func noteChanges(of program: RenderProgram) {
    for applied in program.appliedChanges() {
      let nodes = program.graph.graph.nodes
      guard nodes.indices.contains(applied.node), let unit = nodes[applied.node].unit,
        unit.parameters.indices.contains(applied.parameter)
      else { continue }
      let change = LiveChange(
        frame: applied.frame,
        parameter: "\(nodes[applied.node].id).\(unit.parameters[applied.parameter].path)",
        value: applied.value, seconds: applied.seconds)
      changes.log?.write(
        LiveLog.Entry(
          frame: change.frame,
          .set(parameter: change.parameter, to: change.value, seconds: change.seconds)))
      changes.recent.append(change)
    }
    if changes.recent.count > ChangeFollower.rememberedCount {
      changes.recent.removeFirst(changes.recent.count - ChangeFollower.rememberedCount)
    }
  }

  /// Writes to the log what has become of files and of the level of what is heard.
  func note(_ applied: AppliedTransportChange) {
    guard let change = LiveLog.Change(applied.change) else { return }
    changes.log?.write(LiveLog.Entry(frame: applied.frame + transportState.startFrame, change))
  }

  /// Another chain has begun to take over.
  func noteLoad(_ path: String, at frame: Int) {
    changes.log?.write(LiveLog.Entry(frame: frame, .load(path: path)))
  }

  /// What has taken effect since this was last asked.
  package func takeChanges() -> [LiveChange] {
    defer { changes.recent.removeAll(keepingCapacity: true) }
    return changes.recent
  }
}
