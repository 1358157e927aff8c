import FxAudio

/// Shifts the pitch of a sound, and independently its formants, without changing its duration: the
/// shifter of revision 1, with one analysis window for all frequencies.
///
/// A phase vocoder (`PhaseRotation`) places pieces of the sound further apart or closer together.
/// The result is read faster or slower (`StretchedSound`). Allocated on the control thread, used on
/// the render thread. The output does not depend on the block sizes.
struct SingleWindowShifter: ~Copyable {
  /// The length of a piece in hops.
  private static var hopsPerPiece: Int { @_noLocks get { 8 } }
  /// Frames between the read position and the end of the complete sound.
  private static var guardCount: Int { @_noLocks get { 32 } }
  private static var historyCount: Int { @_noLocks get { 16 } }

  private let channelCount: Int
  private let length: Int
  private let hop: Int
  private let rowCount: Int
  private let transform: RealTransform
  private let wideTransform: RealTransform
  /// Hann's window in frames and in half frames, the window for the output piece, and the product
  /// of input and output windows.
  private let window: SampleBuffer
  private let wideWindow: SampleBuffer
  private let shape: SampleBuffer
  private let weights: SampleBuffer
  /// Channel × frame.
  private let input: SampleBuffer
  private let work: SampleBuffer
  /// Channel × bin.
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  /// A spectrum of twice the bins.
  private let wideReal: SampleBuffer
  private let wideImaginary: SampleBuffer
  private let rotation: PhaseRotation
  private let formants: FormantFilter
  private var sound: StretchedSound
  /// Rings, one entry per hop: the requested settings, the ratio of the piece, and the position of
  /// its middle.
  private let wanted: UnsafeMutablePointer<PitchSettings>
  private let ratios: UnsafeMutablePointer<Double>
  private let positions: UnsafeMutablePointer<Double>
  /// Frames of the current hop that have arrived.
  private var place = 0
  private var hopCount = 0
  /// True until `begin` is called.
  private(set) var isFresh = true

  /// - Parameter length: The length of a piece in frames, a power of two of at least 256.
  init(channelCount: Int, length: Int, sampleRate: Double) {
    self.channelCount = channelCount
    self.length = length
    hop = length / Self.hopsPerPiece
    rowCount = SpectralFrames.rowCount(length: length)
    transform = RealTransform(length: length)
    wideTransform = RealTransform(length: 2 * length)
    window = SampleBuffer(count: length)
    wideWindow = SampleBuffer(count: 2 * length)
    shape = SampleBuffer(count: 2 * length)
    weights = SampleBuffer(count: 2 * length)
    input = SampleBuffer(count: channelCount * length)
    work = SampleBuffer(count: 2 * length)
    real = SampleBuffer(count: channelCount * rowCount)
    imaginary = SampleBuffer(count: channelCount * rowCount)
    wideReal = SampleBuffer(count: length + 1)
    wideImaginary = SampleBuffer(count: length + 1)
    rotation = PhaseRotation(
      channelCount: channelCount, length: length, hop: hop, rowCount: rowCount)
    formants = FormantFilter(length: length, sampleRate: sampleRate)
    sound = StretchedSound(channelCount: channelCount, capacity: 8 * length)
    wanted = .allocate(capacity: Self.historyCount)
    wanted.initialize(repeating: PitchSettings(pitch: 1, formants: nil), count: Self.historyCount)
    ratios = .allocate(capacity: Self.historyCount)
    ratios.initialize(repeating: 1, count: Self.historyCount)
    positions = .allocate(capacity: Self.historyCount)
    positions.initialize(repeating: 0, count: Self.historyCount)
    for index in 0..<2 * length {
      let value = Float(0.5 - 0.5 * Math.cos(Double.pi * Double(index) / Double(length)))
      wideWindow.samples[index] = value
      if index & 1 == 0 { window.samples[index / 2] = value }
    }
  }

  deinit {
    wanted.deallocate()
    ratios.deallocate()
    positions.deallocate()
  }

  /// The latency in frames.
  static func latency(length: Int) -> Int { length + guardCount }

  static func byteCount(channelCount: Int, length: Int) -> Int {
    let rowCount = SpectralFrames.rowCount(length: length)
    let history = MemoryLayout<PitchSettings>.stride + 2 * MemoryLayout<Double>.stride
    return RealTransform.byteCount(length: length) + RealTransform.byteCount(length: 2 * length)
      + SampleBuffer.byteCount(count: length) + 4 * SampleBuffer.byteCount(count: 2 * length)
      + SampleBuffer.byteCount(count: channelCount * length)
      + 2 * SampleBuffer.byteCount(count: channelCount * rowCount)
      + 2 * SampleBuffer.byteCount(count: length + 1)
      + PhaseRotation.byteCount(channelCount: channelCount, rowCount: rowCount)
      + FormantFilter.byteCount(length: length)
      + StretchedSound.byteCount(channelCount: channelCount, capacity: 8 * length)
      + historyCount * history
  }

  // MARK: - Realtime

