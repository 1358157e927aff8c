import FxAudio

/// Shifts the pitch of a sound, and independently its formants, without changing its duration.
///
/// A phase vocoder places pieces of the sound further apart or closer together. The result is read
/// faster or slower (`StretchedSound`). Allocated on the control thread, used on the render thread.
/// The output does not depend on the block sizes.
struct PitchShifter: ~Copyable {
  /// Frames between the read position and the end of the complete sound.
  private static var guardCount: Int { @_noLocks get { 32 } }
  /// Hops from the middle of an output piece to its end.
  private static var halfHops: Int { @_noLocks get { 4 } }
  /// Up to this ratio, every second hop has a piece, and pieces overlap by half at least.
  private static var sparseRatio: Double { @_noLocks get { 2 } }

  private let channelCount: Int
  private let span: Int
  private let hop: Int
  /// Hops from the middle of the windows to their end.
  private let lateHops: Int
  /// Channel × frame.
  private let input: SampleBuffer
  private var vocoder: PhaseVocoder
  private var sound: StretchedSound
  private let soundCapacity: Int
  /// Rings, one entry per hop: the requested settings, the ratio of the piece, and the position of
  /// its middle.
  private let historyCount: Int
  private let wanted: UnsafeMutablePointer<PitchSettings>
  private let ratios: UnsafeMutablePointer<Double>
  private let positions: UnsafeMutablePointer<Double>
  /// Frames of the current hop that have arrived.
  private var place = 0
  private var hopCount = 0
  /// The hop and the position of the latest piece.
  private var pieceHop = 0
  private var pieceMiddle = 0
  /// True until `begin` is called.
  private(set) var isFresh = true

  init(channelCount: Int, windows: VocoderWindows) {
    self.channelCount = channelCount
    span = windows.span
    hop = windows.spread / (2 * Self.halfHops)
    lateHops = windows.future / hop
    historyCount = Self.historyCount(windows)
    input = SampleBuffer(count: channelCount * span)
    vocoder = PhaseVocoder(channelCount: channelCount, windows: windows, density: 2)
    soundCapacity = Self.soundCapacity(windows)
    sound = StretchedSound(channelCount: channelCount, capacity: soundCapacity)
    wanted = .allocate(capacity: historyCount)
    wanted.initialize(repeating: PitchSettings(pitch: 1, formants: nil), count: historyCount)
    ratios = .allocate(capacity: historyCount)
    ratios.initialize(repeating: 1, count: historyCount)
    positions = .allocate(capacity: historyCount)
    positions.initialize(repeating: 0, count: historyCount)
  }

  deinit {
    wanted.deallocate()
    ratios.deallocate()
    positions.deallocate()
  }

  /// A power of two with room for the hops of half a window and half a piece.
  private static func historyCount(_ windows: VocoderWindows) -> Int {
    8 * windows.lengths[0] / windows.spread
  }

  /// Half frames from the oldest one that is read to the newest one that is written, at four times
  /// the pitch.
  private static func soundCapacity(_ windows: VocoderWindows) -> Int { 16 * windows.spread }

  /// The latency in frames: the part of the windows after their middle, and half an output piece,
  /// until the sound at its middle is complete.
  static func latency(_ windows: VocoderWindows) -> Int {
    windows.future + windows.spread / 2 + guardCount
  }

  /// Frames after the end of the input, without the latency, that may have sound: a window that
  /// begins at the end has its middle so much later, with half an output piece around it.
  static func tail(_ windows: VocoderWindows) -> Int { windows.past + windows.spread / 2 }

  static func byteCount(channelCount: Int, windows: VocoderWindows) -> Int {
    let history = MemoryLayout<PitchSettings>.stride + 2 * MemoryLayout<Double>.stride
    return SampleBuffer.byteCount(count: channelCount * windows.span)
      + PhaseVocoder.byteCount(channelCount: channelCount, windows: windows, density: 2)
      + StretchedSound.byteCount(channelCount: channelCount, capacity: soundCapacity(windows))
      + historyCount(windows) * history
  }

  // MARK: - Realtime

  /// Frames until the current hop is complete. A call of `process` takes at most this many.
  var remainingCount: Int {
    @_noLocks get { hop &- place }
  }

