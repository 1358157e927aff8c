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

/// Polls the render thread for the changes that took effect, with their frames. Keeps them, and writes
/// them to the log together with the changes that others record.
final class ChangeJournal {
  private let driver: LiveDriver
  private let log: LiveLogWriter?
  /// What plays.
  private var program: RenderProgram?
  /// What played before, until the render thread has left it.
  private var former: [RenderProgram] = []
  private var recent: [LiveChange] = []
  /// Sorted by frame before they are written.
  private var waiting = WaitingEntries()

  /// Changes that nobody has asked after are forgotten.
  private static let rememberedCount = 4096

  init(_ driver: LiveDriver, log: LiveLogWriter?) {
    self.driver = driver
    self.log = log
  }

  /// Asks after what has taken effect since the last time.
  func poll() {
    let program = driver.program
    if let last = self.program, last !== program { former.append(last) }
    self.program = program
    if !former.isEmpty {
      // What is left is freed here.
      driver.device.isChangingChain = true
      // Asked before: what is left by now changes no more.
      let isLeft = driver.isReplaced
      for program in former { record(changesOf: program) }
      if isLeft { former = [] }
    }
    record(changesOf: program)
  }

  private func record(changesOf program: RenderProgram) {
    for applied in program.appliedChanges() {
      let nodes = program.graph.graph.nodes
      guard nodes.indices.contains(applied.node), let unit = nodes[applied.node].unit,
        unit.parameters.indices.contains(applied.parameter)
      else { continue }
      let change = LiveChange(
        frame: applied.frame,
        parameter: "\(nodes[applied.node].id).\(unit.parameters[applied.parameter].path)",
        value: applied.value, seconds: applied.seconds)
      record(
        .set(parameter: change.parameter, to: change.value, seconds: change.seconds),
        at: change.frame)
      recent.append(change)
    }
    if recent.count > ChangeJournal.rememberedCount {
      recent.removeFirst(recent.count - ChangeJournal.rememberedCount)
    }
  }

  /// Records a change for the log, at a frame of the program.
  func record(_ change: LiveLog.Change, at frame: Int) {
    guard log != nil else { return }
    waiting.add(LiveLog.Entry(frame: frame, change))
  }

  /// Writes the changes before a frame of the program to the log. Every source of changes has been polled
  /// up to that frame.
  func write(before frame: Int) {
    guard let log else { return }
    for entry in waiting.take(before: frame) { log.write(entry) }
    log.flush()
  }

  /// Writes the rest and the frame at which the performance ended.
  func end(at frame: Int) {
    write(before: Int.max)
    log?.writeEnd(at: frame)
  }

  /// What has taken effect since this was last asked.
  func takeChanges() -> [LiveChange] {
    defer { recent.removeAll(keepingCapacity: true) }
    return recent
  }
}
