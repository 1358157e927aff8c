import Foundation
import FxAudio
@testable import FxEngine
import Synchronization
import Testing

/// Several threads that render one program.
struct ParallelRenderingTests {
  private static let length = 700

  @Test(arguments: 0..<200)
  func `several threads render the same bits as one, in any order`(_ seed: Int) throws {
    let random = try RandomGraph(seed: UInt64(seed))
    let costs = random.units.map { $0 == nil ? 0 : 10.0 }
    let alone = try program(random, nil)
    let shared = try program(random, Partition(costs: costs, threads: 3))
    try #require(alone.taskCount == 1)
    // A chain that is one loop, or whose nodes are tied by events, is not divided.
    guard shared.taskCount > 1 else { return }
    let signal = signal(seed: UInt64(seed))
    let expected = render(alone, signal, seed: UInt64(seed))
    let helpers = Helpers(shared, count: 2, seed: UInt64(seed))
    let rendered = render(shared, signal, seed: UInt64(seed))
    helpers.end()
    let isEqual = rendered == expected
    #expect(isEqual, "\(shared.plan)")
  }

  @Test func `most random graphs are divided`() throws {
    let divided = try (0..<200).filter { seed in
      let random = try RandomGraph(seed: UInt64(seed))
      let costs = random.units.map { $0 == nil ? 0 : 10.0 }
      return try program(random, Partition(costs: costs, threads: 3)).taskCount > 1
    }
    #expect(divided.count > 100)
  }

  @Test func `a program whose latencies move has one block in flight`() throws {
    let random = try #require(
      (0..<200).lazy.compactMap { try? RandomGraph(seed: $0) }.first {
        $0.units.filter { $0 == .late }.count > 1
      })
    let costs = random.units.map { $0 == nil ? 0 : 1000.0 }
    var limits: [Int: Int] = [:]
    for (node, unit) in random.units.enumerated() where unit == .late { limits[node] = 60 }
    try #require(!limits.isEmpty)
    let program = try program(random, Partition(costs: costs, threads: 2), limits: limits)
    #expect(program.renderer.board?.depth == 1)
  }

  private func program(
    _ random: RandomGraph, _ partition: Partition?, limits: [Int: Int] = [:]
  ) throws -> RenderProgram {
    let instances = try random.types.enumerated().map { node, type in
      try type?.make(
        Preparation(
          sampleRate: 48000, maximumFrameCount: 256, inputWidths: random.unitInputs(node),
          outputWidths: random.graph.outputWidths[node]))
    }
    var configuration = ProgramConfiguration(sampleRate: 48000, maximumFrameCount: 256)
    configuration.partition = partition
    configuration.isOffline = true
    return RenderProgram(
      plan: try GraphCompiler(
        random.graph, latencies: random.latencies, limits: limits, sampleRate: 48000,
        partition: partition
      ).compile(),
      graph: random.graph, instances: instances, configuration: configuration)
  }

  private func signal(seed: UInt64) -> [Float] {
    var generator = SplitMix(state: seed)
    return (0..<Self.length).map { _ in generator.sample() }
  }

  /// By sink and channel, in blocks of up to eight frames, so that many are in flight.
  private func render(_ program: RenderProgram, _ signal: [Float], seed: UInt64) -> [[[Float]]] {
    var generator = SplitMix(state: seed)
    var output = program.sinkWidths.map { [[Float]](repeating: [], count: $0) }
    var lengths: [Int] = []
    var (begun, finished) = (0, 0)
    func take(at offset: Int) {
      let count = lengths.removeFirst()
      for (sink, width) in program.sinkWidths.enumerated() {
        for channel in 0..<width {
          let buffer = program.sinkBuffer(sink, channel: channel) + offset
          output[sink][channel] += (0..<count).map { buffer[$0] }
        }
      }
      finished += count
    }
    while finished < Self.length {
      let board = program.renderer.board
      if begun < Self.length, board.map({ $0.inFlightCount < $0.depth }) ?? true {
        let count = min(1 + generator.below(8), Self.length - begun)
        let offset = board?.beginningOffset ?? 0
        for (source, width) in program.sourceWidths.enumerated() {
          for channel in 0..<width {
            let buffer = program.sourceBuffer(source, channel: channel) + offset
            for frame in 0..<count { buffer[frame] = signal[begun + frame] * Float(channel + 1) }
          }
        }
        lengths.append(count)
        begun += count
        if board != nil {
          program.renderer.begin(frameCount: count)
        } else {
          program.renderer.render(frameCount: count)
          take(at: 0)
        }
      } else if let board {
        board.render(board.claim(atLeast: 1, spare: 1, thread: 1))
      }
      while let board, board.isOldestDone {
        take(at: board.finishingOffset)
        board.finish()
      }
    }
    return output
  }
}

/// Threads that look for work all the time, and rest at random moments.
private final class Helpers: Sendable {
  private let isEnding = Atomic<Bool>(false)
  private let runningCount: Atomic<Int>

  init(_ program: RenderProgram, count: Int, seed: UInt64) {
    runningCount = Atomic(count)
    for index in 0..<count {
      let thread = Thread {
        var generator = SplitMix(state: seed &+ UInt64(index) &* 77)
        while !self.isEnding.load(ordering: .acquiring) {
          if let board = program.renderer.board {
            let claim = board.claim(
              atLeast: 1 + generator.below(4), spare: 1, thread: index + 2)
            board.render(claim)
          }
          if generator.below(8) == 0 { usleep(UInt32(generator.below(40))) }
        }
        self.runningCount.subtract(1, ordering: .releasing)
      }
      thread.start()
    }
  }

  func end() {
    isEnding.store(true, ordering: .releasing)
    while runningCount.load(ordering: .acquiring) > 0 { usleep(50) }
  }
}
