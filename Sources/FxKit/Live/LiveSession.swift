import FxChain
import FxDevices
import FxDiagnostics
import FxEngine
import FxGraph
package import FxPlaying

/// A performance while it lasts: knows what plays, and carries out what is asked of it. On the thread
/// that called `play`.
package final class LiveSession {
  /// What plays.
  package internal(set) var live: CompiledChain
  package let driver: LiveDriver
  let control: LiveControl
  package let stop: StopSignal
  /// What is known of it beside its driver.
  var watch = LiveWatch()
  /// The value that each parameter was given last, by node and slot, in the chain's units of measure.
  var values: [[Double]]
  var reload: ReloadState
  /// Changes that have taken effect, and who wants to know.
  var changes = ChangeFollower()
  /// By name of a parameter, the level of what is muted.
  var mutedLevels: [String: Double] = [:]
  var transportState = TransportState()
  var midi = MIDIState()

  init(
    _ live: CompiledChain, _ driver: LiveDriver, of chain: Chain,
    _ settings: CompiledChain.Settings, _ files: ChainFiles, control: LiveControl,
    stop: StopSignal
  ) {
    self.live = live
    self.driver = driver
    self.control = control
    self.stop = stop
    values = live.resolved.graph.nodes.map { $0.unit?.values ?? [] }
    reload = ReloadState(chain, settings, files, wakeEvent: control.wakeEvent)
    live.note(into: files.parts)
  }

  /// Goes on while the render thread lives, waiting for its device included.
  package var progressCount: Int { driver.progressCount }

  /// Carries out what was asked since the last time. Called as often as somebody asks, and ten times
  /// a second.
  func look() {
    for asked in control.take() {
      noteChanges()
      do throws(ChainFailure) {
        if let answer = try carryOut(asked) { asked.answer(.success(answer)) }
      } catch {
        asked.answer(.failure(error))
      }
    }
    lookAfterMIDI()
    lookAfterReload()
    noteChanges()
    driver.device.isChangingChain = reload.isLoading
    lookAfterTransport()
  }

  /// nil for what is answered later.
  private func carryOut(_ asked: LiveControl.Asked) throws(ChainFailure) -> LiveAnswer? {
    switch asked.request {
    case .load(let path):
      guard transportState.side == nil else {
        throw .noTransport("two chains are compared: end fxrun to play others")
      }
      load(path, answer: asked.answer)
      return nil
    case .set(let name, let value, let seconds):
      try set(name, to: value, over: seconds)
      return .done
    case .get(let name):
      let parameter = try parameter(name)
      return .value(values[parameter.node][parameter.slot])
    case .snapshot:
      return .snapshot(snapshot())
    case .nodeLevels(let isWanted):
      watch.wantsNodeLevels = isWanted
      driver.program.measureNodeLevels(isWanted)
      return .done
    case .bypass(let node, let isOn):
      return .switched(try bypass(node, isOn))
    case .mute(node: let name, on: let isOn):
      return .switched(try mute(name, isOn))
    case .solo(let name, let isOn):
      return .switched(try solo(name, isOn))
    case .scene(let name):
      try enter(scene: name)
      return .done
    case .midi(let bytes):
      try hear(bytes)
      return .done
    case .learn(let name):
      try learn(name, answer: asked.answer)
      return nil
    case .parameters:
      return .parameters(parameters())
    case .status:
      return .status(status())
    case .pause: try pause(true)
    case .resume: try pause(false)
    case .seek(let place): try seek(to: place)
    case .skip(let seconds): try skip(seconds: seconds)
    case .loop(let part): try loop(part)
    case .volume(let decibels, let seconds): try setVolume(decibels, over: seconds)
    case .muteOutput(let isMuted): try muteOutput(isMuted)
    case .rest(let seconds): try rest(after: seconds)
    case .ab(let side): try hear(side)
    case .transport: break
    case .stop:
      stop.stop()
      return .done
    }
    return .transport(transport)
  }

  // MARK: Parameters

  private func set(
    _ name: String, to value: LiveValue, over seconds: Double?
  ) throws(ChainFailure) {
    if let seconds, !(0...3600).contains(seconds) {
      throw .outOfRange("a change takes 0 to 3600 s, not \(seconds)")
    }
    let parameter = try parameter(name)
    let number: Double
    do throws(ValueProblem) {
      switch value {
      case .number(let value): number = try live.built.value(value, for: parameter)
      case .text(let text): number = try live.built.value(text, for: parameter)
      }
    } catch {
      throw ChainFailure(error, about: name)
    }
    try move(parameter, to: number, over: seconds)
  }

  /// Sends a parameter towards a value in its own unit of measure.
  func move(
    _ parameter: BuiltChain.Parameter, to value: Double, over seconds: Double? = nil
  ) throws(ChainFailure) {
    try checkDrySignal(parameter)
    let isSent = driver.program.set(
      node: parameter.node, parameter: parameter.slot, to: value, over: seconds)
    guard isSent else {
      throw .tooManyChanges
    }
    values[parameter.node][parameter.slot] = value
  }

  func parameter(_ name: String) throws(ChainFailure) -> BuiltChain.Parameter {
    do throws(ValueProblem) {
      return try live.built.parameter(name)
    } catch {
      throw ChainFailure(error, about: name)
    }
  }
}

extension ChainFailure {
  /// A value or a name that was given while the chain plays.
  init(_ problem: ValueProblem, about name: String) {
    let hints = problem.hints.map { $0.hasPrefix("(") ? " \($0)" : "; \($0)" }.joined()
    self.init(
      .request, code: problem.code.rawValue, "\(name): \(problem.message)\(hints)",
      hints: problem.hints)
  }
}
