import FxAudio

/// Counts the periods of a modulator, by a rate in hertz or a length in beats.
///
/// Render thread.
///
/// With a constant rate the count is a function of the absolute frame, as if the rate had never
/// been different. While the rate moves, every frame adds its part. Beats are read from the musical
/// time. So the count never depends on the block sizes.
struct PeriodClock: BitwiseCopyable {
  /// The position of a frame: whole periods since frame 0, and the share of the current period.
  package struct Place: BitwiseCopyable, Equatable {
    package let count: Int
    package let share: Double

    // MARK: - Realtime

    @_noLocks
    init(_ periods: Double) {
      var whole = Int(periods)
      if Double(whole) > periods { whole -= 1 }
      let rest = periods - Double(whole)
      count = whole
      // Just below a whole number, the difference can round to 1.
      share = rest < 1 ? rest : 0
    }
  }

  private let sampleRate: Double
  /// The rate as the chain states it. The unit's parameter has only single precision.
  private let writtenRate: Double
  private var rate = Float.nan
  /// Periods per frame.
  private var step = 0.0
  /// A reference frame, and the periods before it.
  private var startFrame = 0
  private var startCount = 0
  private var startShare = 0.0
  private var stretch: MusicalStretch?

  package init(sampleRate: Double, writtenRate: Double) {
    self.sampleRate = sampleRate
    self.writtenRate = writtenRate
  }

  // MARK: - Realtime

  /// Call this before the frames of a block.
  @_noLocks
  package mutating func begin() { stretch = nil }

  /// The position of a frame. Call it for frames in ascending order.
  ///
  /// - Parameters:
  ///   - rate: Periods per second.
  ///   - beats: The length of a period in beats; 0 to use the rate.
  ///   - phase: Added to the periods.
  @_noLocks
  package mutating func place(
    of frame: Int, rate: Float, beats: Float, phase: Float, in time: MusicalTime
  ) -> Place {
    if beats > 0 {
      self.rate = .nan
      let now = musical(frame, time).beat(at: frame)
      return bounded(now / Double(beats) + Double(phase))
    }
    if rate != self.rate { turn(to: rate, at: frame) }
    let place = bounded(Double(frame - startFrame) * step + startShare + Double(phase))
    return Place(place, plus: startCount)
  }

  /// Writes the share of the current period at consecutive frames, at a constant rate in hertz.
  @_noLocks
  mutating func findShares(
    from frame: Int, count: Int, rate: Float, into shares: UnsafeMutablePointer<Double>
  ) {
    if count > 0, rate != self.rate { turn(to: rate, at: frame) }
    for index in 0..<count {
      shares[index] = bounded(Double(frame &+ index - startFrame) * step + startShare).share
    }
  }

  @_noLocks
  private mutating func musical(_ frame: Int, _ time: MusicalTime) -> MusicalStretch {
    if let stretch, frame < stretch.end { return stretch }
    let found = time.stretch(at: frame)
    stretch = found
    return found
  }

  /// Continues at a new rate from the position of a frame.
  @_noLocks
  private mutating func turn(to rate: Float, at frame: Int) {
    if self.rate == self.rate {
      let now = Place(bounded(Double(frame - startFrame) * step + startShare), plus: startCount)
      startFrame = frame
      startCount = now.count
      startShare = now.share
    } else {
      startFrame = 0
      startCount = 0
      startShare = 0
    }
    self.rate = rate
    step = (rate == Float(writtenRate) ? writtenRate : Double(rate)) / sampleRate
  }

  @_noLocks
  private func bounded(_ periods: Double) -> Place {
    Place(periods > -1e15 && periods < 1e15 ? periods : 0)
  }

  /// Makes the next frame the first one.
  @_noLocks
  package mutating func reset() { rate = .nan }
}

extension PeriodClock.Place {
  // MARK: - Realtime

  @_noLocks
  fileprivate init(_ place: PeriodClock.Place, plus count: Int) {
    self.count = place.count + count
    share = place.share
  }
}
