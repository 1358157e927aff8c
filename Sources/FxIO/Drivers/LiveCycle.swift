import CRealtime
import FxEngine

/// Notices from outside that the render thread makes no progress: every wait of its own has a
/// shorter limit.
struct Watchdog {
  private static let limit = 15.0
  /// Who has asked for the end waits less, beside the time that the buffer lasts.
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

/// What the render thread counts while it plays.
struct LiveFigures {
  var blockCount = 0
  var renderedFrameCount = 0
  var starvedFrameCount = 0
  var totalBlockTime = 0.0
  var maximumBlockTime = 0.0
  var isDeviceLost = false
  var wasStopped = false
}

/// What happens once a block, apart from the device.
struct LiveCycle {
  private var renderer: Renderer
  let delivery: Delivery
  let levels: LiveLevels
  let frameCount: Int
  /// Which source says where the sound ends; -1 for none.
  var mainSource: Int
  private(set) var frame = 0

  init(
    renderer: Renderer, delivery: Delivery, levels: LiveLevels, frameCount: Int, mainSource: Int
  ) {
    self.renderer = renderer
    self.delivery = delivery
    self.levels = levels
    self.frameCount = frameCount
    self.mainSource = mainSource
  }

  // MARK: - Realtime

  /// Goes on with another program.
  @_noLocks
  mutating func attach(to program: ProgramView, _ sources: SourceBank) {
    renderer = program.renderer
    sources.attach(to: program)
    delivery.attach(to: program)
  }

  /// Fetches, renders and hands on one block. Returns the frames that a source owed.
  @_noLocks
  mutating func run(_ sources: SourceBank) -> Int {
    fx_realtime_enter()
    var starved = 0
    for source in 0..<sources.count {
      let count = sources.fill(source, frameCount: frameCount)
      levels.note(source: source, sources.buffers(source), frameCount: frameCount)
      guard count < frameCount else { continue }
      if !sources.isExhausted(source) {
        starved = starved &+ (frameCount &- count)
      } else if source == mainSource {
        delivery.endMain(at: frame &+ count)
      }
    }
    renderer.render(frameCount: frameCount)
    delivery.deliver(frameCount: frameCount)
    _ = delivery.release()
    fx_realtime_exit()
    frame = frame &+ frameCount
    return starved
  }
}