  /// Frames until the next piece is complete. A call of `process` takes at most this many.
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
      let target = input.samples + channel &* length + (length &- hop &+ place)
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
    takePiece(settings)
  }

  /// Begins with silence in the past. Call it once before the first frames.
  @_noLocks
  mutating func begin(_ settings: PitchSettings) {
    isFresh = false
    place = 0
    hopCount = Self.historyCount
    // All positions that are read before the first piece must be above 0.
    let start = 8 &* length
    for index in 0..<Self.historyCount {
      wanted[index] = settings
      ratios[index] = settings.pitch
      let past = Double(Self.historyCount &- 1 &- index) * Double(2 &* hop)
      positions[index] = Double(start) - past * settings.pitch
    }
    sound.clear(at: 0)
    sound.makeRoom(until: start)
    sound.complete(until: Int(positions[Self.historyCount &- 4]))
  }

  /// The read position of a frame of the hop.
  @_noLocks
  private func position(_ frame: Int) -> Double {
    // The middle of the newest piece is half a piece behind the input, and is read half a piece
    // later.
    let time = frame &- Self.guardCount
    let back = Self.hopsPerPiece / 2 &+ (time < 0 ? 2 : 1)
    let index = hopCount &- back
    let offset = Double(time < 0 ? time &+ hop : time)
    let (from, to) = (ratios[ring(index)], ratios[ring(index &+ 1)])
    let mean = from + 0.5 * (to - from) * offset / Double(hop)
    return positions[ring(index)] + 2 * mean * offset
  }

  @_noLocks
  private func ring(_ index: Int) -> Int { index & (Self.historyCount &- 1) }

  @_noLocks
  private mutating func takePiece(_ settings: PitchSettings) {
    let last = ring(hopCount &- 1)
    let now = ring(hopCount)
    wanted[now] = settings
    // PitchSettings apply to the input at the time of the request, which is in the middle of a later
    // piece.
    let due = wanted[ring(hopCount &- Self.hopsPerPiece / 2)]
    ratios[now] = due.pitch
    positions[now] = positions[last] + Double(hop) * (ratios[last] + due.pitch)
    let (middle, before) = (Self.whole(positions[now]), Self.whole(positions[last]))
    analyze()
    rotation.turn(
      real.samples, imaginary.samples,
      stretch: 0.5 * Double(middle &- before) - Double(hop))
    if let moved = due.formants {
      formants.filter(
        real.samples, imaginary.samples, channelCount: channelCount, scale: due.pitch / moved)
    }
    lay(due.pitch, at: middle)
    hopCount &+= 1
    sound.complete(until: Int(positions[ring(hopCount &- Self.hopsPerPiece / 2)]))
    rebase()
  }

  @_noLocks
  private static func whole(_ position: Double) -> Int { Int(position + 0.5) }

  @_noLocks
  private func analyze() {
    for channel in 0..<channelCount {
      let samples = input.samples + channel &* length
      for frame in 0..<length { work.samples[frame] = samples[frame] * window.samples[frame] }
      transform.forward(
        work.samples, real: real.samples + channel &* rowCount,
        imaginary: imaginary.samples + channel &* rowCount)
      samples.update(copying: UnsafePointer(samples + hop), count: length &- hop)
    }
  }

  /// Adds the piece to the stretched sound around a position.
  ///
  /// For a ratio above 1 the piece loses the frequencies that would be too high when it is read
  /// faster. For a ratio below 1 the piece is shortened, so that it lasts no longer when it is read
  /// slower.
  @_noLocks
  private mutating func lay(_ ratio: Double, at middle: Int) {
    let widest = ratio < 1 ? Int(Double(length) * ratio) : length
    // The piece must not reach into the complete part, also when the ratio grows: a cut window
    // would be audible.
    let half = min(widest, middle &- sound.completeEnd)
    let first = middle &- half
    let count = 2 &* half
    let offset = length &- half
    sound.makeRoom(until: middle &+ half)
    shapePiece(half)
    sound.addWeights(weights.samples + offset, at: first, count: count)
    let binCount = transform.binCount
    let kept = ratio > 1 ? Int(Double(binCount &- 1) / ratio) : binCount
    for channel in 0..<channelCount {
      wideReal.clear()
      wideImaginary.clear()
      let row = channel &* rowCount
      wideReal.samples.update(copying: UnsafePointer(real.samples + row), count: kept)
      wideImaginary.samples.update(copying: UnsafePointer(imaginary.samples + row), count: kept)
      // The last bin of the original appears twice in the wider spectrum, so each has half of it.
      wideReal.samples[binCount &- 1] *= 0.5
      wideImaginary.samples[binCount &- 1] *= 0.5
      wideTransform.inverse(
        real: wideReal.samples, imaginary: wideImaginary.samples, to: work.samples)
      for index in offset..<offset &+ count { work.samples[index] *= shape.samples[index] }
      sound.add(work.samples + offset, channel: channel, at: first, count: count)
    }
  }

  /// Computes the window for the output piece, and its product with the input window.
  @_noLocks
  private func shapePiece(_ half: Int) {
    let step = Double(length) / Double(half)
    shape.clear()
    for index in length &- half..<length &+ half {
      let place = Int(Double(length) + Double(index &- length) * step)
      // The factor 2 compensates for the inverse transform, which has twice the length.
      shape.samples[index] = 2 * wideWindow.samples[max(0, min(place, 2 &* length &- 1))]
      weights.samples[index] = 0.5 * shape.samples[index] * wideWindow.samples[index]
    }
  }

  /// Keeps positions from growing without limit.
  @_noLocks
  private mutating func rebase() {
    let most = 1 << 26
    guard positions[ring(hopCount &- 1)] > Double(2 &* most) else { return }
    for index in 0..<Self.historyCount { positions[index] -= Double(most) }
    sound.rebase(most)
  }

  @_noLocks
  mutating func clear() {
    input.clear()
    rotation.clear()
    place = 0
    isFresh = true
  }
}
