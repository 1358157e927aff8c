import FxAudio

/// Plays a loop and writes overdubs into it.
///
/// Between two frames, at half speed, samples are interpolated with a windowed sinc (`SincTable`).
struct LoopVoices: ~Copyable {
  private static var count: Int { @_noLocks get { 4 } }
  private static var reach: Int { @_noLocks get { SincTable.reach } }

  private let channelCount: Int
  private let voices: UnsafeMutablePointer<LoopVoice>
  private let table = SincTable(isPassive: false)
  private let window: SampleBuffer
  /// The voice that does not fade out.
  private var main = 0

  init(channelCount: Int) {
    self.channelCount = channelCount
    window = SampleBuffer(count: 2 * SincTable.reach)
    voices = .allocate(capacity: Self.count)
    voices.initialize(repeating: Self.silent, count: Self.count)
  }

  static func byteCount() -> Int {
    count * MemoryLayout<LoopVoice>.stride + SincTable.byteCount()
      + SampleBuffer.byteCount(count: 2 * SincTable.reach)
  }

  deinit { voices.deallocate() }

  // MARK: - Realtime

  private static var silent: LoopVoice {
    @_noLocks get {
      var voice = LoopVoice(
        LoopRegion(start: 0, length: 0), LoopMotion(isHalfSpeed: false, isReversed: false),
        position: 0)
      voice.isRising = false
      return voice
    }
  }

  var isActive: Bool {
    @_noLocks get {
      for index in 0..<Self.count where voices[index].isActive { return true }
      return false
    }
  }

  /// True while any voice overdubs or fades out of an overdub.
  var isWriting: Bool {
    @_noLocks get {
      for index in 0..<Self.count where voices[index].writeLevel > 0 { return true }
      return false
    }
  }

  /// The place in the loop in frames; 0 while it does not play.
  var position: Int { @_noLocks get { voices[main].isRising ? voices[main].position / 2 : 0 } }

  /// Plays a loop from its first frame, or its last one in reverse.
  @_noLocks
  mutating func start(_ region: LoopRegion, _ motion: LoopMotion) {
    begin(
      LoopVoice(region, motion, position: motion.isReversed ? 2 &* (region.length &- 1) : 0))
  }

  /// Changes speed and direction where it plays.
  @_noLocks
  mutating func turn(_ motion: LoopMotion) {
    let voice = voices[main]
    guard voice.isRising, !voice.motion.isSame(as: motion) else { return }
    begin(LoopVoice(voice.region, motion, position: voice.position))
  }

  /// Fades every voice out.
  @_noLocks
  mutating func stop() {
    for index in 0..<Self.count { voices[index].isRising = false }
  }

  /// Starts a voice in the place of the quietest.
  @_noLocks
  private mutating func begin(_ voice: LoopVoice) {
    stop()
    var quietest = 0
    for index in 1..<Self.count where weight(index) < weight(quietest) { quietest = index }
    voices[quietest] = voice
    main = quietest
  }

  @_noLocks
  private func weight(_ index: Int) -> Int { max(voices[index].level, voices[index].writeLevel) }

  /// Adds the loop to a frame of the output.
  @_noLocks
  func add(
    to block: RenderBlock, _ frame: Int, from memory: borrowing LoopMemory,
    _ fade: borrowing LoopFade, level: Float, undone: Float
  ) {
    for index in 0..<Self.count where voices[index].level > 0 {
      let voice = voices[index]
      let gain = level * fade.share(voice.level)
      for channel in 0..<channelCount {
        block.outputs[channel][frame] +=
          gain * sample(voice, channel, memory, undone: undone)
      }
    }
  }

  @_noLocks
  private func sample(
    _ voice: LoopVoice, _ channel: Int, _ memory: borrowing LoopMemory, undone: Float
  ) -> Float {
    let frame = voice.position / 2
    let region = voice.region
    guard voice.position & 1 == 1 else {
      return memory.read(
        region.place(frame, capacity: memory.capacity), channel: channel, undone: undone)
    }
    for tap in 0..<2 &* Self.reach {
      window.samples[tap] = memory.read(
        region.place(frame &+ tap &+ 1 &- Self.reach, capacity: memory.capacity),
        channel: channel, undone: undone)
    }
    return table.sample(UnsafePointer(window.samples), fraction: 0.5)
  }

  /// Adds a frame of input to the loop and turns down what it holds there.
  @_noLocks
  func overdub(
    _ input: borrowing LoopInput, into memory: borrowing LoopMemory, _ fade: borrowing LoopFade,
    feedback: Float
  ) {
    for index in 0..<Self.count where voices[index].writeLevel > 0 {
      let voice = voices[index]
      guard let frame = voice.writtenFrame else { continue }
      let place = voice.region.place(frame, capacity: memory.capacity)
      let share = fade.share(voice.writeLevel)
      memory.keep(place)
      for channel in 0..<channelCount {
        let value =
          voice.motion.isHalfSpeed
          ? input.halved(channel: channel) : input.sample(channel: channel, age: 0)
        memory.overdub(
          share * value, place, channel: channel, scale: 1 - share * (1 - feedback))
      }
    }
  }

  /// Moves on by one frame of sound.
  @_noLocks
  mutating func advance(overdubs: Bool, _ fade: borrowing LoopFade) {
    for index in 0..<Self.count where voices[index].isActive {
      voices[index].advance(
        writes: overdubs && index == main && voices[index].isRising, fade: fade.length)
    }
  }

  @_noLocks
  mutating func reset() {
    for index in 0..<Self.count { voices[index] = Self.silent }
    main = 0
  }
}
