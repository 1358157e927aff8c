@testable import FxEngine
import Testing

/// Threads that help a render thread while its chain changes.
struct HelperTests {
  @Test(arguments: 0..<40)
  func `helpers change no bit while chains come and go`(_ seed: Int) throws {
    let chains = chains(seed)
    let alone = try play(chains, threadCount: 1, seed)
    let helped = try play(chains, threadCount: 3, seed)
    let isEqual = helped.output == alone.output
    #expect(isEqual)
    #expect(alone.sharedBlockCount == 0)
  }

  @Test func `most random chains are shared`() throws {
    let shared = try (0..<10).filter { seed in
      try play(chains(seed), threadCount: 2, seed).sharedBlockCount > 0
    }
    #expect(shared.count > 5)
  }

  @Test func `helpers render with the render thread while one chain becomes another`() throws {
    let chain = MortalChain("in -> echo -> out", "in -> late.7 -> out")
    let other = MortalChain("in -> echo -> out", "in -> late.30 -> out", "in -> scale -> out")
    let rig = try TransitionRig(chain, threadCount: 2, input: TransitionRig.tones)
    defer { rig.end() }
    rig.render(500)
    try rig.change(to: other)
    rig.settle()
    #expect(rig.sharedCrossfadeBlockCount > 0)
  }

  @Test func `a chain that grew while playing can follow a changed latency`() throws {
    var chain = MortalChain("in -> late.7 -> out")
    chain.moves = true
    let rig = try TransitionRig(chain, threadCount: 2, input: TransitionRig.tones)
    defer { rig.end() }
    rig.render(100)
    for number in 0..<8 { chain.connect("in -> scale-\(number) -> out") }
    try rig.change(to: chain)
    rig.settle()
    let latencies = rig.program.plan.nodes.map { $0.latency > 0 ? $0.latency + 1 : 0 }
    #expect(try rig.program.plan(latencies: latencies).nodes.map(\.latency) == latencies)
  }

  @Test func `a program that a helper reads is kept`() throws {
    let chain = MortalChain("in -> echo -> out", "in -> late.7 -> out")
    let exchange = ProgramExchange(try program(chain), helperCount: 1)
    let slot = exchange.slot
    #expect(slot.enter(helper: 0) != nil)
    for _ in 0..<2 {
      #expect(exchange.send(try program(chain)) && slot.receive())
      #expect(exchange.retire() == 0)
    }
    slot.leave(helper: 0)
    #expect(exchange.retire() == 2)
    // A helper that returns enters the running program, and no other program waits for it.
    #expect(slot.enter(helper: 0) != nil)
    #expect(exchange.retire() == 0)
  }

  private func program(_ chain: MortalChain) throws -> RenderProgram {
    let built = try chain.build()
    let instances = try built.graph.graph.nodes.indices.map { try built.instance($0) }
    var configuration = ProgramConfiguration(
      sampleRate: MortalChain.sampleRate, maximumFrameCount: 64, restsBypassedNodes: false)
    configuration.partition = built.partition(threads: 2)
    let program = RenderProgram(
      plan: try built.plan(instances, threads: 2), graph: built.graph, instances: instances,
      configuration: configuration)
    try #require(program.taskCount > 1)
    return program
  }

  private func chains(_ seed: Int) -> [MortalChain] {
    var random = SplitMix(state: UInt64(seed) &* 31 &+ 5)
    var chain = MortalChain.random(&random)
    for _ in 0..<4 { chain.mutate(&random) }
    var chains: [MortalChain] = []
    while chains.count < 4 {
      var next = chain
      for _ in 0...random.below(3) { next.mutate(&random) }
      guard (try? next.build()) != nil else { continue }
      chain = next
      chains.append(next)
    }
    return chains
  }

  private func play(
    _ chains: [MortalChain], threadCount: Int, _ seed: Int
  ) throws -> (output: [[[Float]]], sharedBlockCount: Int) {
    var random = SplitMix(state: UInt64(seed))
    let rig = try TransitionRig(
      chains[0], threadCount: threadCount, input: TransitionRig.tones)
    defer { rig.end() }
    rig.render(500)
    for chain in chains.dropFirst() {
      try rig.change(to: chain)
      rig.settle()
      rig.render(300 + random.below(300))
    }
    return (rig.output, rig.sharedBlockCount)
  }
}
