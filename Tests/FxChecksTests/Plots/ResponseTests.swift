import Foundation
import FxAudio
@testable import FxChecks
import FxKit
import Testing

/// Measured figures against closed forms.
@Suite struct ResponseTests {
  /// Low, so that tests are short.
  private static let rate = 16000.0

  private func response(
    _ unit: String, _ values: [(name: String, value: String)] = [], level: Double = -12,
    change: (inout ChainProbe) -> Void = { _ in }
  ) throws -> Response {
    var probe = ChainProbe(try PlotSubject(unit, values: values).chain)
    probe.sampleRate = Self.rate
    change(&probe)
    return try Response(probe, level: level)
  }

  private func probe(_ chain: Chain) -> ChainProbe {
    var probe = ChainProbe(chain)
    probe.sampleRate = Self.rate
    return probe
  }

  private func drawn(_ response: Response) -> Set<PlotPanel> {
    Set(response.charts(nil).drawn.map(\.panel))
  }

  @Test func `a low-pass has the magnitude and phase of its formula`() throws {
    let response = try response("lowPass", [("frequency", "1kHz")])
    #expect(!response.isLevelDependent && !response.isTimeVariant && !response.isNoisy)
    #expect(response.channels.count == 1)
    // The bilinear transform of 1 / (s² + √2 s + 1), its frequency axis bent.
    for point in response.channels[0].points where point.hertz < 7500 {
      let w = tan(.pi * point.hertz / Self.rate) / tan(.pi * 1000 / Self.rate)
      let level = -10 * log10(pow(1 - w * w, 2) + 2 * w * w)
      #expect(abs(point.decibels - level) < 0.02, "\(point.hertz) Hz")
      let phase = -atan2(2.0.squareRoot() * w, 1 - w * w)
      #expect(abs(sin(point.phase - phase)) < 2e-3, "\(point.hertz) Hz")
    }
    #expect(drawn(response) == [.magnitude, .phase, .groupDelay, .impulse])
  }

  @Test func `a delay has its time as group delay`() throws {
    let response = try response(
      "delay", [("time", "10ms"), ("feedback", "0"), ("wet", "1")])
    for point in response.channels[0].points where point.hertz < 3000 {
      #expect(abs(point.groupDelay - 0.01) < 2e-6)
      #expect(abs(point.decibels) < 0.1)
    }
  }

  @Test func `the latency is taken out`() throws {
    let response = try response("compressor", [("lookahead", "5ms"), ("threshold", "0")])
    #expect(response.latency == 80)
    #expect(response.channels[0].points.allSatisfy { abs($0.groupDelay) < 1e-6 })
  }

  @Test func `a compressor has the static curve of its threshold and ratio`() throws {
    let response = try response(
      "compressor",
      [
        ("threshold", "-20 dB"), ("ratio", "4:1"), ("knee", "0 dB"), ("attack", "0.1 ms"),
        ("release", "1 s"),
      ])
    #expect(response.isLevelDependent)
    for result in response.channels[0].levels {
      let level = result.step.decibels
      let expected = level < -20 ? level : -20 + (level + 20) / 4
      #expect(abs(result.level - expected) < 0.3, "\(level) dB: \(result.level)")
    }
    #expect(drawn(response).contains(.staticCurve))
  }

  /// Gates and expanders that are opened or closed by one step of the tone, slowly or ahead of it.
  static let switching: [(unit: String, values: [(name: String, value: String)])] = [
    ("gate", []), ("gate", [("preset", "kick")]), ("gate", [("lookahead", "10 ms")]),
    ("gate", [("attack", "500 ms"), ("threshold", "-11 dB")]),
    ("gate", [("keyLowPass", "300 Hz"), ("release", "400 ms"), ("hold", "300 ms")]),
    ("gate", [("keyLowPass", "300 Hz"), ("release", "5 s")]),
    ("expander", [("lookahead", "20 ms"), ("ratio", "20")]),
    ("expander", [("keyLowPass", "300 Hz"), ("release", "5 s"), ("threshold", "-20 dB")]),
  ]

