@testable import FxEngine
import Testing

/// Levels as a meter shows them.
@Suite struct LevelBoardTests {
  private func note(_ board: LevelBoard, _ blocks: [[Float]], times: Int = 1) {
    for block in blocks {
      block.withUnsafeBufferPointer { samples in
        guard let address = samples.baseAddress else { return }
        let views = [UnsafePointer<Float>](repeating: address, count: board.channelCount)
        for _ in 0..<times { board.note(views, frameCount: block.count) }
      }
    }
  }

  @Test func `a square wave has its amplitude as peak and as RMS`() {
    let board = LevelBoard.make(channelCount: 2, sampleRate: 1000)
    defer { board.destroy() }
    // Two seconds, in blocks that no vector divides.
    note(board, [(0..<19).map { $0 % 2 == 0 ? 0.5 : -0.5 }], times: 105)
    for level in board.levels {
      #expect(level.peak == 0.5)
      #expect(level.highest == 0.5)
      #expect(abs(level.rms - 0.5) < 0.005)
      #expect(level.clippedCount == 0)
    }
  }

  @Test func `a peak falls by 20 dB in 1.7 seconds, and the highest stays`() {
    let board = LevelBoard.make(channelCount: 1, sampleRate: 1000)
    defer { board.destroy() }
    note(board, [[1] + [Float](repeating: 0, count: 9)])
    #expect(board.level(0).peak == 1)
    note(board, [[Float](repeating: 0, count: 10)], times: 170)
    #expect(abs(board.level(0).peak - 0.1) < 0.001)
    #expect(board.level(0).highest == 1)
    #expect(board.level(0).rms < 0.05)
    // The longest blocks make no other fall.
    let long = LevelBoard.make(channelCount: 1, sampleRate: 44100)
    defer { long.destroy() }
    note(long, [[1]])
    note(long, [[Float](repeating: 0, count: 8192)], times: 9)
    #expect(abs(long.level(0).peak - 0.104) < 0.005)
  }

  @Test(arguments: [16, 64, 441, 1024]) func `the RMS is that of exactly the last 300 ms`(
    _ block: Int
  ) {
    let board = LevelBoard.make(channelCount: 1, sampleRate: 8000)
    defer { board.destroy() }
    // 600 ms of which the first half is loud, then 150 ms more.
    var signal = [Float](repeating: 0.8, count: 2400)
    signal += [Float](repeating: 0.1, count: 2400)
    var heard: [Float] = []
    while heard.count < 3600 {
      let next = Array(signal[heard.count..<min(heard.count + block, 3600)])
      note(board, [next])
      heard += next
      let window = heard.suffix(2400)
      let mean = window.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(window.count)
      #expect(abs(Double(board.level(0).rms) - mean.squareRoot()) < 1e-5)
    }
  }

  @Test func `samples beyond full scale are counted, and NaN and infinity leave no trace`() {
    let board = LevelBoard.make(channelCount: 1, sampleRate: 1000)
    defer { board.destroy() }
    note(board, [[0.5, 1.5, -2, 1, 0]])
    #expect(board.level(0).clippedCount == 2)
    #expect(board.level(0).highest == 2)
    let before = board.level(0).rms
    note(board, [[.nan, .infinity, 0], []])
    #expect(board.level(0).rms == before)
    #expect(board.level(0).highest == 2)
    #expect(board.level(0).peak.isFinite)
  }
}
