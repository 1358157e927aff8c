import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying

/// Pause, seek, loop, volume, mute, rest, and which of two chains is heard.
final class TransportControl {
  private let playing: PlayingChain
  private let driver: LiveDriver
  private let journal: ChangeJournal
  private var volume: Double
  private var rest: Double?
  /// The chain that is heard, if two are compared; nil for one chain.
  private var side: LiveSide?
  /// The first rendered frame of the program.
  private let startFrame: Int
  /// The length of the main file in the chain's frames.
  private let frameCount: Int?

  /// Must be called before the first frame is rendered.
  init(
    _ playing: PlayingChain, _ driver: LiveDriver, _ journal: ChangeJournal,
    _ settings: LiveSettings, startFrame: Int, frameCount: Int?, loop: SourceLoop?
  ) {
    self.playing = playing
    self.driver = driver
    self.journal = journal
    self.startFrame = startFrame
    self.frameCount = frameCount
    volume = settings.volume
    rest = settings.rest
    side = playing.chain.isComparison ? .a : nil
    start(loop)
  }

  private func start(_ loop: SourceLoop?) {
    var begin = TransportStart()
    begin.amplitude = OutputLevel.amplitude(decibels: volume)
    begin.restFrameCount = playing.compiled.restFrameCount(after: rest)
    begin.loop = loop
    begin.position = startFrame
    driver.transport.start = begin
    // The log needs the initial state for a replay.
    if let loop {
      record(AppliedTransportChange(frame: 0, change: .jump(.beginning(startFrame, loop))))
    }
    if volume != 0 {
      record(
        AppliedTransportChange(
          frame: 0, change: .volume(amplitude: begin.amplitude, frameCount: 0)))
    }
  }

  var comparesChains: Bool { side != nil }

  /// The state as last requested; the sound may still be on the way to it.
  var state: LiveTransport {
    let controller = driver.transport
    var state = LiveTransport()
    if controller.hasSources {
      state.frame = controller.position
      state.seconds = Double(controller.position) / controller.sampleRate
      state.totalSeconds = frameCount.map { Double($0) / controller.sampleRate }
    }
    state.isPaused = controller.isPaused
    if let loop = controller.loop {
      state.loopStart = Double(loop.from) / controller.sampleRate
      state.loopEnd = loop.to < Int.max ? Double(loop.to) / controller.sampleRate : nil
    }
    state.volume = volume
    state.isMuted = controller.isMuted
    state.isResting = controller.isResting
    state.side = side
    return state
  }

  /// Called from the control thread's loop.
  func poll() {
    driver.transport.advance()
    // A chain that has taken over may sound without input.
    if rest != nil, playing.compiled.restless != nil,
      driver.transport.ask(.rest(frameCount: -1))
    {
      rest = nil
    }
    for change in driver.transport.appliedChanges() { record(change) }
  }

  /// Writes a change of the files' position or of the output level to the log.
  private func record(_ applied: AppliedTransportChange) {
    guard let change = LiveLog.Change(applied.change) else { return }
    journal.record(change, at: applied.frame + startFrame)
  }

  func pause(_ isPaused: Bool) throws(ChainFailure) {
    guard driver.transport.hasSources else {
      throw .noTransport("the chain plays no file: there is nothing to pause")
    }
    try ask(isPaused ? .pause : .resume)
  }

  func seek(to place: LivePlace) throws(ChainFailure) {
    try checkSeekable()
    let frame = try frame(of: place)
    if let end = frameCount, frame >= end {
      throw .outOfRange(
        "\(seconds(frame)) s is behind the end of the sound; it lasts \(seconds(end)) s")
    }
    let controller = driver.transport
    var loop = controller.loop
    // A seek behind the loop leaves the loop.
    if let to = loop?.to, frame >= to { loop = nil }
    controller.jump(to: SourceJump(position: frame, loop: loop))
  }

  /// Seeks forwards or backwards from the current position, at most to either end.
  func skip(seconds: Double) throws(ChainFailure) {
    try checkSeekable()
    guard seconds.isFinite, abs(seconds) < 1e9 else {
      throw .outOfRange("files cannot be skipped by \(shortNumber(seconds)) s")
    }
    let controller = driver.transport
    let last = frameCount.map { max($0 - 1, 0) } ?? Int.max
    let target = controller.position + Int((seconds * controller.sampleRate).rounded())
    try seek(to: .frame(min(max(target, 0), last)))
  }

  func loop(_ loop: LiveLoop?) throws(ChainFailure) {
    guard let loop else {
      if driver.transport.loop != nil {
        try checkSeekable()
        driver.transport.go(round: nil)
      }
      return
    }
    try checkSeekable()
    let part = try part(of: loop)
    driver.transport.go(round: part)
  }

  private func part(of loop: LiveLoop) throws(ChainFailure) -> SourceLoop {
    let from = try frame(of: loop.from)
    var to = frameCount ?? Int.max
    if let end = loop.to { to = min(to, try frame(of: end)) }
    return try SourceLoop(
      checkedFrom: from, to: to, crossfade: loop.crossfade, driver.transport.sampleRate)
  }

