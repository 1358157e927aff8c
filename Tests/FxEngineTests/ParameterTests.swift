import FxAudio
@testable import FxEngine
import Testing

/// At 1000 frames a second: a frame is a millisecond, a smoothed change takes 20.
@Suite struct ParameterTests {
  private func blocks(_ length: Int, total: Int) -> [Int] {
    stride(from: 0, to: total, by: length).map { min(length, total - $0) }
  }

  @Test(arguments: [1, 7, 64, 256])
  func `automation does not depend on blocks`(_ length: Int) throws {
    var probe = ProbeUnit()
    probe.automation = [
      .init(seconds: 0, value: 1), .init(seconds: 0.1, value: 2),
      .init(seconds: 0.25, value: 7, curve: .linear), .init(seconds: 0.25, value: 3),
      .init(seconds: 0.5, value: 8, curve: .exponential),
    ]
    let whole = try probe.program(maximumFrameCount: 600).output(blocks: [600])
    #expect(try probe.program().output(blocks: blocks(length, total: 600)) == whole)
    #expect(whole[0] == 1)
    #expect(whole[99] == 1)
    #expect(whole[599] == 8)
  }

  @Test func `a line runs from point to point`() throws {
    var probe = ProbeUnit()
    probe.automation = [
      .init(seconds: 0.1, value: 1), .init(seconds: 0.2, value: 3, curve: .linear),
    ]
    probe.spec = ParameterSpec("level", "The output.", .none, 0...10, default: 0, smoothing: .none)
    let output = try probe.program().output(blocks: [150, 150])
    #expect(output[99] == 0)
    // The step to 1 arrives at once and the line sets out from there.
    #expect(output[100] == 1)
    #expect(output[150] == 2)
    #expect(output[200] == 3)
  }

  @Test func `a smoothed step leads onto the line that leaves from it`() throws {
    var probe = ProbeUnit()
    probe.automation = [
      .init(seconds: 0, value: 1), .init(seconds: 0.1, value: 2),
      .init(seconds: 0.2, value: 3, curve: .linear),
    ]
    let output = try probe.program().output(blocks: [256])
    #expect(output[100] == 1)
    #expect(output[110] == 1.6)
    #expect(output[120] == 2.2)
    #expect(output[150] == 2.5)
    #expect(output[200] == 3)
  }

  @Test func `a level's line is straight in decibels`() throws {
    var probe = ProbeUnit()
    probe.spec = .gain("level", "The output.")
    probe.automation = [
      .init(seconds: 0, value: 0), .init(seconds: 0.2, value: -40, curve: .linear),
    ]
    let output = try probe.program().output(blocks: [256])
    #expect(abs(output[100] - 0.1) < 1e-6)
    #expect(abs(output[200] - 0.01) < 1e-7)
  }

  @Test func `a level fades to silence`() throws {
    var probe = ProbeUnit()
    probe.spec = .gain("level", "The output.")
    probe.automation = [
      .init(seconds: 0, value: 0), .init(seconds: 0.2, value: -.infinity, curve: .linear),
    ]
    let output = try probe.program().output(blocks: [256])
    #expect(output[100] == 0.5)
    #expect(output[200] == 0)
  }

  @Test func `a requested change ramps from the next block on`() throws {
    let program = try ProbeUnit(value: 1).program()
    #expect(program.output(blocks: [100]).allSatisfy { $0 == 1 })
    #expect(program.set(node: 2, parameter: 0, to: 2))
    let output = program.output(blocks: [7, 7, 7, 7])
    #expect(output[0] == 1)
    #expect(output[10] == 1.5)
    #expect(output[20] == 2)
    #expect(output[27] == 2)
  }

  /// The largest change of slope from one frame to the next.
  private func sharpestCorner(_ samples: [Float]) -> Float {
    var corner: Float = 0
    for index in samples.indices.dropFirst().dropLast() {
      corner = max(corner, abs(samples[index - 1] - 2 * samples[index] + samples[index + 1]))
    }
    return corner
  }