  @Test(arguments: switching.indices)
  func `gates and other dynamics have no false harmonic`(index: Int) throws {
    let (unit, values) = Self.switching[index]
    let response = try response(unit, values)
    for result in response.channels[0].levels + response.channels[0].tones {
      let harmonics = result.distortion?.clearHarmonics ?? []
      #expect((harmonics.max() ?? -200) < -90, "\(result.step)")
    }
    #expect(drawn(response).isDisjoint(with: [.harmonics, .distortion]))
  }

  @Test func `the harmonics of a gate that follows each half wave stay`() throws {
    let response = try response(
      "gate",
      [("hysteresis", "0"), ("threshold", "-20 dB"), ("hold", "0"), ("release", "5 ms")])
    #expect(drawn(response).contains(.harmonics))
    let harmonics = response.channels[0].levels.compactMap(\.distortion).map(\.clearHarmonics)
    #expect(harmonics.contains { $0[1] > -40 })
  }

  @Test func `noise is not a harmonic`() throws {
    let chain = Chain(
      json: """
        { "version": 1, "nodes": {
          "in": { "source": "main" }, "hiss": { "source": { "signal": "noise", "level": "-62 dB" } },
          "mix": { "unit": "mixer" }, "out": { "sink": "main" } },
          "connections": ["in -> mix -> out", "hiss -> mix"] }
        """)
    let response = try Response(probe(chain))
    let all = response.channels[0].levels.compactMap(\.distortion)
    // As measured, hardly anything is below -60 dB of the tone at its lowest levels.
    #expect((all.first?.harmonics.max() ?? -200) > -60)
    let clear = all.flatMap(\.clearHarmonics).filter(\.isFinite)
    #expect(clear.count < all.flatMap(\.harmonics).count / 10)
  }

  @Test func `a level that never becomes steady is said to move`() throws {
    let slow = try response("gate", [("keyLowPass", "300 Hz"), ("release", "5 s")])
    #expect(slow.charts(nil).sentences.contains { $0.hasPrefix("The level of a tone still moves") })
    #expect(!(try response("gate")).charts(nil).sentences.contains { $0.contains("still moves") })
  }

  @Test func `a plain gain has its level in two panels, and the rest is named`() throws {
    let response = try response("gain", [("gain", "6 dB")])
    for result in response.channels[0].levels {
      #expect(abs(result.level - result.step.decibels - 6) < 0.01)
      if let distortion = result.distortion { #expect(distortion.thd < 1e-5) }
    }
    let (panels, sentences) = response.charts(nil)
    #expect(panels.map(\.panel) == [.magnitude, .staticCurve])
    #expect(sentences.contains("No impulse response: it is a single sample."))
  }

  @Test func `a reverb is smoothed and its phase is not drawn`() throws {
    let response = try response("reverb", [("wet", "1")])
    #expect(response.isSmoothed)
    #expect(!drawn(response).contains(.phase))
    #expect(response.charts(nil).sentences.contains { $0.hasPrefix("No phase: ") })
  }

  @Test func `what changes with time is said and not drawn`() throws {
    let chain = Chain(
      json: """
        { "version": 1,
          "chain": [
            { "id": "slow", "unit": "lfo", "parameters": { "rate": "3 Hz" } },
            { "id": "level", "unit": "gain", "parameters": { "gain": "-12 dB" } } ],
          "modulation": [ { "from": "slow", "to": "level.gain", "depth": "12 dB" } ] }
        """)
    let response = try Response(probe(chain))
    #expect(response.isTimeVariant && response.isModulated)
    let (panels, sentences) = response.charts(nil)
    #expect(panels.map(\.panel) == [.sweep])
    #expect(sentences.first?.hasPrefix("It changes with time: ") == true)
    #expect(sentences.contains("No magnitude: it changes all the time."))
    // Nor where it is asked for.
    #expect(response.charts([.magnitude]).drawn.isEmpty)
  }

  @Test func `a chain with a sound of its own is said to have one`() throws {
    let chain = Chain(
      json: """
        { "version": 1, "nodes": {
          "in": { "source": "main" }, "hiss": { "source": { "signal": "noise", "level": "-40 dB" } },
          "mix": { "unit": "mixer" }, "out": { "sink": "main" } },
          "connections": ["in -> mix -> out", "hiss -> mix"] }
        """)
    let response = try Response(probe(chain))
    #expect(abs(response.ownSound + 40) < 0.1)
    let (panels, sentences) = response.charts(nil)
    #expect(panels.map(\.panel) == [.sweep])
    #expect(sentences.first == "It makes a sound of its own, with peaks of -40 dB.")
    #expect(!sentences.contains { $0.hasPrefix("It changes with time") })
  }

  @Test func `of several outputs one is drawn and the others are named`() throws {
    let chain = Chain(
      json: """
        { "version": 1, "nodes": {
          "in": { "source": "main" }, "low": { "unit": "lowPass" }, "high": { "unit": "highPass" },
          "bass": { "sink": "bass" }, "treble": { "sink": "treble" } },
          "connections": ["in -> low -> bass", "in -> high -> treble"] }
        """)
    var probe = probe(chain)
    let first = try Response(probe)
    #expect(first.output == "bass")
    #expect(
      first.charts(nil).sentences.first
        == "This is the output 'bass'; --output draws 'treble'.")
    probe.output = "treble"
    #expect(try Response(probe).output == "treble")
  }

