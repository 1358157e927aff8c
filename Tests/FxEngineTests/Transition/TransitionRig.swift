import FxAudio
@testable import FxEngine
import Testing

/// Renders a chain block by block, as a driver does, and changes it between two blocks.
final class TransitionRig {
  let exchange: ProgramExchange
  private let slot: ProgramSlot
  private let live: MortalUnit.Counter?
  private let input: (_ source: Int, _ channel: Int, _ frame: Int) -> Float
  private(set) var frame = 0
  /// By sink of the first chain, by channel.
  private(set) var output: [[[Float]]]
  private(set) var transition: Transition?
  /// Blocks that several threads could render.
  private(set) var sharedBlockCount = 0
  /// Those of them during a crossfade.
  private(set) var sharedCrossfadeBlockCount = 0
  /// False where the new chain's own program never replaces the crossfade.
  var finishes = true
  var blockLength = 64
  private let threadCount: Int
  private let helpers: BusyHelpers

  /// With several threads, helpers render as well wherever a program is divided.
  init(
    _ chain: MortalChain, live: MortalUnit.Counter? = nil, threadCount: Int = 1,
    input: @escaping (_ source: Int, _ channel: Int, _ frame: Int) -> Float
  ) throws {
    let built = try chain.build(live: live)
    let instances = try built.graph.graph.nodes.indices.map { try built.instance($0) }
    var configuration = ProgramConfiguration(
      sampleRate: MortalChain.sampleRate, maximumFrameCount: 64, restsBypassedNodes: false)
    configuration.partition = built.partition(threads: threadCount)
    let program = RenderProgram(
      plan: try built.plan(instances, threads: threadCount), graph: built.graph,
      instances: instances, configuration: configuration)
    self.threadCount = threadCount
    exchange = ProgramExchange(program, helperCount: threadCount - 1)
    slot = exchange.slot
    helpers = BusyHelpers(exchange.slot)
    self.live = live
    self.input = input
    output = program.sinkWidths.map { [[Float]](repeating: [], count: $0) }
  }

  /// Sines, another frequency for each channel.
  static func tones(_ source: Int, _ channel: Int, _ frame: Int) -> Float {
    let hertz = [25.0, 40][channel] + Double(source) * 7
    let turns = (Double(frame) * hertz / MortalChain.sampleRate)
      .truncatingRemainder(dividingBy: 1)
    return Float(0.5 * Math.sin(turns * 2 * Double.pi))
  }

  var program: RenderProgram { exchange.current }

  func render(_ frameCount: Int) {
    let end = frame + frameCount
    while frame < end {
      if slot.receive() { exchange.retire() }
      let view = slot.view
      #expect(view.renderer.frame == frame)
      let count = min(blockLength, end - frame)
      for source in 0..<view.sourceCount {
        for channel in 0..<2 {
          let buffer = view.sourceBuffers[source][channel]
          for offset in 0..<count { buffer[offset] = input(source, channel, frame + offset) }
        }
      }
      render(view.renderer, count)
      for sink in output.indices {
        for channel in output[sink].indices {
          let buffer = view.sinkBuffers[sink][channel]
          for offset in 0..<count { output[sink][channel].append(buffer[offset]) }
        }
      }
      frame += count
      finishWhenOver()
    }
  }

  private func render(_ renderer: Renderer, _ count: Int) {
    guard let board = renderer.board, threadCount > 1 else {
      return renderer.render(frameCount: count)
    }
    sharedBlockCount += 1
    renderer.begin(frameCount: count)
    if transition != nil { sharedCrossfadeBlockCount += 1 }
    while !board.isOldestDone { board.render(board.claim(atLeast: 1, spare: 1, thread: 1)) }
    renderer.finish()
  }

  /// Ends the helpers, which look for work until then.
  func end() { helpers.end() }

  private func finishWhenOver() {
    guard finishes, let next = transition?.finish() else { return }
    #expect(exchange.send(next))
    transition = nil
  }

  /// Sends the crossfade to a changed chain; it begins with the next block.
  @discardableResult
  func change(to chain: MortalChain) throws -> GraphChange {
    let built = try chain.build(live: live)
    let program = exchange.current
    let change = try GraphChange(from: program.graph, to: built.graph)
    let instances = try built.graph.graph.nodes.indices.map { node in
      try change.kept[node].map { program.instances[$0] } ?? built.instance(node)
    }
    let transition = try Transition(
      from: program,
      to: Transition.Target(
        plan: try built.plan(instances, threads: threadCount), graph: built.graph,
        instances: instances, partition: built.partition(threads: threadCount)),
      change: change)
    self.transition = transition
    #expect(exchange.send(transition.crossfade))
    return change
  }

  /// Renders until the new chain runs alone.
  func settle(hurry: Bool = true) {
    for _ in 0..<4000 where transition != nil {
      if hurry, transition?.phase == .ringingOut { transition?.hurry() }
      render(blockLength)
    }
    render(blockLength)
    #expect(transition == nil)
  }
}