  @Test(arguments: [ParameterSpec.Smoothing.ramp(seconds: 0.02), .glide(seconds: 0.02)])
  func `a change has no corner at its ends, nor where another change continues it`(
    _ smoothing: ParameterSpec.Smoothing
  ) throws {
    var probe = ProbeUnit(value: 1)
    probe.spec = ParameterSpec(
      "level", "The output.", .none, 0...10, default: 1, smoothing: smoothing)
    let program = try probe.program()
    #expect(program.set(node: 2, parameter: 0, to: 2, over: 0.2))
    let output = program.output(blocks: [300, 1])
    #expect(output[0] == 1 && output[200] == 2 && output[300] == 2)
    #expect(output[100] == 1.5 || abs(output[100] - Float(2).squareRoot()) < 1e-6)
    // A straight line would turn by 0.005 at once.
    #expect(sharpestCorner([1, 1] + output) < 0.0003)
    #expect(program.set(node: 2, parameter: 0, to: 4, over: 0.2))
    var moved = program.output(blocks: [90])
    #expect(program.set(node: 2, parameter: 0, to: 5, over: 0.2))
    moved += program.output(blocks: [250])
    #expect(moved.last == 5)
    #expect(sharpestCorner([2, 2] + moved) < 0.002)
    #expect(zip(moved, moved.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test(arguments: [1, 7, 64])
  func `a change that replaces another does not depend on blocks`(_ length: Int) throws {
    func render(_ length: Int) throws -> [Float] {
      let program = try ProbeUnit(value: 1).program(maximumFrameCount: 300)
      var output: [Float] = []
      for value in [2.0, 4, 3] {
        #expect(program.set(node: 2, parameter: 0, to: value, over: 0.1))
        output += program.output(blocks: blocks(length, total: 64))
      }
      return output
    }
    #expect(try render(length) == render(64))
  }

  @Test func `a change can take longer than its own smoothing, and no less`() throws {
    let program = try ProbeUnit(value: 1).program()
    #expect(program.set(node: 2, parameter: 0, to: 2, over: 0.1))
    let output = program.output(blocks: [100])
    #expect(output[50] == 1.5)
    #expect(program.output(blocks: [10]).allSatisfy { $0 == 2 })
    #expect(program.set(node: 2, parameter: 0, to: 1, over: 0))
    #expect(program.output(blocks: [30])[10] == 1.5)
    #expect(program.set(node: 2, parameter: 0, to: 1, over: .nan))
  }

  @Test func `a caller that asks for changes receives the frame at which each took effect`() throws
  {
    let program = try ProbeUnit(value: 1).program()
    _ = program.output(blocks: [100])
    #expect(program.set(node: 2, parameter: 0, to: 2))
    #expect(program.set(node: 2, parameter: 0, to: 3, over: 0.5))
    #expect(program.appliedChanges().isEmpty)
    _ = program.output(blocks: [10, 10])
    #expect(
      program.appliedChanges() == [
        AppliedChange(frame: 100, node: 2, parameter: 0, value: 2, seconds: nil),
        AppliedChange(frame: 100, node: 2, parameter: 0, value: 3, seconds: 0.5),
      ])
    #expect(program.appliedChanges().isEmpty)
    // The list stays bounded even if no caller reads it.
    for _ in 0..<3000 {
      #expect(program.set(node: 2, parameter: 0, to: 1))
      _ = program.output(blocks: [1])
    }
    #expect(program.appliedChanges().count <= 1024)
  }

  @Test func `automation arrives with the signal after a latency`() throws {
    var probe = ProbeUnit()
    probe.spec = ParameterSpec("level", "The output.", .none, 0...10, default: 0, smoothing: .none)
    probe.automation = [.init(seconds: 0.05, value: 5)]
    probe.lateness = 17
    let output = try probe.program().output(blocks: [200])
    #expect(output[66] == 0)
    #expect(output[67] == 5)
  }

  @Test func `a plugin reads its parameters once a block`() throws {
    var probe = ProbeUnit()
    probe.automation = [.init(seconds: 0.1, value: 1)]
    probe.readsPerFrame = false
    let output = try probe.program().output(blocks: [64, 64, 64])
    #expect(Set(output[64..<128]) == [0])
    #expect(Set(output[128...]) == [1])
  }

  @Test func `a chain that begins later begins with the values of that time`() throws {
    var probe = ProbeUnit()
    probe.automation = [
      .init(seconds: 0, value: 0), .init(seconds: 1, value: 10, curve: .linear),
    ]
    let output = try probe.program(startFrame: 500).output(blocks: [10])
    #expect(output[0] == 5)
  }
}
