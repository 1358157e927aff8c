import FxAudio

/// Raises the treble before tape saturation and lowers it again after it, so that loud treble
/// saturates first.
///
/// A shelf of first order that raises from 50 microseconds (3.2 kHz) by 9 dB, as a recorder's
/// equalisation does (IEC 60094-1), and its exact inverse. Allocated on the control thread, used on
/// the render thread.
struct TapeEmphasis: ~Copyable {
  private let channelCount: Int
  /// `(b0 + b1 z⁻¹) / (1 + a1 z⁻¹)`.
  private let b0: Double
  private let b1: Double
  private let a1: Double
  /// For each channel, the last input and output of `raise`, then of `lower`.
  private let states: UnsafeMutablePointer<Double>

  package init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    let zero = Math.tan(Double.pi * min(3183 / sampleRate, 0.2))
    let pole = Math.tan(Double.pi * min(9000 / sampleRate, 0.45))
    // (1 + s/zero) / (1 + s/pole) by the bilinear transform.
    let scale = pole / (zero * (1 + pole))
    b0 = scale * (zero + 1)
    b1 = scale * (zero - 1)
    a1 = (pole - 1) / (pole + 1)
    states = .allocate(capacity: max(4 * channelCount, 1))
    states.initialize(repeating: 0, count: max(4 * channelCount, 1))
  }

  deinit { states.deallocate() }

  /// The bytes that this channel count allocates.
  package static func byteCount(channelCount: Int) -> Int {
    max(4 * channelCount, 1) * MemoryLayout<Double>.stride
  }

  // MARK: - Realtime

  @_noLocks
  package func raise(_ samples: UnsafeMutablePointer<Float>, channel: Int, frameCount: Int) {
    let state = states + 4 &* channel
    var (heard, made) = (state[0], state[1])
    for frame in 0..<frameCount {
      let input = Double(samples[frame])
      let output = b0 * input + b1 * heard - a1 * made
      (heard, made) = (input, output)
      samples[frame] = Float(output)
    }
    (state[0], state[1]) = (heard, made)
  }

  @_noLocks
  package func lower(_ samples: UnsafeMutablePointer<Float>, channel: Int, frameCount: Int) {
    let state = states + (4 &* channel &+ 2)
    var (heard, made) = (state[0], state[1])
    for frame in 0..<frameCount {
      let input = Double(samples[frame])
      let output = (input + a1 * heard - b1 * made) / b0
      (heard, made) = (input, output)
      samples[frame] = Float(output)
    }
    (state[0], state[1]) = (heard, made)
  }

  /// True when the state is zero.
  package var isAtRest: Bool {
    @_noLocks get {
      for index in 0..<(4 &* channelCount) where states[index] != 0 { return false }
      return true
    }
  }

  @_noLocks
  package func reset() {
    for index in 0..<(4 &* channelCount) { states[index] = 0 }
  }
}
