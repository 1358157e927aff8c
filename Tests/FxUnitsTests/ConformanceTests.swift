import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

private let everyUnit = BuiltInUnits.all.map(\.spec.id)
/// Units that forget a sample once their filters have rung out.
private let filters = Set(
  PassFilter.specs.map(\.id) + GainFilter.specs.map(\.id) + [DCBlock.spec.id, Equalizer.spec.id])

/// Properties of every built-in unit.
@Suite struct `Every built-in unit` {
  private func scenario(_ id: String, channels: Int = 2, connectsOptional: Bool = false) throws
    -> Scenario
  {
    try #require(Scenario(id, channels: channels, connectsOptional: connectsOptional))
  }

  private func bits(_ channels: [[Float]]) -> [[UInt32]] {
    channels.map { $0.map(\.bitPattern) }
  }

  @Test(arguments: everyUnit) func `has a complete description`(_ id: String) throws {
    let type = try scenario(id).type
    let spec = type.spec
    #expect(everyUnit.filter { $0 == id }.count == 1)
    #expect(!spec.name.isEmpty && !spec.category.isEmpty)
    #expect(spec.summary.hasSuffix("."))
    let preparation = Preparation(
      sampleRate: 48000, maximumFrameCount: 64, inputWidths: [2], outputWidths: [2])
    #expect((type.analyzer(preparation) != nil) == (spec.measures != nil))
    #expect(type.parameterFields() == spec.parameters.map(\.id))
    #expect(type.itemFields() == (spec.list?.parameters.map(\.id) ?? []))
    let listParameters = spec.list?.parameters ?? []
    let listOptions = spec.list?.options ?? []
    for ids in [
      spec.parameters.map(\.id) + spec.options.map(\.key), spec.readings.map(\.id),
      listParameters.map(\.id) + listOptions.map(\.key), [spec.id],
    ] {
      #expect(Set(ids).count == ids.count)
      for id in ids {
        let isPlain = id.allSatisfy { $0.isLetter || $0.isNumber }
        #expect(isPlain && id.first?.isLowercase == true, "\(id)")
      }
    }
    for parameter in spec.parameters + listParameters {
      #expect(parameter.range.contains(parameter.defaultValue), "\(parameter.id)")
      #expect(parameter.summary.hasSuffix("."), "\(parameter.id)")
    }
    for option in spec.options + listOptions {
      #expect(option.summary.hasSuffix("."), "\(option.key)")
      if case .choice(let labels) = option.kind, case .text(let label)? = option.defaultValue {
        #expect(labels.contains(label), "\(option.key)")
      }
    }
  }

  @Test(arguments: everyUnit) func `has presets that fit it`(_ id: String) throws {
    let spec = try scenario(id).type.spec
    #expect(Set(spec.presets.map { $0.name.lowercased() }).count == spec.presets.count)
    for preset in spec.presets {
      #expect(preset.summary.hasSuffix(".") && !preset.name.isEmpty)
      for (id, value) in preset.parameters {
        let parameter = try #require(spec.parameters.first { $0.id == id }, "\(preset.name): \(id)")
        #expect(parameter.range.contains(value), "\(preset.name): \(id)")
      }
      for (key, value) in preset.options {
        let option = try #require(spec.options.first { $0.key == key }, "\(preset.name): \(key)")
        switch (option.kind, value) {
        case (.number(_, let range), .number(let number)): #expect(range.contains(number))
        case (.integer(let range), .number(let number)): #expect(range.contains(Int(number)))
        case (.numbers(let range), .text):
          #expect(value.wholeNumbers.allSatisfy(range.contains) && !value.wholeNumbers.isEmpty)
        case (.choice(let labels), .text(let label)): #expect(labels.contains(label))
        case (.text, .text): break
        case (.flag, .flag): break
        default: Issue.record("\(preset.name): \(key) has another kind of value")
        }
      }
    }
  }

