import FxAudio

/// A loop that is recorded, played, overdubbed, stopped, undone and cleared: the states of a looper,
/// and what it does at each frame.
struct LoopMachine: ~Copyable {
  enum State: BitwiseCopyable {
    case empty, recording, playing, overdubbing, stopped

    // MARK: - Realtime

    /// The number in the reading.
    var number: Int {
      @_noLocks get {
        switch self {
        case .empty: 0
        case .recording: 1
        case .playing: 2
        case .overdubbing: 3
        case .stopped: 4
        }
      }
    }
  }

  /// The shortest loop: two fades, and not less than the interpolation at half speed needs.
  private let shortest: Int
  private let longest: Int
  private let channelCount: Int
  private let memory: LoopMemory
  private let fade: LoopFade
  /// The input before the first frame of the loop, for the crossfade at its end.
  private let entrance: SampleBuffer
  private var input: LoopInput
  private var voices: LoopVoices
  private(set) var state = State.empty
  /// The loop, or the frames that are recorded so far.
  private(set) var region = LoopRegion(start: 0, length: 0)
  /// The first recording and the overdubs that are not undone.
  private(set) var layerCount = 0
  /// The length at which the recording ends, and the state after it.
  private var end = 0
  private var next = State.playing
  /// True from the frame on at which an overdub could begin.
  private var isOverdubbing = false
  private var lastOverdub = LoopUndo()

  /// - Parameter longest: Frames of the longest loop.
  init(channelCount: Int, longest: Int, sampleRate: Double) {
    self.channelCount = channelCount
    self.longest = longest
    shortest = Self.shortest(sampleRate)
    fade = LoopFade(sampleRate: sampleRate)
    memory = LoopMemory(
      channelCount: channelCount, capacity: Self.capacity(longest, sampleRate))
    entrance = SampleBuffer(count: channelCount * fade.length)
    input = LoopInput(channelCount: channelCount, memory: fade.length)
    voices = LoopVoices(channelCount: channelCount)
  }

  static func shortest(_ sampleRate: Double) -> Int { max(2 * LoopFade.length(sampleRate), 32) }

  /// A new loop begins after the one that still fades out.
  private static func capacity(_ longest: Int, _ sampleRate: Double) -> Int {
    longest + 2 * LoopFade.length(sampleRate)
  }

  static func byteCount(channelCount: Int, longest: Int, sampleRate: Double) -> Int {
    let fade = LoopFade.length(sampleRate)
    return LoopFade.byteCount(sampleRate)
      + LoopMemory.byteCount(channelCount: channelCount, capacity: capacity(longest, sampleRate))
      + SampleBuffer.byteCount(count: channelCount * fade)
      + LoopInput.byteCount(channelCount: channelCount, memory: fade)
      + LoopVoices.byteCount()
  }

  // MARK: - Realtime

  var isEmpty: Bool { @_noLocks get { state == .empty } }
  var isRecording: Bool { @_noLocks get { state == .recording } }

  /// Frames until the recording ends; at least 1 while one is running.
  var remaining: Int { @_noLocks get { max(end &- region.length, 1) } }

  /// The place in the loop, or the frames that are recorded, and 0 while it is stopped.
  var position: Int { @_noLocks get { state == .recording ? region.length : voices.position } }

  /// True when only a press of a button can make it sound. Its input is silent.
  var isAtRest: Bool {
    @_noLocks get {
      (state == .empty || state == .stopped) && !voices.isActive
        && lastOverdub.isSettled(fade.length) && input.isSilent
    }
  }

  /// Starts a recording.
  ///
  /// - Parameters:
  ///   - length: Its length in frames, if that is known.
  ///   - next: The state after it.
  @_noLocks
  mutating func record(length: Int?, next: State) {
    voices.stop()
    isOverdubbing = false
    region = LoopRegion(start: region.end(capacity: memory.capacity), length: 0)
    for channel in 0..<channelCount {
      for index in 0..<fade.length {
        entrance.samples[channel &* fade.length &+ index] = input.sample(
          channel: channel, age: fade.length &- 1 &- index)
      }
    }
    state = .recording
    layerCount = 0
    end = min(max(length ?? longest, shortest), longest)
    self.next = next
  }

  /// Ends the recording at this frame, or as soon as it is long enough.
  ///
  /// - Parameter next: The state after it; nil for the one that it was started with.
  @_noLocks
  mutating func close(next: State? = nil) {
    guard state == .recording else { return }
    end = min(end, max(region.length, shortest))
    if let next { self.next = next }
  }

