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

  init(
    sections: [OperationSection], commands: CommandRing,
    calls: UnsafeMutablePointer<UnsafeMutablePointer<NodeCall>?>, numbers: LatencyTable,
    crossfade: CrossfadeClock?, track: MusicalTrack, measures: ProgramMeasures? = nil,
    fingerprints: ProgramFingerprints? = nil, startFrame: Int,
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
    position = arena.allocate(Int.self, count: 1, repeating: startFrame)
  }

  // MARK: - Realtime

  /// The absolute frame at which the next render starts.
  package var frame: Int {
    @_noLocks get { position.pointee }
  }

  /// Renders the next `frameCount` frames, at most the program's `maximumFrameCount`, from its
  /// source buffers into its sink buffers. The calling thread flushes denormals.
  @_noLocks
  package func render(frameCount: Int) {
    if numbers.isFollowing { numbers.receive() }
    let frame = position.pointee
    receiveCommands(at: frame)
    track.receive(at: frame)
    crossfade?.startBlock(at: frame)
    if let measures, measures.isDue {
      let isLevelWanted = measures.levels.isWanted
      for index in 0..<sectionCount {
        sections[index].render(
          frame: frame, frameCount: frameCount, measures: measures, levels: isLevelWanted)
      }
      measures.times.endBlock()
    } else if let fingerprints {
      fingerprints.noteSources(frameCount: frameCount)
      for index in 0..<sectionCount {
        sections[index].renderWithFingerprints(frame: frame, frameCount: frameCount)
      }
      fingerprints.noteSinks(frameCount: frameCount)
    } else {
      for index in 0..<sectionCount {
        sections[index].render(frame: frame, frameCount: frameCount)
      }
    }
    position.pointee = frame + frameCount
    crossfade?.endBlock(at: frame + frameCount)
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