  @Test(arguments: everyUnit) func `turns silence into silence`(_ id: String) throws {
    let scenario = try scenario(id)
    if scenario.isModulator { return }
    let output = try scenario.renderer(parameters: scenario.withoutNoise).render(
      (0..<scenario.inputCount).map { _ in Signal.silence(600) })
    for channel in output { #expect(Measured.peakLevel(channel) < -90) }
  }

  @Test(arguments: everyUnit, [false, true])
  func `gives the same bits for every split into blocks`(_ id: String, _ moves: Bool) throws {
    for connectsOptional in [false, true] {
      let scenario = try scenario(id, connectsOptional: connectsOptional)
      if connectsOptional && !scenario.type.spec.inputs.contains(where: \.isOptional) { continue }
      let input = scenario.noise(1100)
      func render(_ blocks: [Int], inPlace: Bool = false) throws -> [[UInt32]] {
        let renderer = try scenario.renderer(
          motions: moves ? scenario.everythingMoving : [:], startFrame: -37)
        return bits(renderer.render(input, blocks: blocks, inPlace: inPlace))
      }
      let reference = try render([1024])
      for block in [1, 7, 64, 256] {
        #expect(try render([block]) == reference, "blocks of \(block), \(scenario)")
      }
      for seed: UInt64 in 1...2 {
        var random = SeededRandom(seed)
        let blocks = (0..<200).map { _ in Int.random(in: 1...150, using: &random) }
        #expect(try render(blocks) == reference, "random blocks \(seed), \(scenario)")
      }
      if scenario.type.spec.rendersInPlace {
        #expect(try render([64], inPlace: true) == reference, "in place, \(scenario)")
      }
    }
  }

  @Test(arguments: everyUnit) func `starts again after a reset`(_ id: String) throws {
    let scenario = try scenario(id)
    let input = scenario.noise(700)
    let renderer = try scenario.renderer(motions: scenario.everythingMoving)
    let first = bits(renderer.render(input))
    let second = bits(renderer.render(input))
    renderer.reset()
    #expect(bits(renderer.render(input)) == first)
    // A unit that responds later than this is still silent.
    let hasSounded = second.contains { $0.contains { $0 != 0 } }
    if case .frames(let tail) = renderer.instance.tail, tail > 0, hasSounded {
      #expect(second != first)
    }
  }

  @Test(arguments: everyUnit) func `stays finite at the ends of every range`(_ id: String) throws {
    let scenario = try scenario(id)
    let input = scenario.noise(400)
    for slot in scenario.type.spec.parameterSlots(items: scenario.items) {
      for value in [slot.spec.range.lowerBound, slot.spec.range.upperBound] {
        let renderer = try scenario.renderer(parameters: [slot.path: value])
        for channel in renderer.render(input) {
          let isFinite = channel.allSatisfy(\.isFinite)
          #expect(isFinite, "\(slot.path) at \(value)")
        }
      }
    }
  }

  @Test(arguments: everyUnit, [1, 2, 6]) func `renders any width`(_ id: String, _ channels: Int)
    throws
  {
    let scenario = try scenario(id, channels: channels)
    let output = try scenario.renderer().render(scenario.noise(400))
    #expect(!output.isEmpty)
    for channel in output {
      let isFinite = channel.allSatisfy(\.isFinite)
      #expect(isFinite && channel.count == 400)
    }
  }

  /// The output is finite again, and filters return to the output without the sample.
  @Test(arguments: everyUnit, [Float.nan, .infinity, -.infinity, 3e38])
  func `recovers from a sample that is NaN, infinite or huge`(_ id: String, _ bad: Float) throws {
    let scenario = try scenario(id, connectsOptional: true)
    let renderer = try scenario.renderer()
    let input = scenario.noise(1500 + renderer.instance.latency)
    var broken = input
    for channel in broken.indices { broken[channel][200] = bad }
    // A look-ahead outputs the sample later; a unit without memory outputs it once.
    let from = 201 + renderer.instance.latency
    let output = renderer.render(broken, blocks: [64])
    for channel in output {
      let isFinite = channel[from...].allSatisfy(\.isFinite)
      #expect(isFinite, "\(scenario)")
    }
    guard filters.contains(id) else { return }
    let undisturbed = try scenario.renderer().render(
      input.map { channel in channel.enumerated().map { $0.offset == 200 ? 0 : $0.element } })
    for (channel, expected) in zip(output, undisturbed) {
      #expect(Measured.difference(Array(channel[201...]), Array(expected[201...])) < -120)
    }
    for block in [1, 7, 1024] {
      let again = try scenario.renderer().render(broken, blocks: [block])
      #expect(bits(again) == bits(output), "blocks of \(block)")
    }
  }
}
