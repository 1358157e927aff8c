import FxAudio

/// The coupling capacitor after a distortion stage: it removes the DC offset that the curve adds.
///
/// A high-pass of first order, in double precision. Allocated on the control thread, used on the
/// render thread.
struct Coupling: ~Copyable {
  private let channelCount: Int
  /// The share of the offset that one frame removes.
  private let share: Double
  private let held: UnsafeMutablePointer<Double>

  package init(channelCount: Int, frequency: Double, sampleRate: Double) {
    self.channelCount = channelCount
    share = Self.share(frequency: frequency, sampleRate: sampleRate)
    held = .allocate(capacity: max(channelCount, 1))
    held.initialize(repeating: 0, count: max(channelCount, 1))
  }

  deinit { held.deallocate() }

  /// The share that one frame removes, for -3 dB at a frequency.
  package static func share(frequency: Double, sampleRate: Double) -> Double {
    1 - Math.exp(-2 * Double.pi * frequency / sampleRate)
  }

  /// The bytes that a coupling with this channel count allocates.
  package static func byteCount(channelCount: Int) -> Int {
    max(channelCount, 1) * MemoryLayout<Double>.stride
  }

  /// Frames until the decay is below -90 dB.
  package static func ringing(frequency: Double, _ sampleRate: Double) -> Int {
    Int(min(10.4 / (2 * Double.pi * frequency) * sampleRate, 1e9))
  }

  // MARK: - Realtime

  @_noLocks
  package func render(_ samples: UnsafeMutablePointer<Float>, channel: Int, frameCount: Int) {
    var constant = held[channel]
    for frame in 0..<frameCount {
      let rest = Double(samples[frame]) - constant
      constant += share * rest
      samples[frame] = Float(rest)
    }
    held[channel] = constant
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`.
  package var isAtRest: Bool {
    @_noLocks get {
      for channel in 0..<channelCount where abs(held[channel]) >= InaudibleState.limit {
        return false
      }
      return true
    }
  }

  /// Advances the state by silent frames that are not rendered.
  @_noLocks
  package func rest(frameCount: Int) {
    for channel in 0..<channelCount {
      var constant = held[channel]
      for _ in 0..<frameCount {
        let next = constant + share * (0 - constant)
        if next == constant { break }
        constant = next
      }
      held[channel] = constant
    }
  }

  @_noLocks
  package func reset() {
    for channel in 0..<channelCount { held[channel] = 0 }
  }
}
