import FxAudio
@testable import FxLV2
import Testing

@Suite struct BusTests {
  private func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) + 1 } }

  @Test func `a CV input is an optional bus and a parameter`() throws {
    let spec = try fixture("cv").spec
    #expect(spec.inputs.map(\.name) == ["in", "amount"])
    #expect(spec.inputs.map(\.isOptional) == [false, true])
    #expect(spec.outputs.map(\.name) == ["out", "level"])
    #expect(spec.parameters.map(\.id) == ["amount"])
    #expect(spec.perFrameParameterCount == 1)
    #expect(spec.isRealtimeCapable)
    #expect(try !fixture("gain").spec.takesMIDI && fixture("midi").spec.takesMIDI)
  }

  @Test func `an unconnected CV input follows its parameter frame by frame`() throws {
    let input = ramp(600)
    let unfed = try fixture("cv").made(["amount": 1.5])
    #expect(unfed.render([input], outputs: 2, ["amount": 1.5])[0] == input.map { $0 * 1.5 })
    let curve = (0..<600).map { Float($0) / 600 }
    let moved = try fixture("cv").made()
    let output = moved.render([input], outputs: 2, block: 100, moving: ["amount": curve])
    #expect(output[0] == zip(input, curve).map { $0 * $1 })
    #expect(output[1] == input.map { $0 * 2 })
    #expect(moved.render([input], outputs: 2, ["amount": 7])[0] == input.map { $0 * 2 })
  }

  @Test func `a connected CV input receives its signal`() throws {
    let input = ramp(300)
    let voltage = (0..<300).map { Float($0 % 7) - 3 }
    let fed = try fixture("cv").made(fed: ["amount": 1], ["amount": 1.5])
    let output = fed.render([input, voltage], outputs: 2, block: 64)
    #expect(output[0] == zip(input, voltage).map { $0 * $1 })
  }

  @Test func `a mono plugin with CV has an instance per channel`() throws {
    let (left, right) = (ramp(100), ramp(100).map { -$0 })
    let common = try fixture("cv").made(width: 2, fed: ["amount": 1])
    let voltage = [Float](repeating: 3, count: 100)
    let output = common.render([left, right, voltage], outputs: 4)
    #expect(output[0] == left.map { $0 * 3 } && output[1] == right.map { $0 * 3 })
    #expect(output[2] == left.map { $0 * 2 } && output[3] == right.map { $0 * 2 })
    let own = try fixture("cv").made(width: 2, fed: ["amount": 2])
    let each = own.render([left, right, voltage, left], outputs: 4)
    #expect(each[0] == left.map { $0 * 3 } && each[1] == zip(right, left).map { $0 * $1 })
  }

  @Test func `a plugin with only control voltages renders`() throws {
    let source = try fixture("cv-source").made(["start": 2])
    #expect(source.spec.inputs.map(\.isControl) == [true])
    #expect(source.render([], outputs: 1, frames: 3, ["start": 2]) == [[0.5, 0.5, 0.5]])
  }

  @Test func `groups besides the main ones are separate buses`() throws {
    let type = try fixture("groups")
    #expect(type.spec.inputs.map(\.name) == ["in", "sidechain", "extra"])
    #expect(type.spec.inputs.map(\.channelNames) == [["in_l", "in_r"], ["hidden"], ["aux"]])
    #expect(type.spec.outputs.map(\.name) == ["out", "rear"])
    let (left, right, key, aux) = (
      ramp(50), ramp(50).map { $0 * 10 }, ramp(50), [Float](repeating: 7, count: 50)
    )
    let all = try type.made(fed: ["sidechain": 1, "extra": 1])
    let output = all.render([left, right, key, aux], outputs: 4)
    #expect(output[0] == [Float](repeating: 0, count: 50))
    #expect(output[1] == right.indices.map { right[$0] - key[$0] })
    #expect(output[2] == aux && output[3] == aux.map { -$0 })
    let alone = try type.made()
    #expect(alone.render([left, right], outputs: 4)[0] == left)
  }

  @Test func `a buffer can be resized within its room`() throws {
    let resize = try fixture("resize").made()
    _ = resize.render([[0, 0]])
    #expect(resize.reading("capacity") >= 100_000)
    #expect(resize.reading("fits") == 0)
    #expect(resize.reading("too_large") == 2)
    #expect(resize.reading("not_a_buffer") == 1)
  }

  @Test func `blocks of one length are offered only where the host has them`() throws {
    let fixed = try fixture("fixed")
    let power = try fixture("fixed-power")
    let made = try fixed.made(maximum: 100) { $0.hasFixedBlocks = true }
    #expect(
      made.render([[Float](repeating: 0, count: 200)], block: 100)[0].allSatisfy { $0 == 100 })
    _ = try power.made(maximum: 128) { $0.hasFixedBlocks = true }
    let refusals: [(UnitType, Int, Bool, String)] = [
      (fixed, 256, false, "blocks differ in length"), (fixed, 8192, true, "more than 4096"),
      (power, 100, true, "not a power of two"), (power, 128, false, "blocks differ"),
    ]
    for (type, maximum, isFixed, reason) in refusals {
      do throws(any Error) {
        _ = try type.made(maximum: maximum) { $0.hasFixedBlocks = isFixed }
        Issue.record("it was made")
      } catch {
        #expect("\(error)".contains(reason))
      }
    }
    let told = try fixture("options").made(maximum: 64) { $0.hasFixedBlocks = true }
    _ = told.render([[0]], block: 64)
    #expect(told.reading("fixed") == 1)
  }
}