  func setVolume(_ decibels: Double, over seconds: Double?) throws(ChainFailure) {
    try RequestOption["volume"].check(.number(decibels))
    if let seconds, !(0...3600).contains(seconds) {
      throw .outOfRange("a change takes 0 to 3600 s, not \(shortNumber(seconds))")
    }
    try checkPlays()
    try ask(
      .volume(
        amplitude: OutputLevel.amplitude(decibels: decibels), frameCount: rampFrames(seconds)))
    volume = decibels
  }

  /// nil toggles.
  func muteOutput(_ isMuted: Bool?) throws(ChainFailure) {
    try checkPlays()
    try ask(.mute(isMuted ?? !driver.transport.isMuted, frameCount: rampFrames(nil)))
  }

  /// Sets the seconds of silence before the chain rests; nil for never.
  func rest(after seconds: Double?) throws(ChainFailure) {
    if let seconds { try RequestOption["rest"].check(.number(seconds)) }
    if seconds != nil, let restless = playing.compiled.restless { throw .noTransport(restless) }
    try ask(.rest(frameCount: playing.compiled.restFrameCount(after: seconds)))
    rest = seconds
  }

  /// nil toggles.
  func listen(to side: LiveSide?) throws(ChainFailure) {
    guard let now = self.side else {
      throw .noTransport("there is one chain: give another with --ab to switch between the two")
    }
    let side = side ?? now.other
    for each in LiveSide.allCases {
      try playing.move(
        try playing.parameter(ChainComparison.mute(each)), to: each == side ? 0 : 1,
        over: ChainComparison.crossfade)
    }
    self.side = side
  }

  private func ask(_ change: TransportChange) throws(ChainFailure) {
    guard driver.transport.ask(change) else { throw .tooManyChanges }
  }

  private func checkSeekable() throws(ChainFailure) {
    let controller = driver.transport
    guard controller.hasSources else {
      throw .noTransport("the chain plays no file: there is no other place to go to")
    }
    if let name = controller.fixedSource {
      throw .noTransport("\(name) is a pipe: only files can be moved to another place")
    }
    guard !controller.hasEnded else {
      throw .noTransport("the file is over and only the chain's tail is left")
    }
  }

  private func checkPlays() throws(ChainFailure) {
    guard driver.playsOnDevice else {
      throw .noTransport("no device plays: the volume does not apply to files")
    }
  }

  private func frame(of place: LivePlace) throws(ChainFailure) -> Int {
    try place.frame(sampleRate: driver.transport.sampleRate)
  }

  private func rampFrames(_ seconds: Double?) -> Int {
    let rate = driver.transport.sampleRate
    return max(
      OutputLevel.rampFrameCount(sampleRate: rate), Int(((seconds ?? 0) * rate).rounded()))
  }

  private func seconds(_ frame: Int) -> Double {
    (Double(frame) / driver.transport.sampleRate * 100).rounded() / 100
  }
}

extension SourceLoop {
  /// In seconds. The crossfade's frames are kept in memory.
  static let longestCrossfade = 10.0

  /// Refuses an empty loop. `to` is at most the end of the file.
  init(
    checkedFrom from: Int, to: Int, crossfade: Double, _ sampleRate: Double
  ) throws(ChainFailure) {
    guard from < to else {
      throw .outOfRange(
        "a loop has to end behind its beginning, within the file, and not go from "
          + "\(shortNumber(Double(from) / sampleRate)) s to "
          + "\(shortNumber(Double(to) / sampleRate)) s")
    }
    guard (0...Self.longestCrossfade).contains(crossfade) else {
      throw .outOfRange("the crossfade of a loop is 0 to 10 s, not \(shortNumber(crossfade))")
    }
    self.init(from: from, to: to, crossfade: Int((crossfade * sampleRate).rounded()))
  }
}

extension CompiledChain {
  /// Frames of silence before the chain rests, at least as long as its tails and loops may be
  /// silent.
  func restFrameCount(after seconds: Double?) -> Int {
    seconds.map { Int((max($0, silence) * sampleRate).rounded(.up)) } ?? -1
  }

  /// The reason why the chain may not rest: something in it sounds, or changes, without input.
  var restless: String? {
    if liveNode != nil { return "the chain is played by MIDI and cannot rest" }
    if scheduleEnd != nil {
      return "the chain has automation or MIDI of its own, which goes on in silence: it cannot rest"
    }
    for (index, node) in resolved.graph.nodes.enumerated() where node.unit != nil {
      if nodesThatSoundAlone.contains(index)
        || resolved.inputWidths[index].allSatisfy({ $0 == 0 })
      {
        return "'\(node.id)' sounds by itself: the chain cannot rest"
      }
    }
    return nil
  }
}

extension ChainFailure {
  static func noTransport(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: .noTransport, message)
  }

  var isTooManyChanges: Bool { code == Self.tooManyChanges.code }

  static let tooManyChanges = ChainFailure(
    .request, code: .tooManyChanges, "more changes are waiting than a block can take")
}

extension SourceJump {
  /// The position and loop at the start of a performance.
  fileprivate static func beginning(_ frame: Int, _ loop: SourceLoop) -> SourceJump {
    var jump = SourceJump(position: frame, loop: loop)
    jump.isFaded = false
    return jump
  }
}
