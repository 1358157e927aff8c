import FxAudio
@testable import FxChain
@testable import FxKit
import FxUnits
import Testing

/// Types of units say what a chain file says.
struct EveryUnitTests {
  @Test func `every argument of every unit is written as in a chain file`() throws {
    let specs = BuiltInUnits.all.map(\.spec)
    try #require(EveryUnit.all.count == specs.count)
    for (spec, make) in zip(specs, EveryUnit.all) {
      let node = make().node
      let wanted = try value(UnitExamples.json(spec))
      #expect(node.id == "x")
      #expect(sorted(.object(node.keys)) == sorted(wanted), "\(spec.id)")
      #expect(node.site?.file == "FxKitTests/EveryUnit.swift")
    }
  }

  @Test func `a unit without arguments compiles to the plan of its JSON`() throws {
    for spec in BuiltInUnits.all.map(\.spec) {
      let isBare =
        spec.options.allSatisfy { $0.defaultValue != nil } && spec.list == nil
        && spec.inputs.dropFirst().allSatisfy(\.isOptional)
      guard isBare, !spec.isModulator else { continue }
      let typed = Chain { Node(unit: spec.id) }
      let written = Chain(json: #"{ "version": 2, "chain": [{ "unit": "\#(spec.id)" }] }"#)
      #expect(try plan(typed) == plan(written), "\(spec.id)")
    }
  }

  @Test func `the names of layouts are those of the format`() {
    let names = ChannelLayout.named.map(\.name) + ["discrete"]
    #expect(Set(LayoutName.allCases.map(\.rawValue)) == Set(names))
  }

  private func value(_ json: JSONOutput) throws -> ChainValue {
    var found = Diagnostics()
    let text = SourceText(path: "x", bytes: Array(json.text().utf8))
    return ChainValue(try #require(JSONDocument.read(text, into: &found)).root)
  }

  private func sorted(_ value: ChainValue) -> ChainValue {
    switch value {
    case .object(let members):
      .object(
        members.sorted { $0.key < $1.key }.map { ChainValue.Member($0.key, sorted($0.value)) })
    case .array(let elements): .array(elements.map { sorted($0) })
    default: value
    }
  }
}
