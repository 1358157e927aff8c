import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// A unit whose tail is compared with what it outputs after its input.
struct TailCase: CustomTestStringConvertible {
  var unit: String
  var parameters: [String: Double] = [:]
  var options: [String: OptionValue] = [:]

  var testDescription: String { "\(unit) \(parameters) \(options)" }

  static let defaults: [TailCase] = BuiltInUnits.all.flatMap { type -> [TailCase] in
    guard let scenario = Scenario(type.spec.id, channels: 1), !scenario.isModulator,
      !type.spec.inputs.isEmpty
    else { return [] }
    return [TailCase(unit: type.spec.id)]
  }

  static let extremes: [TailCase] = [
    TailCase(unit: "reverb", parameters: ["decay": 0.1]),
    TailCase(unit: "reverb", parameters: ["decay": 0.1], options: ["size": .number(2)]),
    TailCase(unit: "reverb", parameters: ["decay": 0.1, "diffusion": 0, "preDelay": 0.25]),
    TailCase(unit: "reverb", parameters: ["decay": 4], options: ["size": .number(0.2)]),
    TailCase(unit: "reverb", parameters: ["decay": 1, "lowDecay": 2.5]),
    TailCase(unit: "lowShelf", parameters: ["gain": 48]),
    TailCase(unit: "lowShelf", parameters: ["gain": -48]),
    TailCase(unit: "lowShelf", parameters: ["frequency": 20, "gain": 12]),
    TailCase(unit: "highShelf", parameters: ["frequency": 100, "gain": 24]),
    TailCase(unit: "peak", parameters: ["frequency": 10, "q": 40]),
    TailCase(unit: "peak", parameters: ["frequency": 50, "q": 10, "gain": 12]),
    TailCase(unit: "peak", parameters: ["frequency": 50, "q": 10, "gain": -24]),
    TailCase(unit: "lowPass", parameters: ["frequency": 10, "q": 20]),
    TailCase(unit: "lowPass", parameters: ["frequency": 20, "q": 0.5]),
    TailCase(unit: "highPass", parameters: ["frequency": 20, "q": 0.1]),
    TailCase(unit: "bandPass", parameters: ["frequency": 40, "q": 20]),
    TailCase(unit: "notch", parameters: ["frequency": 40, "q": 10]),
    TailCase(unit: "allPass", parameters: ["frequency": 40, "q": 10]),
    TailCase(unit: "autoWah", parameters: ["frequency": 50, "range": 0, "q": 20]),
    TailCase(unit: "autoWah", parameters: ["range": -4, "q": 20]),
    TailCase(
      unit: "autoWah", parameters: ["range": -4, "threshold": -60, "release": 0.2, "q": 8]),
    TailCase(unit: "echoCancel", options: ["tail": .number(0.9)]),
    TailCase(unit: "echoCancel", options: ["delay": .number(0.5)]),
    TailCase(unit: "delay", parameters: ["feedback": 0]),
    TailCase(unit: "delay", parameters: ["feedback": 0.7, "time": 0.05]),
    TailCase(unit: "flanger", parameters: ["feedback": 0.9]),
    TailCase(unit: "phaser", parameters: ["feedback": 0.9]),
    TailCase(unit: "phaser", parameters: ["feedback": -0.95]),
  ]
}

@Suite struct TailLengthTests {
  private static let sampleRate = 16000.0
  private static let length = 4000
  /// Noise with a constant part, for filters of very low frequencies.
  private static let noise = (1...4).map {
    Signal.noise(length, seed: UInt64($0)).map { $0 + 0.25 }
  }

  /// -90 and -120 dB below the peaks of the input.
  private static let (quiet, silent): (Float, Float) = (0.75 * 3.16e-5, 0.75e-6)

  @Test(arguments: TailCase.defaults + TailCase.extremes)
  func `a tail is over below -90 dB and not long after -120 dB`(_ tailCase: TailCase) throws {
    let scenario = try #require(Scenario(tailCase.unit, channels: 1))
    let renderer = try UnitRenderer(
      scenario.type, inputWidths: scenario.inputWidths, options: tailCase.options,
      items: scenario.items,
      parameters: scenario.withoutNoise.merging(tailCase.parameters) { $1 },
      sampleRate: Self.sampleRate)
    guard case .frames(let tail) = renderer.instance.tail else {
      Issue.record("a built-in unit knows its tail")
      return
    }
    let end = Self.length + renderer.instance.latency
    let silence = Signal.silence(renderer.instance.latency + tail + 8000)
    let input = (0..<scenario.inputCount).map { Self.noise[$0 % 4] + silence }
    var (loudest, last): (Float, Int) = (0, 0)
    for channel in renderer.render(input, blocks: [1024]) {
      loudest = channel[(end + tail)...].reduce(loudest) { max($0, abs($1)) }
      let sounding = channel.lastIndex { abs($0) > Self.silent } ?? 0
      last = max(last, sounding - end)
    }
    #expect(loudest < Self.quiet, "\(tailCase.testDescription): declares \(tail), rings \(last)")
    #expect(
      tail <= last + max(last / 2, Int(Self.sampleRate)),
      "\(tailCase.testDescription): declares \(tail), rings \(last)")
  }
}
