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
  private let numbers: PlanNumbers

  init(
    sections: [OperationSection], commands: CommandRing,
    calls: UnsafeMutablePointer<UnsafeMutablePointer<NodeCall>?>, numbers: PlanNumbers,
    startFrame: Int, in arena: inout Arena
  ) {
    self.sections = UnsafePointer(arena.allocate(sections))
    sectionCount = sections.count
    self.commands = commands
    self.calls = calls
    self.numbers = numbers
    position = arena.allocate(Int.self, count: 1, repeating: startFrame)
  }

  // MARK: - Realtime

  /// The absolute frame at which the next render starts. Set where one program takes over from
  /// another.
  package var frame: Int {
    @_noLocks get { position.pointee }
    @_noLocks nonmutating set { position.pointee = newValue }
  }

  /// Renders the next `frameCount` frames, at most the program's `maximumFrameCount`, from its
  /// source buffers into its sink buffers. The calling thread flushes denormals.
  @_noLocks
  package func render(frameCount: Int) {
    if numbers.isFollowing { numbers.receive() }
    let frame = position.pointee
    while let command = commands.receive(at: frame) {
      guard let call = calls[Int(command.node)] else { continue }
      call.pointee.bank.set(
        Int(command.parameter), to: command.value, at: frame - call.pointee.arrival.pointee,
        over: Int(command.frameCount))
    }
    for index in 0..<sectionCount {
      sections[index].render(frame: frame, frameCount: frameCount)
    }
    position.pointee = frame + frameCount
  }
}
