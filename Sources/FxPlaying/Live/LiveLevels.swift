import FxEngine

/// The levels of inputs and outputs during live playback: a board for each source and sink.
///
/// The render thread records levels; any thread reads them. The driver destroys it.
struct LiveLevels: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the pointers never change, and each board is safe for two threads.
  private let boards: UnsafeMutablePointer<LevelBoard>
  private let sourceCount: Int
  private let sinkCount: Int

  static func make(_ program: RenderProgram) -> LiveLevels { LiveLevels(program) }

  private init(_ program: RenderProgram) {
    sourceCount = program.sourceWidths.count
    sinkCount = program.sinkWidths.count
    boards = .allocate(capacity: max(sourceCount + sinkCount, 1))
    for (index, width) in (program.sourceWidths + program.sinkWidths).enumerated() {
      (boards + index).initialize(
        to: .make(channelCount: width, sampleRate: program.sampleRate))
    }
  }

  func destroy() {
    for index in 0..<(sourceCount + sinkCount) { boards[index].destroy() }
    boards.deallocate()
  }

  var sourceLevels: [[LevelBoard.Level]] { (0..<sourceCount).map { boards[$0].levels } }
  var sinkLevels: [[LevelBoard.Level]] {
    (0..<sinkCount).map { boards[sourceCount + $0].levels }
  }

  // MARK: - Realtime

  /// Records the level of a source.
  @_noLocks
  func note(
    source: Int, _ buffers: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    let board = boards[source]
    for channel in 0..<board.channelCount {
      board.note(channel, UnsafePointer(buffers[channel]), frameCount: frameCount)
    }
  }

  /// Records the levels of the sinks.
  @_noLocks
  func noteSinks(_ outputStage: OutputStage, frameCount: Int) {
    for sink in 0..<sinkCount {
      boards[sourceCount &+ sink].note(
        UnsafePointer(outputStage.ports[sink].buffers), frameCount: frameCount)
    }
  }
}
