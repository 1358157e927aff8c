import FxAnalysis
import FxGoldens
import FxKit
import FxSignals

/// What a chain does to a signal: measured from what went in and what came out.
extension Rendering {
  /// What became of a tone. Ratios are to the fundamental.
  public struct Distortion: Sendable, Equatable {
    /// The fundamental's amplitude, in dB of full scale.
    public let fundamental: Double
    /// By harmonic from the second, in dB against the fundamental.
    public let harmonics: [Double]
    /// Total harmonic distortion as a ratio: 0.01 is 1 %.
    public let thd: Double
    /// The same of all that is neither the fundamental nor DC, noise too.
    public let thdPlusNoise: Double
  }

  /// How much louder or quieter a chain makes each frequency.
  public struct Response: Sendable {
    let response: FrequencyResponse

    /// dB at a frequency in hertz; not a number where the input has nothing there.
    public func decibels(at frequency: Double) -> Double {
      response.decibels(at: frequency) ?? .nan
    }
  }

  /// How much later the output is than its input, as it was found by holding one against the other.
  public struct Delay: Sendable, Equatable {
    /// Negative where it is earlier.
    public let frames: Int
    /// From 0, a guess, to 1. A steady tone, which fits at every period, has next to none.
    public let certainty: Double
    /// True where the output is like the input with its polarity inverted.
    public let isInverted: Bool
  }

  /// How long a room rings: the times in which the level falls by 60 dB, in seconds, from the part of
  /// the decay that each has its name of (ISO 3382-1). Not a number where the decay does not go so far
  /// down.
  public struct Reverberation: Sendable, Equatable {
    /// From the fall between 0 and -10 dB.
    public let earlyDecay: Double
    /// From the fall between -5 and -25 dB.
    public let t20: Double
    /// From the fall between -5 and -35 dB.
    public let t30: Double
    /// The best that is known: T30, else T20.
    public var rt60: Double { t30.isNaN ? t20 : t30 }
  }

  /// Frames that the chain is late by its own account. They are taken off the front of a rendering,
  /// and are what a performance has more.
  public var latency: Int { rendered.summary.latencyFrames }

  /// How much later than its input the output is: 0, unless a unit says a wrong latency or is a delay
  /// without a direct sound. For ``Signal/noise``, ``Signal/impulse``, ``Signal/programme``.
  ///
  /// - Throws: ``MeasurementFailure`` where input or output are silent.
  public func delay() throws(MeasurementFailure) -> Delay {
    guard let found = Latency(input: try input(), output: sound) else {
      throw MeasurementFailure("no delay is to be found: its input or its output is silent")
    }
    return Delay(
      frames: found.frames, certainty: found.certainty, isInverted: found.isInverted)
  }

  /// How much louder each frequency is than in the input, by dividing their spectra. For
  /// ``Signal/impulse`` and ``Signal/sweep(from:to:level:)``, through a chain that does the same to loud
  /// and quiet; noise says it roughly.
  ///
  /// - Parameter channel: from 0, of the output; of the input the same one, or its last.
  /// - Throws: ``MeasurementFailure`` where the input is silent.
  public func response(ofChannel channel: Int = 0) throws(MeasurementFailure) -> Response {
    let (input, output) = (try input(), try samples(ofChannel: channel))
    guard
      let before = input.channels.indices.contains(channel)
        ? input.channels[channel] : input.channels.last,
      let response = FrequencyResponse(input: before, output: output, sampleRate: sampleRate)
    else { throw MeasurementFailure("a silent input has no response, nor has one of hours") }
    return Response(response: response)
  }

  /// What harmonics and noise have come to a tone.
  ///
  /// - Parameters:
  ///   - frequency: of the tone, in hertz; nil for that of ``Signal/tone(_:level:)``.
  ///   - seconds: to leave out at the start, until all has settled; nil for a quarter of the input.
  ///   - channel: from 0.
  /// - Throws: ``MeasurementFailure`` where there are less than ten periods of a tone.
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
    // Without the end, which filters feel before it is there.
    let end = min(length - length / 20, output.count)
    guard start >= 0, start < Double(end),
      let found = FxAnalysis.Distortion(
        Array(output[Int(start)..<end]), frequency: frequency, sampleRate: sampleRate)
    else {
      throw MeasurementFailure(
        "there are no ten periods of a tone of \(frequency) Hz: give more seconds")
    }
    return Distortion(
      fundamental: found.fundamental, harmonics: found.harmonics, thd: found.thd,
      thdPlusNoise: found.thdPlusNoise)
  }

  /// How long a reverb rings. For ``Signal/impulse``.
  ///
  /// - Parameter channel: from 0.
  /// - Throws: ``MeasurementFailure`` where another signal went in.
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

  /// What went in, at the rate of what came out.
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
  /// What goes into the only input, or into `main` of several; nil where neither is given.
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
