import FxKit
import FxTestSupport
import Synchronization
import Testing

@Suite(.ownThread) struct `A player node` {
  private let player: PlayerNode
  private let renderer: ChainRenderer
  private static let format = SampleFormat(channels: 1)

  init() throws {
    player = try PlayerNode("player", Self.format)
    let chain = Chain(
      json: """
        { "version": 2, "tail": "none",
          "nodes": { "own": { "unit": "player" }, "in": { "source": "main" }, "mix": { "unit": "mixer" },
            "out": { "sink": "main" } },
          "connections": ["own -> mix", "in -> mix", "mix -> out"] }
        """, units: UnitSet(player))
    renderer = try ChainRenderer(chain, channels: 1, blockSize: 16)
  }

  private func buffer(_ value: Float, _ frames: Int) throws -> PCMBuffer {
    try PCMBuffer([[Float](repeating: value, count: frames)], format: Self.format)
  }

  private func render(_ frames: Int) throws -> [Float] {
    try renderer.render([[Float](repeating: 0, count: frames)])[0]
  }

  @Test func `plays buffers one after another without a gap`() throws {
    try player.schedule(try buffer(0.25, 20))
    try player.schedule(try buffer(0.5, 10))
    try player.schedule(try buffer(0, 0))
    try player.schedule(try buffer(0.75, 3))
    let output = try render(48)
    #expect(
      output == [Float](repeating: 0.25, count: 20) + [Float](repeating: 0.5, count: 10)
        + [Float](repeating: 0.75, count: 3) + [Float](repeating: 0, count: 15))
  }

  @Test func `begins a buffer at its frame, or at once if that has passed`() throws {
    _ = try render(32)
    #expect(player.frame == 32)
    try player.schedule(try buffer(0.5, 8), at: .frame(50))
    try player.schedule(try buffer(0.25, 8), at: .frame(10))
    let output = try render(64)
    #expect(output.firstIndex { $0 != 0 } == 18)
    #expect(output[18..<26].allSatisfy { $0 == 0.5 })
    #expect(output[26..<34].allSatisfy { $0 == 0.25 })
    #expect(output[34...].allSatisfy { $0 == 0 })
  }

  @Test func `begins a buffer of the far past at once, and one of the far future never`() throws {
    _ = try render(32)
    try player.schedule(try buffer(0.5, 8), at: .frame(.min))
    try player.schedule(try buffer(0.25, 8), at: .frame(.max))
    let output = try render(64)
    #expect(output[..<8].allSatisfy { $0 == 0.5 } && output[8...].allSatisfy { $0 == 0 })
  }

  @Test func `reads a cut buffer until it has faded`() async throws {
    let outcomes = Outcomes()
    try player.schedule(try buffer(0.5, 5), options: .loops) { outcomes.add(0, $0) }
    _ = try render(16)
    player.stop()
    _ = try render(64)
    try await Task.sleep(for: .milliseconds(20))
    #expect(outcomes.found.withLock { $0.isEmpty })
    _ = try render(240)
    #expect(await outcomes.wait(for: 1) == ["0 cut"])
  }

  @Test func `repeats a buffer until another interrupts, which fades it`() throws {
    try player.schedule(try buffer(0.5, 5), options: .loops)
    #expect(try render(32).allSatisfy { $0 == 0.5 })
    try player.schedule(try buffer(0.25, 16))
    #expect(try render(16).allSatisfy { $0 == 0.5 })
    #expect(player.playedFrames == 48)
    try player.schedule(try buffer(0.125, 300), at: .now)
    let output = try render(320)
    #expect(output[0] == 0.625)
    #expect(zip(output, output.dropFirst()).prefix(239).allSatisfy { $0 > $1 })
    #expect(output[241..<300].allSatisfy { $0 == 0.125 })
    #expect(output[300...].allSatisfy { $0 == 0 })
    #expect(player.playedFrames == nil)
  }

  @Test func `interrupts at a frame and drops what waits before`() throws {
    try player.schedule(try buffer(0.5, 1000))
    try player.schedule(try buffer(1, 1000))
    try player.schedule(try buffer(0, 1), at: .frame(20), options: .interrupts)
    let output = try render(400)
    #expect(output[..<20].allSatisfy { $0 == 0.5 })
    #expect(output[21] < 0.5)
    #expect(output[270...].allSatisfy { $0 == 0 })
  }

  @Test func `stops with a fade`() throws {
    try player.schedule(try buffer(0.5, 1000), options: .loops)
    _ = try render(16)
    player.stop()
    let output = try render(320)
    #expect(output[0] == 0.5)
    #expect(output[239] > 0 && output[240...].allSatisfy { $0 == 0 })
  }

  @Test func `completes each buffer once, as played or cut`() async throws {
    let outcomes = Outcomes()
    for (index, options) in [PlayerNode.Options(), .loops, []].enumerated() {
      try player.schedule(try buffer(0.5, 20), options: options) { outcomes.add(index, $0) }
    }
    _ = try render(64)
    player.stop()
    _ = try render(512)
    let found = await outcomes.wait(for: 3)
    #expect(found == ["0 played", "1 cut", "2 cut"])
  }

  @Test func `waits until a buffer was played back`() async throws {
    let sound = try buffer(0.5, 20)
    let task = Task(executorPreference: OwnThreadExecutor()) { [player] in
      try await player.schedule(sound, until: .playedBack)
    }
    while player.playedFrames == nil, try render(16).allSatisfy({ $0 == 0 }) { await Task.yield() }
    _ = try render(32)
    #expect(try await task.value == .played)
  }

  @Test func `cuts what waits when the player goes away`() async throws {
    let outcomes = Outcomes()
    do {
      let other = try PlayerNode("other", Self.format)
      try other.schedule(try buffer(1, 10)) { outcomes.add(0, $0) }
    }
    #expect(await outcomes.wait(for: 1) == ["0 cut"])
  }

  @Test func `refuses what it cannot play`() throws {
    let stereo = try PCMBuffer([[0], [0]], format: SampleFormat())
    #expect(throws: ChainFailure.self) { try player.schedule(stereo) }
    #expect(throws: ChainFailure.self) { try player.schedule(try buffer(0, 0), options: .loops) }
    for _ in 0..<256 { try player.schedule(try buffer(0, 1)) }
    #expect(throws: ChainFailure.self) { try player.schedule(try buffer(0, 1)) }
  }
}

private final class Outcomes: Sendable {
  let found = Mutex<[String]>([])

  func add(_ index: Int, _ outcome: PlayerNode.Outcome) {
    found.withLock { $0.append("\(index) \(outcome)") }
  }

  func wait(for count: Int) async -> [String] {
    while found.withLock({ $0.count }) < count { try? await Task.sleep(for: .milliseconds(2)) }
    return found.withLock { $0.sorted() }
  }
}
