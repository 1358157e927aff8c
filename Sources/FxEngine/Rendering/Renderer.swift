import CRealtime
import FxAudio

/// Runs a program: its half on the render thread. A view of memory that the program owns.
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
  /// nil where nothing is looked at.
  private let fingerprints: ProgramFingerprints?
  /// Set while one chain becomes another.
  private let crossfade: CrossfadeClock?
  /// The musical time.
  private let track: MusicalTrack
  /// Set where several threads may render; one that renders alone goes over the sections.
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

  /// What the threads share that render together; nil where one renders alone.
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

  /// Lets the tasks have the next frames, whose sources are in their places. Where something has
  /// changed no block may be in flight.
  @_noLocks
  package func begin(frameCount: Int) {
    let frame = receiveChanges()
    board?.begin(frame: frame, frameCount: frameCount)
    position.pointee = frame + frameCount
  }

  /// Ends the oldest block, which every task has rendered and whose sinks have been read.
  @_noLocks
  package func finish() {
    board?.finish()
    // A crossfade has one block in flight.
    crossfade?.endBlock(at: position.pointee)
  }

  /// Stops or resumes the musical time at the next block. Called on the render thread between blocks.
  @_noLocks
  package func roll(_ isRolling: Bool) { track.roll(isRolling, at: position.pointee) }

  /// Changes of parameters that took effect so far.
  package var changeCount: Int {
    @_noLocks get { commands.receivedCount }
  }

  /// True when something is to change where the next block begins.
  package var hasChanges: Bool {
    @_noLocks get { commands.isWaiting || track.isWaiting || numbers.isWaiting }
  }

  /// Takes over what changes where a block begins. Returns its frame.
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

  /// Goes on where another program stands, once and before the first render. What that one was sent
  /// and has not looked at yet holds for the nodes that both have.
  @_noLocks
  func take(over other: Renderer) {
    other.receiveCommands(at: other.frame)
    position.pointee = other.frame
  }
}