  /// Renders at most `remainingCount` frames of all channels. Outputs may be the same memory as
  /// inputs.
  @_noLocks
  mutating func process(
    _ inputs: UnsafePointer<UnsafePointer<Float>>,
    to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int,
    _ settings: PitchSettings
  ) {
    for channel in 0..<channelCount {
      let target = input.samples + channel &* span + (span &- hop &+ place)
      let source = inputs[channel] + start
      for frame in 0..<count { target[frame] = source[frame].finiteSample }
    }
    for frame in 0..<count {
      let position = position(place &+ frame)
      for channel in 0..<channelCount {
        outputs[channel][start &+ frame] = sound.sample(channel: channel, at: position)
      }
    }
    place &+= count
    guard place == hop else { return }
    place = 0
    completeHop(settings)
  }

  /// Begins with silence in the past. Call it once before the first frames.
  @_noLocks
  mutating func begin(_ settings: PitchSettings) {
    isFresh = false
    place = 0
    hopCount = historyCount
    // All positions that are read before the first piece must be above 0.
    let start = soundCapacity
    for index in 0..<historyCount {
      wanted[index] = settings
      ratios[index] = settings.pitch
      let past = Double(historyCount &- 1 &- index) * Double(2 &* hop)
      positions[index] = Double(start) - past * settings.pitch
    }
    pieceHop = hopCount &- 1
    pieceMiddle = start
    sound.clear(at: 0)
    sound.makeRoom(until: start)
    sound.complete(until: Int(positions[ring(hopCount &- Self.halfHops)]))
  }

  /// The read position of a frame of the hop.
  @_noLocks
  private func position(_ frame: Int) -> Double {
    // The middle of the newest piece is `lateHops` behind the input, and is read half a piece later.
    let time = frame &- Self.guardCount
    // Negative where a hop is shorter than the guard.
    let hopsBack = time < 0 ? (hop &- 1 &- time) / hop : 0
    let index = hopCount &- Self.halfHops &- 1 &- hopsBack
    let offset = Double(time &+ hopsBack &* hop)
    let (from, to) = (ratios[ring(index)], ratios[ring(index &+ 1)])
    let mean = from + 0.5 * (to - from) * offset / Double(hop)
    return positions[ring(index)] + 2 * mean * offset
  }

  @_noLocks
  private func ring(_ index: Int) -> Int { index & (historyCount &- 1) }

  @_noLocks
  private mutating func completeHop(_ settings: PitchSettings) {
    let (last, now) = (ring(hopCount &- 1), ring(hopCount))
    wanted[now] = settings
    // Settings apply to the input at the time of the request, which is in the middle of a later
    // piece.
    let due = wanted[ring(hopCount &- lateHops)]
    ratios[now] = due.pitch
    positions[now] = positions[last] + Double(hop) * (ratios[last] + due.pitch)
    if hopCount & 1 == 0 || due.pitch > Self.sparseRatio { takePiece(due) }
    for channel in 0..<channelCount {
      let samples = input.samples + channel &* span
      samples.update(copying: UnsafePointer(samples + hop), count: span &- hop)
    }
    hopCount &+= 1
    sound.complete(until: Int(positions[ring(hopCount &- Self.halfHops)]))
    rebase()
  }

  /// For a ratio above 1 the piece loses the frequencies that would be too high when it is read
  /// faster. For a ratio below 1 the piece is shortened, so that it lasts no longer when it is read
  /// slower.
  @_noLocks
  private mutating func takePiece(_ settings: PitchSettings) {
    let middle = Int(positions[ring(hopCount)] + 0.5)
    let apart = (hopCount &- pieceHop) &* hop
    let moved = settings.formants
    vocoder.turn(
      input.samples, apart: apart, stretch: 0.5 * Double(middle &- pieceMiddle) - Double(apart),
      measuresFormants: moved != nil)
    let whole = 2 &* Self.halfHops &* hop
    let widest = settings.pitch < 1 ? Int(Double(whole) * settings.pitch) : whole
    // The piece must not reach into the complete part, also when the ratio grows: a cut window
    // would be audible.
    vocoder.lay(
      on: &sound, at: middle, half: min(widest, middle &- sound.completeEnd),
      kept: settings.pitch > 1 ? 1 / settings.pitch : 1,
      formantScale: moved.map { settings.pitch / $0 })
    (pieceHop, pieceMiddle) = (hopCount, middle)
  }

  /// Keeps positions from growing without limit.
  @_noLocks
  private mutating func rebase() {
    let most = 1 << 26
    guard positions[ring(hopCount &- 1)] > Double(2 &* most) else { return }
    for index in 0..<historyCount { positions[index] -= Double(most) }
    pieceMiddle &-= most
    sound.rebase(most)
  }

  @_noLocks
  mutating func clear() {
    input.clear()
    vocoder.clear()
    place = 0
    isFresh = true
  }
}
