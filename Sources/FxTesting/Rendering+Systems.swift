import FxChecks
import FxKit
import FxUnits

/// Measurements of a chain's effect on a signal, from its input and output.
extension Rendering {
  /// The distortion of a tone. Ratios are relative to the fundamental.
  public struct Distortion: Sendable, Equatable {
    /// The fundamental's amplitude, in dB of full scale.
    public let fundamental: Double
    /// The level of each harmonic from the second on, in dB relative to the fundamental.
    public let harmonics: [Double]
    /// Total harmonic distortion as a ratio: 0.01 is 1 %.
    public let thd: Double
    /// The same for everything except the fundamental and DC, noise included.
    public let thdPlusNoise: Double
  }

  /// The gain of a chain at each frequency.
  public struct Response: Sendable {
    let response: FrequencyResponse

    /// The gain in dB at a frequency in Hz; NaN if the input has no energy there.
    public func decibels(at frequency: Double) -> Double {
      response.decibels(at: frequency) ?? .nan
    }
  }

  /// The delay of the output against the input, found by correlation.
  public struct Delay: Sendable, Equatable {
    /// Frames; negative if the output is earlier.
    public let frames: Int
    /// From 0 (a guess) to 1. A steady tone, which matches at every period, has almost none.
    public let certainty: Double
    /// True if the output is like the input with inverted polarity.
    public let isInverted: Bool
  }

  /// The reverberation times of a room: seconds for a fall of 60 dB, estimated from a part of the
  /// decay (ISO 3382-1). NaN if the decay does not reach that level.
  public struct Reverberation: Sendable, Equatable {
    /// From the decay between 0 and -10 dB.
    public let earlyDecay: Double
    /// From the decay between -5 and -25 dB.
    public let t20: Double
    /// From the decay between -5 and -35 dB.
    public let t30: Double
    /// The best estimate: T30, or T20 if that is missing.
    public var rt60: Double { t30.isNaN ? t20 : t30 }
  }

  /// The latency in frames that the chain reports. It is removed from the start of a rendering;
  /// live playback has it in addition.
  public var latency: Int { rendered.summary.latencyFrames }

  /// The delay of the output against its input. It is 0 unless a unit reports a wrong latency or is
  /// a delay without a direct sound. For ``Signal/noise``, ``Signal/impulse`` and
  /// ``Signal/programme``.
  ///
  /// - Throws: ``MeasurementFailure`` if input or output are silent.
  public func delay() throws(MeasurementFailure) -> Delay {
    guard let found = Latency(input: try input(), output: sound) else {
      throw MeasurementFailure("no delay is to be found: its input or its output is silent")
    }
    return Delay(
      frames: found.frames, certainty: found.certainty, isInverted: found.isInverted)
  }

  /// The gain at each frequency, computed by dividing the spectra of output and input. For
  /// ``Signal/impulse`` and ``Signal/sweep(from:to:level:)``, and for chains that do not depend on
  /// the level. Noise gives a rough result.
  ///
  /// - Parameter channel: the output's channel, from 0; it is compared with the same input channel,
  ///   or the last one.
  /// - Throws: ``MeasurementFailure`` if the input is silent.
  public func response(ofChannel channel: Int = 0) throws(MeasurementFailure) -> Response {
    let (input, output) = (try input(), try samples(ofChannel: channel))
    guard
      let before = input.channels.indices.contains(channel)
        ? input.channels[channel] : input.channels.last,
      let response = FrequencyResponse(input: before, output: output, sampleRate: sampleRate)
    else { throw MeasurementFailure("a silent input has no response, nor has one of hours") }
    return Response(response: response)
  }

