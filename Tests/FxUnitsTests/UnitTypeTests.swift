import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// The declarations of a kernel are compared with the kernel.
@Suite struct UnitTypeTests {
  /// Its reset was copied from another kernel.
  private struct Mistaken: ~Copyable, UnitKernel {
    static let spec = UnitSpec("mistaken", name: "M", summary: "A mistake.", category: "test")
    struct Parameters: BitwiseCopyable {}
    static let entry = UnitEntry(
      render: { $0.kernel(Mistaken.self)?.pointee.render(RenderBlock(at: $1)) },
      reset: { $0.kernel(Gain.self)?.pointee.reset() })
    init(_ preparation: Preparation) {}
    @_noLocks mutating func render(_ block: RenderBlock) {}
    @_noLocks mutating func reset() {}
  }

  /// Entry points that render and reset the unit, and others that were copied from another kernel.
  private static func mixed(
    isAtRest: UnitEntry.IsAtRest? = nil, rest: UnitEntry.Render? = nil
  ) -> UnitEntry {
    UnitEntry(
      render: Gain.entry.render, reset: Gain.entry.reset, isAtRest: isAtRest, rest: rest)
  }

  @Test func `entry points that name another kernel are found`() {
    #expect(Self.mixed().calls(Gain.self))
    #expect(Reverb.entry.calls(Reverb.self))
    #expect(!Self.mixed(isAtRest: Reverb.entry.isAtRest).calls(Gain.self))
    #expect(!Self.mixed(rest: Reverb.entry.rest).calls(Gain.self))
    #expect(Gain.entry.calls(Gain.self))
    #expect(!Gain.entry.calls(Pan.self))
    #expect(!Mistaken.entry.calls(Mistaken.self))
    #expect(!Mistaken.entry.calls(Gain.self))
  }

  @Test func `a type whose entry points name another kernel is refused at the start`() async {
    await #expect(processExitsWith: .failure) {
      _ = UnitType(Mistaken.self)
    }
  }

  @Test func `entry points of another kernel touch nothing`() throws {
    let renderer = try UnitRenderer(UnitType(Delay.self), inputWidths: [1])
    let input = Signal.noise(300, seed: 3)
    let first = renderer.render([input])
    // The gain's entry points on a delay's state.
    var block = [UInt8](repeating: 0, count: MemoryLayout<RenderBlock>.size)
    block.withUnsafeMutableBytes { bytes in
      if let address = bytes.baseAddress { Gain.entry.render(renderer.instance.state, address) }
    }
    Gain.entry.reset(renderer.instance.state)
    let second = renderer.render([input])
    let whole = try UnitRenderer(UnitType(Delay.self), inputWidths: [1]).render([input + input])
    #expect(first[0] + second[0] == whole[0])
  }
}
