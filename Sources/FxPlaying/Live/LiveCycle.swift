import CRealtime
import FxEngine

/// Detects that the render thread makes no progress. Every wait of that thread has a shorter limit.
struct Watchdog {
  private static let limit = 15.0
  /// The limit after a stop request; the duration of the buffer, at most ten seconds, is added.
  private static let stoppingLimit = 3.0
  private var frame = -1
  private var since = 0.0

  mutating func hangs(at frame: Int, isStopping: Bool, buffer: Double) -> Bool {
    let now = fx_monotonic_seconds()
    if frame != self.frame {
      self.frame = frame
      since = now
    }
    let limit = isStopping ? Watchdog.stoppingLimit + min(buffer, 10) : Watchdog.limit
    return now - since > limit
  }
}

/// Counters of the render thread during playback.
struct LiveFigures {
  var blockCount = 0
  var renderedFrameCount = 0
  var starvedFrameCount = 0
  var totalBlockTime = 0.0
  var maximumBlockTime = 0.0
  var isDeviceLost = false
  var wasStopped = false
}

/// The work for each block, except for the device.
struct LiveCycle {
  private var renderer: Renderer
  let outputStage: OutputStage
  let levels: LiveLevels
  let frameCount: Int
  /// The source whose end is the end of the sound; -1 for none.
  var mainSource: Int
  private(set) var frame = 0
  private(set) var transport: Transport
  private var rest = RestWatch()
  /// True when the latest block asked for the tail.
  private(set) var hasAskedForTail = false
  /// nil if only one thread renders.
  private let crew: RenderCrew?

  init(
    renderer: Renderer, outputStage: OutputStage, levels: LiveLevels, frameCount: Int,
    mainSource: Int, transport: Transport, crew: RenderCrew? = nil
  ) {
    self.crew = crew
    self.transport = transport
    self.renderer = renderer
    self.outputStage = outputStage
    self.levels = levels
    self.frameCount = frameCount
    self.mainSource = mainSource
  }

  /// True while nothing is rendered.
  var isResting: Bool { rest.isResting }

  /// Fetches, renders and delivers one block. Returns the number of missing source frames.
  mutating func run(_ sources: SourceBank) -> Int {
    let (starved, isQuiet) = fetch(sources)
    let isRendered = !rest.isResting || !isQuiet
    if isRendered {
      if let crew {
        crew.render(renderer, frameCount: frameCount)
      } else {
        renderBlock(renderer, frameCount)
      }
    }
    deliver(isRendered: isRendered, isQuiet: isQuiet)
    return starved
  }

  // MARK: - Realtime

  /// Continues with another program.
  @_noLocks
  mutating func attach(to program: ProgramView, _ sources: SourceBank) {
    renderer = program.renderer
    sources.attach(to: program)
    outputStage.attach(to: program)
  }

  /// Fills the sources of a block. Returns the number of missing frames, and whether all sources
  /// are silent.
  @_noLocks
  private mutating func fetch(_ sources: SourceBank) -> (starved: Int, isQuiet: Bool) {
    fx_realtime_enter()
    defer { fx_realtime_exit() }
    let hasEnded = outputStage.isOver(at: frame)
    if hasEnded { transport.noteEnd() }
    let step = transport.step(
      frameCount: frameCount, at: frame, hasEnded: hasEnded, sources)
    // The musical time pauses and resumes together with the files, at the same frame.
    if transport.wasAskedToRoll { renderer.roll(!transport.isPaused) }
    var starved = 0
    for source in 0..<sources.count {
      let due = sources.isRecorded(source) ? frameCount : step.takenCount
      let count =
        step.isPlain
        ? sources.fill(source, frameCount: frameCount)
        : sources.fill(source, frameCount: frameCount, step)
      levels.note(source: source, sources.buffers(source), frameCount: frameCount)
      // A source that ends during a jump goes on after it.
      guard count < due, !transport.isJumping else {
        if due > 0 { sources.note(missing: 0, source, at: frame) }
        continue
      }
      if !sources.isExhausted(source) {
        starved = starved &+ (due &- count)
        sources.note(missing: due &- count, source, at: frame &+ count)
      } else if source == mainSource {
        outputStage.endMain(at: frame &+ count)
      }
    }
    let isQuiet = rest.hears(sources, transport.restFrameCount, frameCount: frameCount)
    if rest.isResting, !isQuiet { transport.report(.woken, at: frame) }
    return (starved, isQuiet)
  }

  /// Delivers a rendered block, or silence in its place.
  @_noLocks
  private mutating func deliver(isRendered: Bool, isQuiet: Bool) {
    fx_realtime_enter()
    defer { fx_realtime_exit() }
    hasAskedForTail = outputStage.askForTail(
      at: frame, frameCount: frameCount, changeCount: renderer.changeCount)
    if !isRendered {
      outputStage.deliverSilence(frameCount: frameCount)
    } else {
      if rest.judges(outputStage, isQuiet, transport.restFrameCount, frameCount: frameCount) {
        transport.report(.rested, at: frame &+ frameCount)
      }
      outputStage.deliver(frameCount: frameCount)
    }
    _ = outputStage.release()
    frame = frame &+ frameCount
  }

  /// Applies the volume and the mute. Returns `heard` with the result, or `outputs` if nothing
  /// changes.
  @_noLocks
  mutating func level(
    _ outputs: UnsafePointer<UnsafePointer<Float>>, channelCount: Int,
    into heard: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> UnsafePointer<UnsafePointer<Float>> {
    guard rest.isResting || !transport.level.isUnity else { return outputs }
    if rest.isResting {
      for channel in 0..<channelCount {
        for frame in 0..<frameCount { heard[channel][frame] = 0 }
      }
      transport.skipLevel(frameCount)
    } else {
      transport.applyLevel(
        outputs, to: heard, channelCount: channelCount, frameCount: frameCount)
    }
    return UnsafeRawPointer(heard).assumingMemoryBound(to: UnsafePointer<Float>.self)
  }
}
