import FxAudio

/// A tone with steps of level or frequency, and the settled part of each step.
package struct ToneSteps: Sendable {
  package struct Step: Sendable, Equatable {
    package var hertz: Double
    /// The peak, in dB of full scale.
    package var decibels: Double
    /// The frames in which the step is measured, after it has settled.
    package var frames: Range<Int>
  }

  package let sampleRate: Double
  package private(set) var steps: [Step] = []
  package private(set) var samples: [Float] = []

  /// The shortest and the longest time before a step is measured, in seconds.
  private static let settling = 0.3...3.0
  /// Extra seconds of the first step.
  private static let beginning = 0.5
  /// The duration of a glide from one amplitude to the next, in seconds.
  private static let glide = 0.005
  /// The shortest measured part, in periods and in seconds.
  private static let (periods, seconds) = (16.0, 0.1)

  /// Rising levels of one tone.
  ///
  /// - Parameters:
  ///   - settling: Seconds until the output of the tested chain is steady.
  ///   - lookahead: Seconds by which the output may react before the next step.
  package init(
    hertz: Double, decibels: [Double], sampleRate: Double, settling: Double = 0,
    lookahead: Double = 0
  ) {
    self.init(decibels.map { (hertz, $0) }, sampleRate, settling, lookahead)
  }

  /// Rising frequencies at one level.
  package init(
    hertz: [Double], decibels: Double, sampleRate: Double, settling: Double = 0,
    lookahead: Double = 0
  ) {
    self.init(hertz.map { ($0, decibels) }, sampleRate, settling, lookahead)
  }

  private init(
    _ tones: [(hertz: Double, decibels: Double)], _ sampleRate: Double, _ settling: Double,
    _ lookahead: Double
  ) {
    let sampleRate = sampleRate.isFinite ? min(max(sampleRate, 1), 1e7) : 1
    self.sampleRate = sampleRate
    let settling = min(Self.settling.upperBound, max(Self.settling.lowerBound, settling))
    let restCount = Int(min(max(lookahead, 0), Self.settling.upperBound) * sampleRate)
    let glideCount = max(Int(Self.glide * sampleRate), 1)
    var (cycles, amplitude) = (0.0, 0.0)
    for (index, tone) in tones.enumerated() {
      let start = samples.count
      let wait = settling + (index == 0 ? Self.beginning : 0)
      let measured = max(Self.seconds, Self.periods / max(tone.hertz, 1))
      let first = start + Int(wait * sampleRate)
      let end = first + Int(measured * sampleRate)
      let (before, after) = (amplitude, Math.amplitude(decibels: tone.decibels))
      for frame in 0..<(end + restCount - start) {
        let share = min(Double(frame) / Double(glideCount), 1)
        amplitude = before + (after - before) * share
        samples.append(Float(amplitude * Math.sin(2 * .pi * cycles)))
        cycles += tone.hertz / sampleRate
        cycles -= cycles.rounded(.down)
      }
      steps.append(Step(hertz: tone.hertz, decibels: tone.decibels, frames: first..<end))
    }
  }

  /// The measured result of a step.
  package struct Result: Sendable, Equatable {
    package var step: Step
    /// The level of the whole output in dB of full scale, as the peak of a sine with the same RMS.
    package var level: Double
    /// nil when there is no tone in the output.
    package var distortion: Distortion?
  }

  /// The largest change of level within a measured part, in dB, of output channels as long as the
  /// samples: how far the output is from being steady.
  package func movement(of channels: [[Float]]) -> Double {
    channels.reduce(0) { worst, channel in
      steps.reduce(worst) { worst, step in
        guard step.frames.upperBound <= channel.count else { return worst }
        let part = Array(channel[step.frames])
        guard Levels(part).rms > -140 else { return worst }
        return max(
          worst, abs(Distortion.movement(of: part, frequency: step.hertz, sampleRate: sampleRate)))
      }
    }
  }

  /// The result of each step, from an output channel as long as the samples.
  package func results(of channel: [Float]) -> [Result] {
    steps.compactMap { step in
      guard step.frames.upperBound <= channel.count else { return nil }
      let part = Array(channel[step.frames])
      let level = Levels(part).rms + 3.0103
      let distortion =
        level > -140
        ? Distortion(part, frequency: step.hertz, sampleRate: sampleRate) : nil
      return Result(step: step, level: level, distortion: distortion)
    }
  }
}
