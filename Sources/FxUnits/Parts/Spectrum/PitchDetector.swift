import FxAudio

/// Finds the pitch of a single voice or string, from 25 Hz to 1.6 kHz, at any sample rate from 8 kHz.
///
/// It compares the signal, at a rate of 11 to 24 kHz (at 8 kHz as it is), with itself. The period is
/// at the first peak of the normalised square difference that is nearly as high as the highest one.
/// Peaks are interpolated (`LikenessCurve`), because few samples of a high note with strong harmonics
/// lie near its peak. Peaks at multiples of the period, and the mean of the latest readings of a
/// note, refine the result. Source: P. McLeod and G. Wyvill, "A smarter way to find pitch", ICMC 2005.
/// Allocated on the control thread, used on the render thread.
struct PitchDetector: ~Copyable {
  /// In hertz; 0 when there is no pitch.
  package private(set) var frequency = 0.0
  /// The similarity of two periods, 0...1.
  package private(set) var clarity = 0.0

  private static var step: Int { @_noLocks get { 16 } }
  /// Readings that differ by more than this share belong to different notes.
  private static var sameNote: Double { @_noLocks get { 0.005 } }

  private let factor: Int
  /// The length of the window and of the longest period (25 Hz), in samples at the low rate.
  private let length: Int
  private let longest: Int
  private let lowRate: Double
  /// Without channels when the factor is 1.
  private let decimator: Oversampler
  private let pending: SampleBuffer
  private var pendingCount = 0
  private let samples: SampleBuffer
  private var filled = 0
  /// What was subtracted from all samples: a mean would hide the period. A constant does not move the
  /// peaks of a periodic sound.
  private var offset: Float = 0
  private let likeness: LikenessCurve
  /// The latest readings of the same note, the newest first.
  private var memory = SIMD8<Double>.zero
  /// The readings in a row of the same note, the first one included.
  private var memoryLength = 0

  package init(sampleRate: Double) {
    factor = Self.factor(sampleRate)
    lowRate = sampleRate / Double(factor)
    longest = Self.longest(sampleRate)
    length = 3 * longest
    decimator = Oversampler(
      factor: factor, channelCount: factor > 1 ? 1 : 0, maximumFrameCount: Self.step)
    pending = SampleBuffer(count: factor * Self.step)
    samples = SampleBuffer(count: length + Self.step)
    likeness = LikenessCurve(longest: longest)
  }

  /// The samples for one at the low rate.
  private static func factor(_ sampleRate: Double) -> Int {
    sampleRate < 22000 ? 1 : sampleRate < 40000 ? 2 : sampleRate < 80000 ? 4 : 8
  }

  private static func longest(_ sampleRate: Double) -> Int {
    max(32, Int(min(sampleRate / Double(factor(sampleRate)) / 25, 4096)))
  }

  package static func byteCount(sampleRate: Double) -> Int {
    let (longest, factor) = (longest(sampleRate), factor(sampleRate))
    return Oversampler.byteCount(
      factor: factor, channelCount: factor > 1 ? 1 : 0, maximumFrameCount: step)
      + SampleBuffer.byteCount(count: factor * step)
      + SampleBuffer.byteCount(count: 3 * longest + step)
      + LikenessCurve.byteCount(longest: longest)
  }

  // MARK: - Realtime

  /// Takes the next sample; true when the pitch has been measured again.
  @_noLocks
  package mutating func take(_ sample: Float) -> Bool {
    pending.samples[pendingCount] = sample.finiteSample
    pendingCount &+= 1
    guard pendingCount == factor &* Self.step else { return false }
    pendingCount = 0
    let new = samples.samples + filled
    if factor > 1 {
      decimator.down(pending.samples, channel: 0, frameCount: Self.step, to: new)
    } else {
      new.update(copying: UnsafePointer(pending.samples), count: Self.step)
    }
    for frame in 0..<Self.step { new[frame] -= offset }
    filled &+= Self.step
    guard filled >= length else { return false }
    find()
    // The next window overlaps this one by two thirds.
    let kept = filled &- longest
    samples.samples.update(copying: UnsafePointer(samples.samples + longest), count: kept)
    filled = kept
    return true
  }

  @_noLocks
  private mutating func find() {
    frequency = 0
    clarity = 0
    removeMean()
    likeness.compare(UnsafePointer(samples.samples))
    guard let peak = likeness.firstPeak() else {
      memoryLength = 0
      return
    }
    clarity = peak.value < 1 ? peak.value : 1
    remember(lowRate / likeness.period(from: peak))
  }

  @_noLocks
  private mutating func removeMean() {
    var sum = 0.0
    for frame in 0..<filled { sum += Double(samples.samples[frame]) }
    let mean = Float(sum / Double(filled))
    for frame in 0..<filled { samples.samples[frame] -= mean }
    offset += mean
  }

  /// Sets the frequency to the mean of this reading and the earlier ones of the same note.
  @_noLocks
  private mutating func remember(_ new: Double) {
    // The lowest notes have no peak at a multiple of their period.
    let most = 2 * new * Double(longest) < 3 * lowRate ? 8 : 4
    var (sum, count) = (new, 1)
    while count < most, count < memoryLength, isSameNote(new, memory[count &- 1]) {
      sum += memory[count &- 1]
      count &+= 1
    }
    frequency = sum / Double(count)
    // The first reading includes the start of the note, so no mean has it.
    let continues = memoryLength > 0 && isSameNote(new, memory[0])
    memoryLength = !continues ? 1 : memoryLength < 9 ? memoryLength &+ 1 : 9
    for index in 1...7 { memory[8 &- index] = memory[7 &- index] }
    memory[0] = new
  }

  @_noLocks
  private func isSameNote(_ new: Double, _ old: Double) -> Bool {
    old < new * (1 + Self.sameNote) && old > new * (1 - Self.sameNote)
  }

  @_noLocks
  package mutating func clear() {
    frequency = 0
    clarity = 0
    pendingCount = 0
    filled = 0
    offset = 0
    memoryLength = 0
    decimator.reset()
  }
}