  /// The harmonics and the noise that the chain adds to a tone.
  ///
  /// - Parameters:
  ///   - frequency: the frequency of the tone in Hz; nil for that of ``Signal/tone(_:level:)``.
  ///   - seconds: the time to skip at the start, until the output is steady; nil for a quarter of
  ///     the input.
  ///   - channel: from 0.
  /// - Throws: ``MeasurementFailure`` if there are fewer than ten periods of a tone.
  public func distortion(
    of frequency: Double? = nil, after seconds: Double? = nil, ofChannel channel: Int = 0
  ) throws(MeasurementFailure) -> Distortion {
    guard let frequency = frequency ?? toneFrequency else {
      throw MeasurementFailure(
        "distortion is that of a .tone; give the frequency of another signal")
    }
    let length = try input().frameCount
    let output = try samples(ofChannel: channel)
    let start = seconds.map { $0 * sampleRate } ?? Double(length) / 4
    // Leave out the end, which affects linear-phase filters before it arrives.
    let end = min(length - length / 20, output.count)
    guard start >= 0, start < Double(end),
      let found = FxChecks.Distortion(
        Array(output[Int(start)..<end]), frequency: frequency, sampleRate: sampleRate)
    else {
      throw MeasurementFailure(
        "there are no ten periods of a tone of \(frequency) Hz: give more seconds")
    }
    return Distortion(
      fundamental: found.fundamental, harmonics: found.harmonics, thd: found.thd,
      thdPlusNoise: found.thdPlusNoise)
  }

  /// The reverberation times of a reverb. For ``Signal/impulse``.
  ///
  /// - Parameter channel: from 0.
  /// - Throws: ``MeasurementFailure`` if the input was another signal.
  public func reverberation(ofChannel channel: Int = 0) throws(MeasurementFailure) -> Reverberation
  {
    guard let signal = testCase.mainSignal, signal.kind == .impulse else {
      throw MeasurementFailure("reverberation is measured of what an .impulse leaves")
    }
    let found = ReverberationTime(try samples(ofChannel: channel), sampleRate: sampleRate)
    return Reverberation(
      earlyDecay: found.earlyDecay ?? .nan, t20: found.t20 ?? .nan, t30: found.t30 ?? .nan)
  }

  // MARK: - Inputs

  private var toneFrequency: Double? {
    guard let signal = testCase.mainSignal, signal.kind == .tone else { return nil }
    return signal.frequency
  }

  /// The input at the sample rate of the output.
  private func input() throws(MeasurementFailure) -> Sound {
    let input: Sound
    switch testCase.mainInput {
    case .signal(let signal)?:
      let seconds = testCase.duration ?? TestCase.signalDuration
      let frames = (seconds * testCase.sampleRate).rounded()
      input = signal.sound(
        sampleRate: testCase.sampleRate, channels: testCase.channels,
        frameCount: frames < 1e12 ? Int(frames) : 0)
    case .file(let path)?:
      do throws(ChainFailure) {
        input = try Sound(contentsOfFile: path).prefix(seconds: testCase.duration)
      } catch {
        throw MeasurementFailure(error.message)
      }
    case nil:
      throw MeasurementFailure("the chain has several inputs or none: which one is meant?")
    }
    guard input.sampleRate == sampleRate else {
      throw MeasurementFailure(
        "the input has \(Figures.plain(input.sampleRate)) Hz and the output "
          + "\(Figures.plain(sampleRate)) Hz: render with sampleRate: \(Figures.plain(sampleRate))")
    }
    return input
  }
}

extension TestCase {
  /// The only input, or `main` of several; nil if there is neither.
  fileprivate var mainInput: Input? {
    inputs["main"] ?? (inputs.count == 1 ? inputs.first?.value : nil)
  }

  fileprivate var mainSignal: TestSignal? {
    if case .signal(let signal)? = mainInput { signal } else { nil }
  }
}

extension Sound {
  fileprivate func prefix(seconds: Double?) -> Sound {
    guard let seconds, seconds * sampleRate < Double(frameCount) else { return self }
    let count = Int(max(seconds * sampleRate, 0).rounded())
    return Sound(channels: channels.map { Array($0.prefix(count)) }, sampleRate: sampleRate)
  }
}
