import FxAudio
import FxEngine
@testable import FxMedia
@testable import FxPlaying

/// A performance without a device, block by block.
struct TransportRig {
  static let block = 64
  static let sampleRate = 1000.0
  /// Frames of a fade: 8 ms at this rate.
  static let fade = 8

  let program: RenderProgram
  let feeds: [SourceFeed]
  let sources: SourceBank
  let controller: TransportController
  let outputStage: OutputStage
  private let levels: LiveLevels
  var cycle: LiveCycle
  /// The rendered frames.
  private(set) var output: [Float] = []

  init(
    _ source: any AudioSource, program: TestProgram = TestProgram(),
    start: TransportStart = TransportStart(), options: RenderOptions = RenderOptions()
  ) throws {
    self.program = try program.make()
    feeds = [try SourceFeed(source, capacity: 1024, canJump: true)]
    sources = try SourceBank(self.program, feeds)
    controller = TransportController(feeds, sampleRate: TransportRig.sampleRate)
    controller.start = start
    outputStage = try OutputStage.make(self.program, [nil], tail: .frames(64))
    levels = .make(self.program)
    cycle = LiveCycle(
      renderer: self.program.renderer, outputStage: outputStage, levels: levels,
      frameCount: TransportRig.block, mainSource: 0,
      transport: Transport(controller.board, sampleRate: TransportRig.sampleRate, controller.start))
  }

  /// Renders a number of blocks, and waits for a jump.
  mutating func run(_ blockCount: Int) {
    for _ in 0..<blockCount {
      if cycle.transport.isJumping || controller.isJumping {
        for feed in feeds { feed.wait(forJump: controller.jumpNumber, seconds: 5) }
      } else {
        for feed in feeds { feed.wait(frameCount: TransportRig.block, seconds: 5) }
      }
      _ = cycle.run(sources)
      if cycle.isResting {
        output += Array(repeating: 0, count: TransportRig.block)
      } else {
        let samples = program.sinkBuffer(0, channel: 0)
        output += (0..<TransportRig.block).map { samples[$0] }
      }
    }
  }

  func end() {
    for feed in feeds { feed.stop() }
    outputStage.destroy()
    levels.destroy()
  }
}

/// Steps that are all different, and nowhere zero.
func staircase(_ frameCount: Int) -> [Float] {
  (0..<frameCount).map { 0.1 + Float($0) / 65536 }
}
