import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// A parameter that is sent from one end of its range to the other, with one other setting away
/// from its default.
struct ParameterStep: CustomTestStringConvertible {
  var unit: String
  var path: String
  /// Other parameters by path.
  var parameters: [String: Double] = [:]
  var options: [String: OptionValue] = [:]

  var testDescription: String { "\(unit) \(path) \(parameters) \(options)" }

  private static let sampleRate = 24000.0
  private static let period = 1200
  private static let frameCount = 10 * period
  private static let stepFrame = 5 * period
  /// Units start within this many frames.
  private static let settling = 3 * period
  private static let noises = (1...4).map { noise(seed: UInt64($0)) }

  /// Pink noise of -20 dBFS that repeats every 50 ms, so that the level of every 50 ms is the same.
  private static func noise(seed: UInt64) -> [Float] {
    var random = SeededRandom(seed)
    var wave = [Double](repeating: 0, count: period)
    for line in 1..<period / 2 {
      let start = random.next(in: 0...1)
      for frame in 0..<period {
        let turns = (Double(line * frame % period) / Double(period) + start)
          .truncatingRemainder(dividingBy: 1)
        wave[frame] += Math.sin(2 * .pi * turns) / Math.squareRoot(Double(line))
      }
    }
    let power = wave.reduce(0) { $0 + $1 * $1 } / Double(period)
    return (0..<frameCount).map { Float(0.1 * wave[$0 % period] / Math.squareRoot(power)) }
  }

  /// The levels of all periods after the start, in decibels.
  private func levels(_ scenario: Scenario, _ motion: UnitRenderer.Motion) throws -> [Double] {
    var values = scenario.withoutNoise.merging(parameters) { $1 }
    values[path] = nil
    let renderer = try UnitRenderer(
      scenario.type, inputWidths: scenario.inputWidths, options: options, items: scenario.items,
      parameters: values, motions: [path: motion], sampleRate: Self.sampleRate)
    let input = (0..<scenario.inputCount).map { Self.noises[$0 % 4] }
    let output = renderer.render(input, blocks: [Self.period])
    return stride(from: Self.settling, to: Self.frameCount, by: Self.period).map { start in
      let power = output.reduce(0.0) { sum, channel in
        let rms = Measured.rms(channel[start..<start + Self.period])
        return sum + rms * rms
      }
      return Math.decibels(amplitude: Math.squareRoot(power))
    }
  }

  /// Decibels by which the loudest 50 ms after a step exceed the loudest ones with either value.
  func surge() throws -> Double {
    let scenario = try #require(Scenario(unit, channels: 2))
    let slot = try #require(
      scenario.type.spec.parameterSlots(items: scenario.items).first { $0.path == path })
    let low = max(slot.spec.range.lowerBound, -60)
    let high = min(slot.spec.range.upperBound, 11000)
    let steady =
      try (levels(scenario, .constant(low)) + levels(scenario, .constant(high))).max() ?? 0
    let after = (Self.stepFrame - Self.settling) / Self.period
    return try [(low, high), (high, low)].reduce(-.infinity) { worst, ends in
      let motion = UnitRenderer.Motion.step(
        slot.spec, from: ends.0, to: ends.1, at: Self.stepFrame, sampleRate: Self.sampleRate)
      return max(worst, try levels(scenario, motion)[after...].max() ?? 0)
    } - max(steady, -100)
  }

  /// Every parameter of every unit that processes sound, with the defaults of the others.
  static let all: [ParameterStep] = BuiltInUnits.all.flatMap { type -> [ParameterStep] in
    guard let scenario = Scenario(type.spec.id, channels: 2), !scenario.isModulator,
      !type.spec.inputs.isEmpty, type.spec.category != "measurement"
    else { return [] }
    return type.spec.parameterSlots(items: scenario.items).filter {
      !$0.spec.isToggle && !$0.path.hasPrefix("bands.3") && !$0.path.hasPrefix("bands.second")
    }.map { ParameterStep(unit: type.spec.id, path: $0.path) }
  }

  /// Settings with which a step has surged, or would if a compensation followed it.
  static let extremes: [ParameterStep] = [
    ParameterStep(unit: "reverb", path: "decay", options: ["size": .number(2)]),
    ParameterStep(unit: "reverb", path: "decay", options: ["size": .number(0.2)]),
    ParameterStep(unit: "reverb", path: "decay", parameters: ["highDecay": 0.1]),
    ParameterStep(unit: "reverb", path: "decay", parameters: ["lowDecay": 2.5]),
    ParameterStep(unit: "reverb", path: "highDecay", parameters: ["decay": 0.1]),
    ParameterStep(unit: "reverb", path: "lowDecay", parameters: ["decay": 0.1]),
    ParameterStep(unit: "reverb", path: "damping", parameters: ["decay": 0.1]),
    ParameterStep(unit: "reverb", path: "damping", parameters: ["highDecay": 0.1]),
    ParameterStep(unit: "reverb", path: "lowDecay", parameters: ["crossover": 1000]),
    ParameterStep(unit: "delay", path: "feedback", parameters: ["time": 0.02]),
    ParameterStep(unit: "delay", path: "highCut", parameters: ["feedback": 0.9]),
    ParameterStep(unit: "flanger", path: "feedback", parameters: ["depth": 0]),
    ParameterStep(unit: "amp", path: "power", parameters: ["sag": 1]),
  ]
}

@Suite struct SurgeTests {
  /// Decibels that a step may have more than both of its values.
  private static let allowed: [String: Double] = [
    // On its way it passes the frequencies that are louder than both ends.
    "bandPass frequency": 4,
    // Peaks are limited at once, the loudness within the release.
    "limiter gain": 3.5,
    // A slow movement starts where the fast one is: at its loudest, for example.
    "tremolo rate": 3,
    // A delay that changes bends the pitch, and moves the bass of the noise to where it is louder.
    "vibrato time": 3, "chorus time": 3,
    // The level of the band follows with its attack.
    "dynamicEqualizer bands.1.range": 1.6,
  ]

  @Test(arguments: ParameterStep.all + ParameterStep.extremes)
  func `no step of a parameter is louder than both of its values`(_ step: ParameterStep) throws {
    let surge = try step.surge()
    let allowed = Self.allowed["\(step.unit) \(step.path)"] ?? 1.5
    #expect(surge < allowed, "\(step.testDescription): \(surge) dB")
  }
}
