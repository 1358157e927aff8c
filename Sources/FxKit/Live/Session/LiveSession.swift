import FxMedia
package import FxPlaying

/// A running performance: hands every request to the part that carries it out. On the thread that
/// called `play`.
///
/// All parts use `PlayingChain`, and each has its own state.
package final class LiveSession {
  package let driver: LiveDriver
  package let stop: StopSignal
  let snapshots: SnapshotReader
  let controllers: ControllerInput

  private let control: LiveControl
  private let playing: PlayingChain
  private let journal: ChangeJournal
  private let switches: SwitchControl
  private let reloads: ReloadManager
  private let transportControl: TransportControl
  private let tempoControl: TempoControl
  let playerControl: PlayerControl
  private let recordingControl: RecordingControl
  /// The first rendered frame of the program.
  private let startFrame: Int

  /// - Parameters:
  ///   - job: the chain, compiled for the driver's devices.
  ///   - nodeInputs: the MIDI inputs of the chain's nodes, if there are any.
  ///   - main: the feed of the main source.
  ///   - loop: the loop of the files at the start.
  ///   - reportChange: receives every chain that took over or was refused.
  ///   - reportRegion: receives the regions of players that begin and end.
  ///   - reportSender: receives the connections and losses of the senders of MIDI inputs.
  init(
    _ job: RenderJob, _ driver: LiveDriver, control: LiveControl, stop: StopSignal,
    log: LiveLogWriter?, nodeInputs: MIDISequencer?, main: SourceFeed?, loop: SourceLoop?,
    reportChange: ((ChainChange) -> Void)?, reportRegion: ((RegionEvent) -> Void)?,
    reportSender: @escaping (SenderChange) -> Void
  ) {
    self.driver = driver
    self.control = control
    self.stop = stop
    startFrame = job.startFrame
    playing = PlayingChain(job.read.chain, job.compiled, driver)
    journal = ChangeJournal(driver, log: log)
    switches = SwitchControl(playing)
    snapshots = SnapshotReader(playing, driver, fileStart: job.request.start)
    transportControl = TransportControl(
      playing, driver, journal, job.request.live, startFrame: startFrame,
      frameCount: main?.wholeFrameCount, loop: loop)
    playerControl = PlayerControl(
      job.players, driver, wakeEvent: control.wakeEvent, startFrame: startFrame,
      report: reportRegion)
    recordingControl = RecordingControl(job.compiled, driver)
    let tempoControl = TempoControl(playing, driver, inbox: control)
    self.tempoControl = tempoControl
    let controllers = ControllerInput(
      playing, switches, tempoControl, inbox: control, nodeSequencer: nodeInputs,
      report: reportSender)
    self.controllers = controllers
    reloads = ReloadManager(
      playing, driver, journal, job.read.files, wakeEvent: control.wakeEvent,
      watchesFiles: job.request.live.watchesFiles, report: reportChange
    ) {
      controllers.update()
      tempoControl.update()
    }
  }

  /// The chain that plays.
  package var live: CompiledChain { playing.compiled }

  /// The transport's state as last requested, with the musical time now.
  package var transport: LiveTransport {
    var state = transportControl.state
    tempoControl.show(in: &state)
    return state
  }

  /// A number that grows while the render thread is alive, even while it waits for its device.
  package var progressCount: Int { driver.progressCount }

  /// The changes that took effect since the last call.
  package func takeChanges() -> [LiveChange] { journal.takeChanges() }

  /// Carries out the requests since the last call. Called for every request, and ten times a
  /// second.
  func poll() {
    // Every poll below returns all changes before this frame.
    let reached = startFrame + driver.frameCount
    for asked in control.take() {
      journal.poll()
      do throws(ChainFailure) {
        if let answer = try carryOut(asked) { asked.answer(.success(answer)) }
      } catch {
        asked.answer(.failure(error))
      }
    }
    controllers.poll()
    tempoControl.poll()
    reloads.poll()
    journal.poll()
    driver.device.isChangingChain = reloads.isLoading
    transportControl.poll()
    playerControl.poll()
    journal.write(before: reached)
  }

  /// Completes the log: the performance ended at a frame.
  func endLog(at frame: Int) { journal.end(at: startFrame + frame) }

  /// Returns nil if the request is answered later.
  private func carryOut(_ asked: LiveControl.Asked) throws(ChainFailure) -> LiveAnswer? {
    switch asked.request {
    case .load, .replace:
      guard !transportControl.comparesChains else {
        throw .noTransport("two chains are compared: end fxrun to play others")
      }
      try reloads.load(asked.request, answer: asked.answer)
      return nil
    case .learn(let name):
      try controllers.learn(name, answer: asked.answer)
      return nil
    case .play(let region):
      try playerControl.play(region, answer: asked.answer)
      return nil
    case .remove(let region, let player):
      try playerControl.remove(region, of: player)
      return .done
    case .record(let starts, let sink):
      try recordingControl.record(starts, sink)
      return .done
    case .players: return .players(playerControl.list)
    case .set(let name, let value, let seconds):
      try playing.set(name, to: value, over: seconds)
      return .done
    case .scene(let name):
      try playing.enter(scene: name)
      return .done
    case .midi(let bytes, let node):
      if let mistake = MIDIEvent.mistake(in: bytes) { throw .outOfRange(mistake) }
      if let node { try playing.send(bytes, to: node) } else { try controllers.receive(bytes) }
      return .done
    case .nodeLevels(let isWanted):
      snapshots.measureNodeLevels(isWanted)
      return .done
    case .stop:
      stop.stop()
      return .done
    case .get(let name): return try playing.get(name)
    case .snapshot: return .snapshot(snapshots.snapshot())
    case .bypass(let node, let isOn): return .switched(try switches.bypass(node, isOn))
    case .mute(node: let name, on: let isOn): return .switched(try switches.mute(name, isOn))
    case .solo(let name, let isOn): return .switched(try switches.solo(name, isOn))
    case .parameters:
      return .parameters(playing.parameters(), readings: playing.readings())
    case .status: return .status(LiveStatus(of: playing, switches, driver, playerControl.list))
    case .pause: try transportControl.pause(true)
    case .resume: try transportControl.pause(false)
    case .tempo(let tempo): try tempoControl.set(tempo)
    case .tap: try tempoControl.tap()
    case .seek(let place): try transportControl.seek(to: place)
    case .skip(let seconds): try transportControl.skip(seconds: seconds)
    case .loop(let part): try transportControl.loop(part)
    case .volume(let decibels, let seconds):
      try transportControl.setVolume(decibels, over: seconds)
    case .muteOutput(let isMuted): try transportControl.muteOutput(isMuted)
    case .rest(let seconds): try transportControl.rest(after: seconds)
    case .ab(let side): try transportControl.listen(to: side)
    case .transport: break
    }
    return .transport(transport)
  }
}
