import CKernels
import FxAudio

/// The delay, the level and the filter of one ear. They move to new values in each piece of the
/// sound.
struct EarFilter: ~Copyable {
  /// The taps of the response; 0 when the filter is only the head shadow.
  private let tapCount: Int
  private let history: SampleBuffer
  private let taps: SampleBuffer
  private let fading: SampleBuffer
  private let vectorLevel = fx_vector_level()
  /// The half of the taps that is the target of the crossfade.
  private var half = 0
  /// True when both halves are the same.
  private var isSteady = false
  private var from = Place(delay: 0, level: 0, treble: 1)
  private var to = Place(delay: 0, level: 0, treble: 1)
  private let coefficient: Float
  private var low: Float = 0

  private struct Place: BitwiseCopyable {
    let delay: Double
    let level: Float
    let treble: Float

    // MARK: - Realtime

    @_noLocks
    init(delay: Double, level: Float, treble: Float) {
      self.delay = delay
      self.level = level
      self.treble = treble
    }
  }

  private static var pieceCount: Int { @_noLocks get { 32 } }

  package init(tapCount: Int, sampleRate: Double) {
    self.tapCount = tapCount
    history = SampleBuffer(count: tapCount + Self.pieceCount)
    taps = SampleBuffer(count: 2 * tapCount)
    fading = SampleBuffer(count: Self.pieceCount)
    coefficient = SphericalHead.shadowCoefficient(sampleRate: sampleRate)
  }

  package static func byteCount(tapCount: Int) -> Int {
    SampleBuffer.byteCount(count: tapCount + pieceCount)
      + SampleBuffer.byteCount(count: 2 * tapCount) + SampleBuffer.byteCount(count: pieceCount)
  }

  // MARK: - Realtime

  /// The memory for the response that the next `aim` moves to.
  var nextTaps: UnsafeMutablePointer<Float> {
    @_noLocks get { taps.samples + (1 &- half) &* tapCount }
  }

  /// Starts a move to values that are reached at the end of the next piece.
  @_noLocks
  mutating func aim(delay: Double, level: Float, treble: Float) {
    half = 1 &- half
    from = to
    to = Place(delay: delay, level: level, treble: treble)
    isSteady = true
    for index in 0..<tapCount where taps.samples[index] != taps.samples[tapCount &+ index] {
      isSteady = false
    }
  }

  /// Takes the target values at once.
  @_noLocks
  package mutating func settle() {
    from = to
    isSteady = true
    for index in 0..<tapCount {
      taps.samples[(1 &- half) &* tapCount &+ index] = taps.samples[half &* tapCount &+ index]
    }
  }

  /// True when the delay does not change within the piece.
  var isStill: Bool { @_noLocks get { from.delay == to.delay } }

  /// The delay in frames at a share of the move, 0...1.
  @_noLocks
  package func delay(at share: Double) -> Double { from.delay + share * (to.delay - from.delay) }

  /// Renders frames of a piece of `length` frames, from frame `start` of the piece on.
  @_noLocks
  package mutating func render(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, from start: Int,
    of length: Int, count: Int
  ) {
    if tapCount > 0 {
      convolve(input, to: output, from: start, of: length, count: count)
    } else {
      for index in 0..<count {
        let share = Float(start &+ index &+ 1) / Float(length)
        low += coefficient * (input[index] - low)
        let treble = from.treble + share * (to.treble - from.treble)
        output[index] = low + treble * (input[index] - low)
      }
    }
    for index in 0..<count {
      let share = Float(start &+ index &+ 1) / Float(length)
      output[index] *= from.level + share * (to.level - from.level)
    }
  }

  @_noLocks
  private func convolve(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, from start: Int,
    of length: Int, count: Int
  ) {
    let newest = history.samples + tapCount
    newest.update(copying: input, count: count)
    let (old, new) = (taps.samples + (1 &- half) &* tapCount, taps.samples + half &* tapCount)
    fx_convolve_directly(vectorLevel, new, tapCount, newest, output, count)
    if !isSteady {
      fx_convolve_directly(vectorLevel, old, tapCount, newest, fading.samples, count)
      for index in 0..<count {
        let share = Float(start &+ index &+ 1) / Float(length)
        output[index] = fading.samples[index] + share * (output[index] - fading.samples[index])
      }
    }
    for index in 0..<tapCount { history.samples[index] = history.samples[index &+ count] }
  }

  /// Clears the state.
  @_noLocks
  package mutating func forget() {
    history.clear()
    low = 0
  }
}
