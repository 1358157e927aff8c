import FxAudio

/// Shared parameters of modulators.
extension ParameterSpec {
  /// The rate of something periodic; a value in beats sets the parameter `period`.
  static func modulatorRate(_ summary: String, default defaultValue: Double) -> ParameterSpec {
    ParameterSpec(
      "rate", "\(summary) A note or beats, such as `\"1/8\"`, sets `period`.", .hertz, 0.001...200,
      default: defaultValue, smoothing: .glide(seconds: 0.02)
    ).inBeats("period")
  }

  static func modulatorPeriod(_ what: String) -> ParameterSpec {
    ParameterSpec(
      "period",
      "The length of \(what) in beats of the musical time, in place of the rate; 0 leaves it to the "
        + "rate. A chain without a tempo has 120 beats a minute.",
      .beats, 0...1024, default: 0, smoothing: .none)
  }
}

extension PeriodClock {
  /// The clock of a unit whose first parameter is its rate.
  init(_ preparation: Preparation) {
    self.init(sampleRate: preparation.sampleRate, writtenRate: preparation.initial(0))
  }

  // MARK: - Realtime

  /// The position of a frame in the period, for a unit with a rate and a period.
  @_noLocks
  mutating func place(
    _ block: RenderBlock, _ frame: Int, _ rate: ParameterSignal, _ period: ParameterSignal
  ) -> Place {
    place(
      of: block.frame + frame, rate: rate[frame], beats: period[frame], phase: 0, in: block.time)
  }
}
