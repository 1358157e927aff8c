import FxAudio
@testable import FxEngine
import Testing

/// Random changes of random chains.
@Suite struct TransitionChanceTests {
  /// A chain and a changed version of it; nil where that cannot be built.
  private func pair(_ seed: Int, changes: Int) -> (MortalChain, MortalChain)? {
    var random = SplitMix(state: UInt64(seed) &* 77 &+ 3)
    var before = MortalChain.random(&random)
    for _ in 0..<3 { before.mutate(&random) }
    var after = before
    for _ in 0..<changes { after.mutate(&random) }
    guard (try? before.build()) != nil, (try? after.build()) != nil else { return nil }
    return (before, after)
  }

  /// The largest second difference of a signal: sines have a small one, a step has its own height,
  /// a bend its change of slope.
  private func bend(_ samples: ArraySlice<Float>) -> Float {
    var largest: Float = 0
    for index in samples.indices.dropFirst().dropLast() {
      let bend = samples[index - 1] - 2 * samples[index] + samples[index + 1]
      largest = max(largest, abs(bend))
    }
    return largest
  }

  @Test func `most random changes can be made`() {
    #expect((0..<160).filter { pair($0, changes: 1 + $0 % 5) != nil }.count > 130)
  }

  @Test(arguments: 0..<100)
  func `no change makes a step`(_ seed: Int) throws {
    guard let (before, after) = pair(seed, changes: 1 + seed % 5) else { return }
    let rig = try TransitionRig(before, input: TransitionRig.tones)
    rig.render(3000)
    try rig.change(to: after)
    rig.render(700)
    rig.settle()
    let end = rig.frame
    rig.render(2500)
    for (sink, channels) in rig.output.enumerated() {
      for (channel, samples) in channels.enumerated() {
        let (was, now) = (bend(samples[2500..<3000]), bend(samples[(end + 2000)...]))
        let most = 1.5 * (was + now) + 1e-4
        #expect(bend(samples[2900..<(end + 600)]) < most, "sink \(sink) channel \(channel)")
      }
    }
  }

  @Test(arguments: 0..<40)
  func `only the new chain remains at the end`(_ seed: Int) throws {
    guard case (let before, var after)? = pair(seed &+ 1000, changes: 1 + seed % 6) else { return }
    // A loop may ring longer than the test lasts, so only the chain before may have one.
    after.ways.removeAll { $0.feedback != nil }
    let rig = try TransitionRig(before, input: TransitionRig.tones)
    rig.render(640)
    try rig.change(to: after)
    rig.settle()
    rig.render(5000)
    let fresh = try TransitionRig(after, input: TransitionRig.tones)
    fresh.render(rig.frame)
    let nodes = rig.program.graph.graph.nodes
    #expect(nodes.map(\.id) == fresh.program.graph.graph.nodes.map(\.id))
    for (sink, channels) in fresh.output.enumerated() {
      for (channel, expected) in channels.enumerated() {
        let rendered = rig.output[rig.program.sinkOrder[sink]][channel]
        for frame in (rig.frame - 300)..<rig.frame {
          try #require(abs(rendered[frame] - expected[frame]) < 1e-4, "\(frame)")
        }
      }
    }
  }

  @Test func `hundreds of changes one after another leave no memory behind`() throws {
    var random = SplitMix(state: 42)
    let live = MortalUnit.Counter()
    var chain = MortalChain.random(&random)
    let sinks = chain.sinks
    var memories: [Weak<NodeMemory>] = []
    var rings: [Weak<RingMemory>] = []
    do {
      let rig = try TransitionRig(chain, live: live, input: TransitionRig.tones)
      var count = 0
      while count < 220 {
        var next = chain
        for _ in 0...random.below(4) { next.mutate(&random) }
        guard next.units.count < 10, (try? next.build()) != nil else { continue }
        chain = next
        rig.render(1 + random.below(200))
        try rig.change(to: chain)
        memories += rig.program.memories.compactMap { $0 }.map(Weak.init)
        rings += rig.program.rings.values.map(Weak.init) + rig.program.feedbackRings.map(Weak.init)
        rig.settle()
        count += 1
        #expect(live.value == chain.units.count)
      }
      #expect(rig.output.joined().joined().allSatisfy { abs($0) < 20 })
      #expect(chain.sinks == sinks)
      let alive = Set(memories.compactMap { $0.object.map(ObjectIdentifier.init) })
      #expect(alive.count == chain.units.count)
      let held = Set(rings.compactMap { $0.object.map(ObjectIdentifier.init) })
      let used = Array(rig.program.rings.values) + rig.program.feedbackRings
      #expect(held == Set(used.map(ObjectIdentifier.init)))
    }
    #expect(live.value == 0)
    #expect(memories.allSatisfy { $0.object == nil } && rings.allSatisfy { $0.object == nil })
  }

  private struct Weak<Object: AnyObject> {
    weak var object: Object?
    init(_ object: Object) { self.object = object }
  }

  /// Every mutation of a crossfade's plan is found, or changes the output of neither graph.
  @Test(arguments: 0..<80)
  func `a crossfade with a mistake is rejected`(_ seed: Int) throws {
    guard let (before, after) = pair(seed &+ 3000, changes: 3) else { return }
    let sides = try [before, after].map { chain in
      let built = try chain.build()
      let instances = try built.graph.graph.nodes.indices.map { try built.instance($0) }
      return Crossfade.Side(built.graph, try built.plan(instances))
    }
    let change = try GraphChange(from: sides[0].graph, to: sides[1].graph)
    let crossfade = try Crossfade(
      from: sides[0], to: sides[1], change: change,
      tails: (
        sides[0].graph.graph.nodes.map { _ in .none }, sides[1].graph.graph.nodes.map { _ in .none }
      ), sampleRate: MortalChain.sampleRate)
    let verifier = CrossfadeVerifier(
      old: sides[0], new: sides[1], change, sampleRate: MortalChain.sampleRate)
    try verifier.verify(crossfade.plan)
    var random = SplitMix(state: UInt64(seed))
    for _ in 0..<10 {
      var plan = crossfade.plan
      let place = random.below(plan.steps.count)
      let step = plan.steps[place]
      switch step {
      case .run(let node, let inputs, let outputs) where !inputs.isEmpty:
        var inputs = inputs
        inputs[0] = (inputs[0] + 1) % plan.bufferCount
        plan.steps[place] = .run(node: node, inputs: inputs, outputs: outputs)
      case .sum(var terms, let output):
        // A term that comes is there too early, or one that goes is left out.
        terms[0].gain += 0.125
        plan.steps[place] = .sum(terms, output: output)
      case .delay(let line, _, _): plan.delayLines[line] += 1
      default: continue
      }
      guard isHeard(step, plan, crossfade) else { continue }
      #expect(throws: GraphError.self, "\(crossfade.plan)\n\(plan)") { try verifier.verify(plan) }
    }
  }

  /// False for a delay that nothing reads.
  private func isHeard(
    _ step: RenderPlan.Step, _ plan: RenderPlan, _ crossfade: Crossfade
  ) -> Bool {
    let read = Set(plan.steps.flatMap(\.reads) + plan.sinks.flatMap(\.buffers))
    return step.writes.allSatisfy(read.contains)
  }
}
