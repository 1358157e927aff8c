import CRealtime
import FxAudio

/// Plays the buffers of a player. Owned by its voice, used by the render thread while a node renders it.
struct PlayerRenderer: BitwiseCopyable {
  private typealias Entry = PlayerExchange.Entry

  private let exchange: PlayerExchange
  private let channelCount: Int
  /// The buffers that wait, in order: a ring.
  private let waiting: UnsafeMutablePointer<PlayerExchange.Entry>
  private var first = 0
  private var count = 0
  private var current: PlayerExchange.Entry
  private var isSounding = false
  /// The next frame of the sounding buffer, and those before it with all repeats.
  private var position = 0
  private var played = 0
  /// The end of a buffer that was cut: it fades over `fadeLeft` frames.
  private var fading: PlayerExchange.Entry
  private var fadingPosition = 0
  private var fadeLeft = 0
  private var fadeFrameCount = 240
  private var sampleRate = 48000.0
  private var isLive = false

  init(_ exchange: PlayerExchange, channelCount: Int) {
    self.exchange = exchange
    self.channelCount = channelCount
    waiting = .allocate(capacity: PlayerExchange.slotCount)
    current = Entry(
      number: 0, samples: nil, frameCount: 0, begin: .next, frame: 0, seconds: 0, loops: false,
      interrupts: false)
    fading = current
  }

  func destroy() { waiting.deallocate() }

  mutating func begin(fadeFrameCount: Int, sampleRate: Double, isLive: Bool) {
    self.fadeFrameCount = fadeFrameCount
    self.sampleRate = sampleRate
    self.isLive = isLive
  }

  /// Cuts everything. Called when no node renders the player any more.
  mutating func cutAll() {
    receive()
    drop(count)
    endFade()
    if isSounding { report(current.number, isWhole: false) }
    isSounding = false
    exchange.publish(nextFrame: 0, playedFrames: -1)
  }

  // MARK: - Realtime

  @_noLocks
  mutating func render(_ block: RenderBlock) {
    let now = isLive ? fx_monotonic_seconds() : 0
    receive()
    var frame = 0
    while frame < block.frameCount {
      let (index, start) = nextBeginning(in: block, now: now)
      if start <= frame {
        drop(index)
        beginNext()
        continue
      }
      // Up to the next beginning, the end of the block, or the end of the buffer.
      var end = min(block.frameCount, start)
      if isSounding { end = min(end, frame + current.frameCount - position) }
      play(block, frame..<end)
      frame = max(end, frame)
      if isSounding, position == current.frameCount { finishPass() }
    }
    exchange.publish(
      nextFrame: block.frame + block.frameCount, playedFrames: isSounding ? played : -1)
  }

  /// The waiting buffer that begins next: the first one, or one that interrupts; and its first frame in the
  /// block, 0 or less for one that is due.
  @_noLocks
  private func nextBeginning(in block: RenderBlock, now: Double) -> (index: Int, frame: Int) {
    var found = (index: 0, frame: Int.max)
    for index in 0..<count {
      let entry = waiting[(first + index) % PlayerExchange.slotCount]
      guard entry.interrupts || (index == 0 && !isSounding) else { continue }
      let frame = beginning(of: entry, in: block, now: now)
      if frame < found.frame { found = (index, frame) }
    }
    return found
  }

  /// The first frame in the block.
  @_noLocks
  private func beginning(of entry: Entry, in block: RenderBlock, now: Double) -> Int {
    switch entry.begin {
    case .next, .now: return 0
    case .frame: return entry.frame > block.frame ? entry.frame &- block.frame : 0
    case .host:
      guard isLive else { return 0 }
      let seconds = entry.seconds - now
      return seconds > 0 ? (seconds < 1e6 ? Int(seconds * sampleRate) : Int.max / 2) : 0
    }
  }

  /// Moves the program's entries into the queue. One that interrupts at once drops those before it.
  @_noLocks
  private mutating func receive() {
    while exchange.given.filledSlot >= 0, count < PlayerExchange.slotCount {
      let entry = exchange.entries[exchange.given.filledSlot]
      exchange.given.consume()
      if case .now = entry.begin { drop(count) }
      waiting[(first + count) % PlayerExchange.slotCount] = entry
      count += 1
    }
  }

  /// Drops the first waiting buffers.
  @_noLocks
  private mutating func drop(_ number: Int) {
    for _ in 0..<number {
      report(waiting[first].number, isWhole: false)
      first = (first + 1) % PlayerExchange.slotCount
      count -= 1
    }
  }

  /// Begins the first waiting buffer, or carries out a stop.
  @_noLocks
  private mutating func beginNext() {
    let entry = waiting[first]
    first = (first + 1) % PlayerExchange.slotCount
    count -= 1
    if isSounding {
      endFade()
      (fading, fadingPosition, fadeLeft) = (current, position, fadeFrameCount)
    }
    (current, position, played, isSounding) = (entry, 0, 0, entry.samples != nil)
  }

  @_noLocks
  private mutating func finishPass() {
    if current.loops {
      position = 0
    } else {
      isSounding = false
      report(current.number, isWhole: true)
    }
  }

  @_noLocks
  private func report(_ number: Int, isWhole: Bool) {
    // There is always room: see PlayerLedger.
    _ = exchange.report(number, isWhole: isWhole)
  }

  @_noLocks
  private mutating func play(_ block: RenderBlock, _ frames: Range<Int>) {
    for channel in 0..<min(channelCount, block.outputCount) {
      let output = block.outputs[channel]
      if isSounding, let samples = current.samples {
        let from = samples + channel * current.frameCount + position
        for frame in frames { output[frame] = from[frame - frames.lowerBound] }
      } else {
        for frame in frames { output[frame] = 0 }
      }
      addFading(to: output, frames, channel)
    }
    if isSounding {
      position += frames.count
      played += frames.count
    }
    let faded = min(fadeLeft, frames.count)
    fadingPosition += faded
    if faded == fadeLeft {
      endFade()
    } else {
      fadeLeft -= faded
    }
  }

  /// Reports the buffer that fades: until then its samples are read.
  @_noLocks
  private mutating func endFade() {
    guard fadeLeft > 0 else { return }
    fadeLeft = 0
    report(fading.number, isWhole: false)
  }

  /// Adds the rest of a buffer that was cut.
  @_noLocks
  private func addFading(
    to output: UnsafeMutablePointer<Float>, _ frames: Range<Int>, _ channel: Int
  ) {
    guard fadeLeft > 0, let samples = fading.samples else { return }
    let from = samples + channel * fading.frameCount
    for index in 0..<min(fadeLeft, frames.count) {
      var place = fadingPosition + index
      if place >= fading.frameCount {
        guard fading.loops else { return }
        place %= fading.frameCount
      }
      let gain = Float(fadeLeft - index) / Float(fadeFrameCount)
      output[frames.lowerBound + index] += from[place] * gain
    }
  }
}
