import CRealtime
import FxAudio

/// A program's half on the render thread: it runs the program. A view of memory that the program
/// owns.
package struct Renderer: BitwiseCopyable, @unchecked Sendable {
  // Sendable: one thread renders at a time; the program outlives every renderer.
  private let sections: UnsafePointer<OperationSection>
  private let sectionCount: Int
  private let commands: CommandRing
  private let calls: UnsafeMutablePointer<UnsafeMutablePointer<NodeCall>?>
  /// The absolute frame at which the next render starts.
  private let position: UnsafeMutablePointer<Int>
  private let numbers: LatencyTable
  /// nil where nothing is measured.
  let measures: ProgramMeasures?
  /// nil where no fingerprints are taken.
  private let fingerprints: ProgramFingerprints?
  /// Set during a crossfade to another chain.
  private let crossfade: CrossfadeClock?
  /// The musical time.
  private let track: MusicalTrack
  /// Set where several threads may render; a single thread runs the sections instead.
  let boardPlace: UnsafePointer<TaskBoard>?

  init(
    sections: [OperationSection], commands: CommandRing,
    calls: UnsafeMutablePointer<UnsafeMutablePointer<NodeCall>?>, numbers: LatencyTable,
    crossfade: CrossfadeClock?, track: MusicalTrack, measures: ProgramMeasures? = nil,
    fingerprints: ProgramFingerprints? = nil, board: TaskBoard? = nil, startFrame: Int,
    in arena: inout Arena
  ) {
    self.sections = UnsafePointer(arena.allocate(sections))
    sectionCount = sections.count
    self.commands = commands
    self.calls = calls
    self.numbers = numbers
    self.measures = measures
    self.fingerprints = fingerprints
    self.crossfade = crossfade
    self.track = track
    boardPlace = board.map { UnsafePointer(arena.allocate([$0])) }
    position = arena.allocate(Int.self, count: 1, repeating: startFrame)
  }

  // MARK: - Realtime

  /// The task board that rendering threads share; nil where one thread renders alone.
  package var board: TaskBoard? {
    @_noLocks get { boardPlace?.pointee }
  }

  /// The absolute frame at which the next render starts.
  package var frame: Int {
    @_noLocks get { position.pointee }
  }

  /// Renders the next `frameCount` frames, at most the program's `maximumFrameCount`, from its
  /// source buffers into its sink buffers. The calling thread flushes denormals.
  @_noLocks
  package func render(frameCount: Int) {
    let block = BlockPlace(frame: receiveChanges(), frameCount: frameCount)
    var looks = BlockLooks()
    if let measures { looks = measures.looks(atBlock: 0) }
    if let measures, looks.isDue {
      for index in 0..<sectionCount {
        sections[index].render(block, measures: measures, looks)
      }
      measures.times.endBlock(looks.ticks)
    } else if let fingerprints {
      fingerprints.noteSources(frameCount: frameCount)
      for index in 0..<sectionCount { sections[index].renderWithFingerprints(block) }
      fingerprints.noteSinks(frameCount: frameCount)
    } else {
      for index in 0..<sectionCount { sections[index].render(block) }
    }
    position.pointee = block.frame + frameCount
    crossfade?.endBlock(at: block.frame + frameCount)
  }

  /// Makes the next frames available to the tasks; the sources are already in their places. No
  /// block may be in flight when something has changed.
  @_noLocks
  package func begin(frameCount: Int) {
    let frame = receiveChanges()
    board?.begin(frame: frame, frameCount: frameCount)
    position.pointee = frame + frameCount
  }

  /// Finishes the oldest block. Every task has rendered it, and its sinks have been read.
  @_noLocks
  package func finish() {
    board?.finish()
    // A crossfade has one block in flight.
    crossfade?.endBlock(at: position.pointee)
  }

  /// Stops or resumes the musical time at the next block. Called on the render thread between
  /// blocks.
  @_noLocks
  package func roll(_ isRolling: Bool) { track.roll(isRolling, at: position.pointee) }

  /// Parameter changes that have taken effect so far.
  package var changeCount: Int {
    @_noLocks get { commands.receivedCount }
  }

  /// True when a change is waiting for the start of the next block.
  package var hasChanges: Bool {
    @_noLocks get { commands.isWaiting || track.isWaiting || numbers.isWaiting }
  }

  /// Applies the changes at the start of a block. Returns its frame.
  @_noLocks
  private func receiveChanges() -> Int {
    if numbers.isFollowing { numbers.receive() }
    let frame = position.pointee
    receiveCommands(at: frame)
    track.receive(at: frame)
    crossfade?.startBlock(at: frame)
    return frame
  }

  @_noLocks
  private func receiveCommands(at frame: Int) {
    while let command = commands.receive(at: frame) {
      guard let call = calls[Int(command.node)] else { continue }
      call.pointee.memory.pointee.bank.set(
        Int(command.parameter), to: command.value, at: call.pointee.ownFrame(frame),
        over: Int(command.frameCount))
    }
  }

  /// Continues from another program's position; called once, before the first render. Waiting
  /// commands of that program apply to the nodes that both programs share.
  @_noLocks
  func take(over other: Renderer) {
    other.receiveCommands(at: other.frame)
    position.pointee = other.frame
  }
}