  @Test func `channels that differ are apart, and those that do not count as one`() throws {
    let response = try response("pan", [("pan", "-0.5")])
    #expect(response.channels.map(\.name) == ["left", "right"])
    #expect(try self.response("lowPass").channels.map(\.name) == [""])
    let one = try self.response("lowPass") { $0.feed = .channel(1) }
    #expect(one.channels.map(\.name) == ["left", "right"])
    #expect(one.channels[0].points.allSatisfy { $0.decibels == -.infinity })
  }

  @Test func `a chain keeps its own rate`() throws {
    let chain = Chain(
      json: """
        { "version": 1, "sampleRate": 22050,
          "chain": [ { "unit": "lowPass", "parameters": { "frequency": "1 kHz" } } ] }
        """)
    let response = try Response(probe(chain))
    #expect(response.sampleRate == 22050)
    // No resampler is in the way.
    let point = try #require(response.channels[0].points.first { abs($0.hertz - 1000) < 1e-6 })
    #expect(abs(point.decibels + 3.01) < 0.01)
  }

  @Test func `a unit that measures the whole sound is plotted as well`() throws {
    #expect(try response("normalize").channels.count == 1)
  }

  // MARK: What cannot be plotted

  private func failure(_ body: () throws -> Void) throws -> ChainFailure {
    do {
      try body()
    } catch let failure as ChainFailure {
      return failure
    }
    throw ChainFailure(.internalError, code: .empty, "nothing was thrown")
  }

  @Test func `an unknown unit is an error with a suggestion`() throws {
    let failure = try failure { _ = try PlotSubject("lowPas", values: []) }
    #expect(failure.kind == .request && failure.code == "unknown-unit")
    #expect(failure.hints == ["did you mean 'lowPass'?"])
  }

  @Test func `a wrong parameter is an error at its place`() throws {
    let failure = try failure { _ = try response("lowPass", [("frequncy", "1kHz")]) }
    #expect(failure.kind == .chain)
    #expect(failure.message.contains("did you mean 'frequency'?"), "\(failure.message)")
  }

  @Test func `a modulator has no sound to plot`() throws {
    let failure = try failure { _ = try PlotSubject("lfo", values: []) }
    #expect(failure.kind == .request && failure.code == "no-sound")
  }

  @Test func `a unit of several outputs needs a chain`() throws {
    let failure = try failure { _ = try PlotSubject("crossover", values: []) }
    #expect(failure.kind == .request && failure.code == "several-outputs")
  }

  @Test func `a chain that lets nothing through has nothing to plot`() throws {
    let failure = try failure { _ = try response("gain", [("gain", "-inf")]) }
    #expect(failure.kind == .chain && failure.code == "no-path")
    #expect(failure.message.contains("'main'"))
  }

  @Test func `an unknown input is an error that names those of the chain`() throws {
    let failure = try failure { _ = try response("gain") { $0.input = "voice" } }
    #expect(failure.code == "unknown-input" && failure.message.contains("'main'"))
  }

  @Test func `a chain without an input is refused`() throws {
    let chain = Chain(
      json: """
        { "version": 1, "nodes": {
          "tone": { "source": { "signal": "sine", "duration": "1 s" } }, "out": { "sink": "main" } },
          "connections": ["tone -> out"] }
        """)
    let failure = try failure { _ = try Response(ChainProbe(chain)) }
    #expect(failure.code == "no-input", "\(failure.message)")
  }
}
