package import FxAudio

/// Records a phrase, repeats it, and records more on top of it.
///
/// All presses act at their frame. Every change that would click is a crossfade of 5 ms
/// (`LoopFade`): a start, a stop, an undo, another speed or direction. The end of a loop leads to its
/// first frame by a crossfade to the input from before that frame. At half speed samples are
/// interpolated with a windowed sinc, and overdubs go through a half-band filter (`LoopInput`).
/// Without the windows, this is the tape loop of sound on sound.
package struct Looper: ~Copyable, UnitKernel {
  package struct Parameters: BitwiseCopyable {
    let pedal: ParameterSignal
    let record: ParameterSignal
    let play: ParameterSignal
    let overdub: ParameterSignal
    let stop: ParameterSignal
    let undo: ParameterSignal
    let clear: ParameterSignal
    let halfSpeed: ParameterSignal
    let reverse: ParameterSignal
    let beats: ParameterSignal
    let feedback: ParameterSignal
    let level: ParameterSignal
    let through: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Looper.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Looper.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Looper.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  private let sampleRate: Double
  private let afterRecording: LoopMachine.State
  /// nil where presses act at once.
  private let grid: LoopGrid?
  /// Frames for which `stop` is held to clear; 0 where a second press clears.
  private let holdLength: Int
  private let readings: ReadingBoard
  private var machine: LoopMachine
  private var buttons: LooperButtons
  /// The press that waits for a beat or a bar.
  private var waiting = LooperButtons.Button.none
  private var isWaiting = false
  /// The frames since `stop` was pressed; negative when it is not held, and without `hold`.
  private var held = -1
  /// True while a recording has a length in beats.
  private var hasLength = false
  /// The beat at which the recording ends; infinite where it has no beat.
  private var lastBeat = Double.infinity

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    afterRecording = preparation.text("afterRecording") == "overdub" ? .overdubbing : .playing
    grid =
      switch preparation.text("quantize") {
      case "beat": .beats
      case "bar": .bars
      default: nil
      }
    holdLength = Int((preparation.number("hold") ?? 0) * preparation.sampleRate)
    readings = preparation.readings
    buttons = LooperButtons(takesReleases: preparation.text("press") == "change")
    machine = LoopMachine(
      channelCount: preparation.channelCount, longest: Self.longest(preparation),
      sampleRate: preparation.sampleRate)
  }

  private static func longest(_ preparation: Preparation) -> Int {
    max(
      Int((preparation.number("seconds") ?? 60) * preparation.sampleRate),
      LoopMachine.shortest(preparation.sampleRate))
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(
      memory: LoopMachine.byteCount(
        channelCount: preparation.channelCount, longest: longest(preparation),
        sampleRate: preparation.sampleRate))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let mix = LoopMix(
      feedback: parameters.feedback, level: parameters.level, through: parameters.through)
    var frame = 0
    while frame < block.frameCount {
      let time = block.time.stretch(at: block.frame &+ frame)
      act(block, parameters, at: frame, time)
      let end = nextEvent(block, after: frame, time)
      machine.render(block, mix, from: frame, to: end)
      if held >= 0 { held &+= end &- frame }
      frame = end
    }
    publish()
  }

  /// Carries out everything that is due at a frame.
  @_noLocks
  private mutating func act(
    _ block: RenderBlock, _ parameters: Parameters, at frame: Int, _ time: MusicalStretch
  ) {
    let now = block.frame &+ frame
    if time.span.isRolling, LoopGrid.hasReached(lastBeat, at: now, in: time) { machine.close() }
    machine.closeIfComplete(buttons.motion)
    buttons.read(block, at: frame)
    if !buttons.holdsStop { held = -1 }
    let beats = parameters.beats[frame] >= 1 ? Int(min(parameters.beats[frame], 256)) : 0
    while buttons.hasPress {
      press(buttons.takePress())
      if isWaiting, !mustWait(block, at: now, time) { carryOut(beats: beats, at: now, time) }
    }
    if isWaiting, !mustWait(block, at: now, time) { carryOut(beats: beats, at: now, time) }
    if held >= 0, held >= holdLength { clear() }
    machine.closeIfComplete(buttons.motion)
    machine.turn(buttons.motion)
  }

  /// Undoes and clears at once; any other press replaces the one that waits.
  @_noLocks
  private mutating func press(_ button: LooperButtons.Button) {
    switch button {
    case .none: break
    case .undo: machine.undo()
    case .clear: clear()
    default:
      waiting = button
      isWaiting = true
      if case .stop = button, buttons.holdsStop, holdLength > 0 { held = 0 }
    }
  }

  /// Returns whether the press that waits must wait for a later frame.
  @_noLocks
  private func mustWait(_ block: RenderBlock, at now: Int, _ time: MusicalStretch) -> Bool {
    guard let grid, block.time.isKnown, time.span.isRolling else { return false }
    return grid.next(from: now, to: now &+ 1, in: time) > now
  }

  /// Carries out the press that waits.
  @_noLocks
  private mutating func carryOut(beats: Int, at now: Int, _ time: MusicalStretch) {
    isWaiting = false
    switch (waiting, machine.state) {
    case (.stop, .recording): machine.close(next: .stopped)
    case (.stop, .stopped): if holdLength == 0 { clear() }
    case (.stop, _): machine.stop()
    case (.play, .recording): closeFree(next: .playing)
    case (.overdub, .recording): closeFree(next: .overdubbing)
    case (_, .recording): closeFree(next: afterRecording)
    case (.record, _), (.pedal, .empty): record(beats: beats, at: now, time)
    case (.play, .overdubbing): machine.setOverdubbing(false)
    case (.play, _), (.pedal, .stopped): machine.play(buttons.motion)
    case (.overdub, .stopped):
      machine.play(buttons.motion)
      machine.setOverdubbing(true)
    case (_, .overdubbing): machine.setOverdubbing(false)
    case (_, _): machine.setOverdubbing(true)
    }
  }

  /// Ends a recording, unless it has a length in beats.
  @_noLocks
  private mutating func closeFree(next: LoopMachine.State) {
    if !hasLength { machine.close(next: next) }
  }

  @_noLocks
  private mutating func record(beats: Int, at now: Int, _ time: MusicalStretch) {
    hasLength = beats > 0
    lastBeat = .infinity
    var length: Int?
    if hasLength, time.span.isRolling {
      lastBeat = LoopGrid.beat(at: now, in: time) + Double(beats)
    } else if hasLength {
      length = Int(Double(beats) * 60 / time.tempo(at: now) * sampleRate + 0.5)
    }
    machine.record(length: length, next: afterRecording)
  }

  @_noLocks
  private mutating func clear() {
    isWaiting = false
    held = -1
    machine.clear()
  }

  /// The first frame after a frame at which something may be due, or the end of the block.
  @_noLocks
  private func nextEvent(_ block: RenderBlock, after frame: Int, _ time: MusicalStretch) -> Int {
    let (first, now) = (frame &+ 1, block.frame &+ frame)
    var end = block.frameCount
    if time.end < block.frame &+ end { end = time.end &- block.frame }
    end = buttons.nextChange(block, from: first, to: end)
    if held >= 0 { end = min(end, frame &+ max(holdLength &- held, 1)) }
    if machine.isRecording { end = min(end, frame &+ machine.remaining) }
    guard time.span.isRolling else { return end }
    if machine.isRecording {
      end =
        LoopGrid.frame(reaching: lastBeat, from: now &+ 1, to: block.frame &+ end, in: time)
        &- block.frame
    }
    if isWaiting, let grid {
      end = grid.next(from: now &+ 1, to: block.frame &+ end, in: time) &- block.frame
    }
    return end
  }

  @_noLocks
  private func publish() {
    readings[0] = Float(machine.state.number)
    readings[1] = Float(Double(machine.position) / sampleRate)
    readings[2] = Float(
      machine.isEmpty ? 0 : Double(machine.region.length) / sampleRate)
    readings[3] = Float(machine.layerCount)
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    machine.isAtRest && !isWaiting && held < 0 && buttons.isUnchanged(block)
  }

  @_noLocks
  package mutating func reset() {
    machine.reset()
    buttons.reset()
    isWaiting = false
    held = -1
    hasLength = false
    lastBeat = .infinity
    publish()
  }
}
