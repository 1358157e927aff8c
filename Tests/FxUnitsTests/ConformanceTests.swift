import FxAudio
import FxTestSupport
import FxUnitTesting
@testable import FxUnits
import Testing

private let everyUnit = BuiltInUnits.all.map(\.spec.id)
/// Recovery and reset have stricter tests below.
private let conformanceRules = UnitConformance.Rule.allCases.filter {
  $0 != .recovery && $0 != .reset
}
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
    #expect(spec.mistakes == [])
    for parameter in spec.parameters + (spec.list?.parameters ?? []) {
      #expect(parameter.summary.hasSuffix("."), "\(parameter.id)")
    }
    for option in spec.options + (spec.list?.options ?? []) {
      #expect(option.summary.hasSuffix("."), "\(option.key)")
    }
    #expect(Set(spec.presets.map { $0.name.lowercased() }).count == spec.presets.count)
    for preset in spec.presets { #expect(preset.summary.hasSuffix(".")) }
  }

  @Test(arguments: everyUnit, conformanceRules)
  func `keeps the rules of a unit`(_ id: String, _ rule: UnitConformance.Rule) throws {
    let widths = rule == .rendering ? [1, 2, 6] : [2]
    #expect(UnitConformance(try scenario(id).type).problems([rule], widths: widths) == [])
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
