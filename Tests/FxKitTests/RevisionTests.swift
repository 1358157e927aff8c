import FxAudio
import FxChain
import FxEngine
@testable import FxKit
import FxLV2
import FxPlaying
import Testing

/// A unit whose sound has changed keeps the earlier revision under its number.
@Suite struct RevisionTests {
  /// Revision 1 doubled, revision 2 halves.
  private struct Factor: RenderKernel, ~Copyable {
    struct Parameters: BitwiseCopyable {}
    static let entry = UnitEntry(
      render: { $0.kernel(Factor.self)?.pointee.render(RenderBlock(at: $1)) },
      reset: { $0.kernel(Factor.self)?.pointee.reset() })

    init(_ preparation: Preparation) {}

    @_noLocks mutating func render(_ block: RenderBlock) { scale(block, by: 0.5) }
    @_noLocks mutating func reset() {}
  }

  private struct FactorBefore: RenderKernel, ~Copyable {
    struct Parameters: BitwiseCopyable {}
    static let entry = UnitEntry(
      render: { $0.kernel(FactorBefore.self)?.pointee.render(RenderBlock(at: $1)) },
      reset: { $0.kernel(FactorBefore.self)?.pointee.reset() })

    init(_ preparation: Preparation) {}

    @_noLocks mutating func render(_ block: RenderBlock) { scale(block, by: 2) }
    @_noLocks mutating func reset() {}
  }

  private static func spec(_ revision: Int) -> UnitSpec {
    UnitSpec(
      "factor", name: "Factor", summary: "Scales.", category: "test", revision: revision,
      presets: revision == 2 ? [UnitPreset("plain", "As it is.", [:])] : [])
  }

  private let library = UnitLibrary(
    units: [UnitType(Factor.self, spec: spec(2))],
    earlier: [UnitType(FactorBefore.self, spec: spec(1))])

  private func compiled(_ name: String, _ more: String = "") throws(ChainFailure) -> CompiledChain {
    var settings = CompiledChain.Settings.check(channels: 1)
    settings.catalog = library
    return try list(#"{ "unit": "\#(name)"\#(more) }"#).compiled(settings)
  }

  /// The output for a full-scale sample.
  private func factor(_ name: String) throws -> Float {
    let program = try compiled(name).program()
    program.sourceBuffer(0, channel: 0)[0] = 1
    program.renderer.render(frameCount: 1)
    return program.sinkBuffer(0, channel: 0)[0]
  }

  @Test func `a unit's name means its latest revision, and a number selects any revision`() throws {
    #expect(try factor("factor") == 0.5)
    #expect(try factor("factor@2") == 0.5)
    #expect(try factor("factor@1") == 2)
  }

  @Test func `a chain knows which revision it has`() throws {
    for (name, revision) in [("factor", 2), ("factor@1", 1)] {
      let unit = try compiled(name).resolved.graph.nodes.compactMap(\.unit).first
      #expect(unit?.kind == .builtIn(name: "factor", revision: revision))
    }
  }

  @Test func `an unknown revision is refused with the known revisions`() throws {
    let found = try #require(failure { _ = try compiled("factor@3") })
    #expect(found.code == "unknown-revision")
    #expect(found.hints == ["its revisions are 2, 1"])
  }

  @Test func `the schema has every revision with its own keys`() throws {
    let schema = ChainSchema.schema(for: library, .all).text().filter { !$0.isWhitespace }
    #expect(schema.contains(#""unit-factor@1""#) && schema.contains(#""unit-factor""#))
    #expect(schema.contains(#""enum":["factor","factor@2"]"#))
    #expect(schema.contains(#""enum":["factor@1"]"#))
  }

  @Test func `presets belong to a revision`() throws {
    func check(_ name: String) -> [String] {
      do {
        _ = try compiled(name, #", "preset": "Plain""#)
        return []
      } catch {
        return error.diagnostics.map(\.code)
      }
    }
    #expect(check("factor") == [])
    #expect(check("factor@1") == ["unknown-preset"])
  }

  @Test func `lists name the earlier revisions`() {
    #expect(library.unitNames == ["factor"])
    #expect(library.earlierNames == ["factor@1"])
    #expect(library.revisions(ofUnit: "factor").map(\.spec.revision) == [2, 1])
  }
}

/// Scales every channel.
@_noLocks
private func scale(_ block: RenderBlock, by factor: Float) {
  for channel in 0..<block.outputCount {
    for frame in 0..<block.frameCount {
      block.outputs[channel][frame] = block.inputs[channel][frame] * factor
    }
  }
}