  /// Begins to play a recording that has its length.
  @_noLocks
  mutating func closeIfComplete(_ motion: LoopMotion) {
    guard state == .recording, region.length >= end else { return }
    joinEnds()
    lastOverdub = LoopUndo()
    layerCount = 1
    state = next
    if !(state == .stopped) { voices.start(region, motion) }
  }

  /// Crossfades the end of the loop to the input from before its first frame, so that the end leads
  /// to the first frame and the first frame keeps its attack.
  @_noLocks
  private func joinEnds() {
    for index in 0..<fade.length {
      let share = SmoothStep.share(Double(index &+ 1) / Double(fade.length &+ 1))
      let place = region.place(
        region.length &- fade.length &+ index, capacity: memory.capacity)
      for channel in 0..<channelCount {
        memory.blend(
          place, channel: channel, to: entrance.samples[channel &* fade.length &+ index],
          share: Float(share))
      }
    }
  }

  /// Plays the loop from its first frame.
  @_noLocks
  mutating func play(_ motion: LoopMotion) {
    guard layerCount > 0 else { return }
    voices.start(region, motion)
    state = .playing
  }

  /// Begins or ends an overdub while the loop plays.
  @_noLocks
  mutating func setOverdubbing(_ isOn: Bool) {
    guard state == .playing || state == .overdubbing else { return }
    state = isOn ? .overdubbing : .playing
    if !isOn { isOverdubbing = false }
  }

  /// Fades out; the loop stays.
  @_noLocks
  mutating func stop() {
    guard state == .playing || state == .overdubbing else { return }
    voices.stop()
    isOverdubbing = false
    state = .stopped
  }

  @_noLocks
  mutating func clear() {
    voices.stop()
    isOverdubbing = false
    layerCount = 0
    state = .empty
  }

  /// Removes the last overdub, or brings it back. Ends a running one, and forgets a recording.
  @_noLocks
  mutating func undo() {
    if state == .recording { return clear() }
    guard layerCount > 0, lastOverdub.exists else { return }
    setOverdubbing(false)
    lastOverdub.toggle()
    layerCount &+= lastOverdub.isUndone ? -1 : 1
  }

  @_noLocks
  mutating func turn(_ motion: LoopMotion) { voices.turn(motion) }

  /// Renders frames of a block in which no button is pressed.
  @_noLocks
  mutating func render(_ block: RenderBlock, _ mix: LoopMix, from start: Int, to end: Int) {
    for frame in start..<end {
      input.take(block, frame)
      if state == .recording { recordFrame() }
      let through = mix.through[frame]
      for channel in 0..<channelCount {
        block.outputs[channel][frame] = through * input.sample(channel: channel, age: 0)
      }
      if voices.isActive { playFrame(block, mix, frame) }
      if !lastOverdub.isSettled(fade.length) { lastOverdub.advance() }
    }
  }

  @_noLocks
  private mutating func recordFrame() {
    let place = region.end(capacity: memory.capacity)
    memory.clearMarks(place)
    for channel in 0..<channelCount {
      memory.record(input.sample(channel: channel, age: 0), place, channel: channel)
    }
    region.length &+= 1
  }

  @_noLocks
  private mutating func playFrame(_ block: RenderBlock, _ mix: LoopMix, _ frame: Int) {
    if state == .overdubbing, !isOverdubbing { beginOverdub() }
    voices.add(
      to: block, frame, from: memory, fade, level: mix.level[frame],
      undone: fade.share(lastOverdub.level))
    voices.overdub(input, into: memory, fade, feedback: mix.feedback[frame])
    voices.advance(overdubs: isOverdubbing, fade)
  }

  /// Begins an overdub as soon as the fades of the one before are over.
  @_noLocks
  private mutating func beginOverdub() {
    guard !voices.isWriting, lastOverdub.isSettled(fade.length) else { return }
    memory.beginOverdub(
      from: region.start, count: region.length, isUndone: lastOverdub.isUndone)
    isOverdubbing = true
    lastOverdub.begin()
    layerCount &+= 1
  }

  @_noLocks
  mutating func reset() {
    voices.reset()
    input.clear()
    state = .empty
    region = LoopRegion(start: 0, length: 0)
    layerCount = 0
    isOverdubbing = false
    lastOverdub = LoopUndo()
  }
}
