import FxAudio
import FxEngine
import FxPlaying

/// A change of a parameter that has taken effect.
public struct LiveChange: Sendable, Hashable {
  /// The first frame that it applies to, counted from the start of the input; the start of a block.
  /// The parameter starts to move there.
  public var frame: Int
  /// `comp.threshold`.
  public var parameter: String
  /// In the parameter's own unit of measure.
  public var value: Double
  /// The length of the ramp in seconds; nil for the parameter's own smoothing.
  public var seconds: Double?
}

/// Polls the render thread for changes that took effect, with their frames. Keeps them, and writes
/// them to the log together with changes recorded by other parts.
final class ChangeJournal {
  private let driver: LiveDriver
  private let log: LiveLogWriter?
  /// The program that plays.
  private var program: RenderProgram?
  /// Earlier programs that the render thread may still render.
  private var former: [RenderProgram] = []
  private var recent: [LiveChange] = []
  /// Sorted by frame before they are written.
  private var waiting = WaitingEntries()

  /// The number of changes kept for `takeChanges`; older ones are dropped.
  private static let rememberedCount = 4096

  init(_ driver: LiveDriver, log: LiveLogWriter?) {
    self.driver = driver
    self.log = log
  }

  /// Reads the changes that took effect since the last call.
  func poll() {
    let program = driver.program
    if let last = self.program, last !== program { former.append(last) }
    self.program = program
    if !former.isEmpty {
      // `isReplaced` may free a program. Until the next poll, an xrun counts as a chain change.
      driver.device.isChangingChain = true
      // Ask first: a program that is left by now gets no more changes.
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

  /// Writes the changes before a frame of the program to the log. Every source of changes must have
  /// been polled up to that frame.
  func write(before frame: Int) {
    guard let log else { return }
    for entry in waiting.take(before: frame) { log.write(entry) }
    log.flush()
  }

  /// Writes the remaining changes and the frame at which the performance ended.
  func end(at frame: Int) {
    write(before: Int.max)
    log?.writeEnd(at: frame)
  }

  /// The changes that took effect since the last call.
  /// True if a log keeps the changes for a replay.
  var isLogged: Bool { log != nil }

  func takeChanges() -> [LiveChange] {
    defer { recent.removeAll(keepingCapacity: true) }
    return recent
  }
}
