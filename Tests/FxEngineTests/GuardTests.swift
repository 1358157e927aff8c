import CKernels
import FxAudio
@testable import FxEngine
import Testing

/// Samples that are NaN or infinite: found, reported for the unit that made them, kept from others.
@Suite struct GuardTests {
  /// A unit that passes its input on, with bad samples from one frame of its life on.
  private struct Failing {
    var from: Int
    var sample: Float
    /// The number of resets after which it works.
    var failures: Int
    var age = 0
    var resets = 0

    static let entry = UnitEntry(
      render: { state, pointer in
        let block = RenderBlock(at: pointer)
        let unit = state.assumingMemoryBound(to: Failing.self)
        for frame in 0..<block.frameCount {
          let isBad =
            unit.pointee.age >= unit.pointee.from
            && unit.pointee.resets < unit.pointee.failures
          for channel in 0..<block.outputCount {
            block.outputs[channel][frame] =
              isBad ? unit.pointee.sample : block.inputs[channel][frame]
          }
          unit.pointee.age += 1
        }
      },
      reset: { state in
        state.assumingMemoryBound(to: Failing.self).pointee.age = 0
        state.assumingMemoryBound(to: Failing.self).pointee.resets += 1
      })
  }

  private func program(
    _ unit: Failing, gain: Float = 1, startFrame: Int = 0, monitor: UnitMonitor? = nil
  ) throws -> RenderProgram {
    let spec = UnitSpec("bad", name: "Bad", summary: "A test unit.", category: "test")
    let slots = NodeParameters.slots(of: spec, items: [])
    func node(_ id: String) -> Graph.Node {
      Graph.Node(
        id: id,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: id, revision: 1), parameters: slots, values: [1, 0])),
        inputs: [.main], outputs: [.main], rendersInPlace: false)
    }
    let source = Graph.Node(
      id: "in", content: .source(.input("main")), inputs: [],
      outputs: [OutputBusSpec("out", width: .exactly(2))])
    let sink = Graph.Node(
      id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: [])
    let graph = try Graph(
      nodes: [source, node("bad"), node("after"), sink],
      connections: [
        Connection(from: .init(node: 0), to: .init(node: 1), gain: gain),
        Connection(from: .init(node: 1), to: .init(node: 2)),
        Connection(from: .init(node: 2), to: .init(node: 3)),
      ]
    ).resolved()
    func instance(_ unit: Failing, _ monitor: UnitMonitor?) -> UnitInstance {
      let state = UnsafeMutablePointer<Failing>.allocate(capacity: 1)
      state.initialize(to: unit)
      let detail: @Sendable () -> String? = { "segmentation fault (SIGSEGV)" }
      return UnitInstance(
        spec: spec, state: state, entry: Failing.entry, latency: 0, tail: .none,
        readings: ReadingBoard(cellCount: 0), monitor: monitor,
        faultDetail: detail
      ) { $0.assumingMemoryBound(to: Failing.self).deallocate() }
    }
    return RenderProgram(
      plan: try GraphCompiler(graph, latencies: [0, 0, 0, 0], sampleRate: 1000).compile(),
      graph: graph,
      instances: [
        nil, instance(unit, monitor), instance(Failing(from: 0, sample: 0, failures: 0), nil), nil,
      ],
      configuration: ProgramConfiguration(
        sampleRate: 1000, maximumFrameCount: 256, startFrame: startFrame))
  }

  private func render(_ program: RenderProgram, _ count: Int, input: Float = 0.5) -> [Float] {
    for channel in 0..<2 {
      let buffer = program.sourceBuffer(0, channel: channel)
      for frame in 0..<count { buffer[frame] = input }
    }
    return program.output(blocks: [count])
  }

  private func largestStep(from first: Float, _ samples: [Float]) -> Float {
    var (last, largest) = (first, Float(0))
    for sample in samples {
      largest = max(largest, abs(sample - last))
      last = sample
    }
    return largest
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func `a bad sample silences its unit from that block on and reaches no other unit`(
    _ sample: Float
  ) throws {
    let program = try program(Failing(from: 300, sample: sample, failures: 9), startFrame: 40)
    let supervisor = Supervisor(program)
    #expect(render(program, 256) == [Float](repeating: 0.5, count: 256))
    #expect(!supervisor.hasNews)
    let bad = render(program, 256)
    // From the last good sample to silence without a step.
    #expect(largestStep(from: 0.5, bad) < 0.01)
    #expect(bad[64...].allSatisfy { $0 == 0 })
    #expect(render(program, 256).allSatisfy { $0 == 0 })
    let faults = supervisor.faults()
    #expect(
      faults.map(\.cause) == [.nonFinite(isInfinite: sample.isInfinite, wasFed: false)])
    #expect(faults.map(\.frame) == [340] && faults.map(\.outcome) == [.stopped])
  }

  @Test func `a restarted unit comes back within a block and fades in`() throws {
    let program = try program(Failing(from: 10, sample: .nan, failures: 1))
    let supervisor = Supervisor(program)
    _ = render(program, 64)
    #expect(supervisor.attend(now: 0).map(\.outcome) == [.restarted])
    let back = render(program, 256)
    #expect(largestStep(from: 0, back) < 0.01)
    #expect(back[64...].allSatisfy { $0 == 0.5 })
    #expect(!supervisor.hasNews)
    #expect(supervisor.attend(now: 1).isEmpty)
  }

  @Test func `after three restarts within ten seconds a unit stays out`() throws {
    let program = try program(Failing(from: 0, sample: .nan, failures: 99))
    let supervisor = Supervisor(program)
    var outcomes: [RenderingEvent.Outcome?] = []
    for second in 0..<6 {
      _ = render(program, 64)
      outcomes += supervisor.attend(now: Double(second)).map(\.outcome)
    }
    #expect(outcomes == [.restarted, .restarted, .restarted, .silenced])
    #expect(render(program, 64).allSatisfy { $0 == 0 })
  }

  @Test func `earlier restarts do not count`() throws {
    let program = try program(Failing(from: 0, sample: .nan, failures: 99))
    let supervisor = Supervisor(program)
    for round in 0..<8 {
      _ = render(program, 64)
      #expect(supervisor.attend(now: Double(round) * 4).map(\.outcome) == [.restarted])
    }
  }

  @Test func `a unit with an input that is not finite is reported as such`() throws {
    let program = try program(Failing(from: 99, sample: 0, failures: 0), gain: 1e30)
    _ = render(program, 16, input: 1e30)
    let causes = Supervisor(program).faults().map(\.cause)
    #expect(causes == [.nonFinite(isInfinite: true, wasFed: true)])
  }

  @Test func `a fault that a unit raises itself is reported once, with its details`() throws {
    let monitor = UnitMonitor()
    let program = try program(Failing(from: 0, sample: 0, failures: 0), monitor: monitor)
    let supervisor = Supervisor(program)
    #expect(!supervisor.hasNews)
    monitor.raise(UnitFault.crashed.rawValue, frame: 77)
    #expect(supervisor.faults().map(\.frame) == [77])
    let event = try #require(supervisor.attend(now: 0).first)
    #expect(event.cause == .raised(.crashed, detail: "segmentation fault (SIGSEGV)"))
    #expect(event.outcome == .bypassed && event.frame == 77)
    #expect(supervisor.attend(now: 1).isEmpty)
    monitor.clearFault()
    #expect(supervisor.attend(now: 2).isEmpty)
    monitor.raise(UnitFault.hung.rawValue, frame: 99)
    #expect(supervisor.attend(now: 3).count == 1)
  }

  @Test func `bad samples of a source are cleared and counted before a unit reads them`() throws {
    let program = try program(Failing(from: 0, sample: 0, failures: 0), startFrame: 1000)
    for channel in 0..<2 {
      let buffer = program.sourceBuffer(0, channel: channel)
      for frame in 0..<64 { buffer[frame] = 0.25 }
    }
    program.sourceBuffer(0, channel: 1)[7] = .nan
    program.sourceBuffer(0, channel: 0)[9] = -.infinity
    #expect(program.sourceGuard.findings(0) == nil)
    program.sourceGuard.inspect(
      0, program.view.sourceBuffers[0], channelCount: 2, frameCount: 64,
      at: program.renderer.frame)
    #expect(program.sourceGuard.findings(0)?.count == 2)
    #expect(program.sourceGuard.findings(0)?.firstFrame == 1007)
    let output = program.output(blocks: [64])
    #expect(output[9] == 0)
    #expect(output[8] == 0.25)
    #expect(!Supervisor(program).hasNews)
  }

  @Test(arguments: [0, 1, 2])
  func `every sample is checked, at any place and for any vector width`(_ level: Int32) {
    guard level <= fx_vector_level() else { return }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 200)
    memory.initialize(repeating: -.greatestFiniteMagnitude, count: 2 * 200)
    defer { memory.deallocate() }
    // The second channel starts where no vector does.
    var channels = [memory, memory + 201]
    for count in [0, 1, 7, 8, 31, 64, 100, 199] {
      #expect(fx_is_finite(level, &channels, 2, count) == 1)
    }
    for channel in 0..<2 {
      for frame in 0..<199 {
        channels[channel][frame] = frame % 2 == 0 ? .nan : .infinity
        #expect(fx_is_finite(level, &channels, 2, 199) == 0)
        var isInfinite: Int32 = -1
        #expect(fx_first_not_finite(&channels, 2, 199, &isInfinite) == frame)
        #expect(isInfinite == (frame % 2 == 0 ? 0 : 1))
        #expect(fx_clear_not_finite(&channels, 2, 199) == 1)
      }
    }
  }
}
