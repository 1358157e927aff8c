import FxEngine

/// What the sound device is given: the program's buffers of its sink. Made on the control thread, used
/// on the render thread.
struct Outputs: BitwiseCopyable {
  let channels: UnsafePointer<UnsafePointer<Float>>
  let count: Int
  private let table: UnsafeMutablePointer<UnsafePointer<Float>>
  private let sink: Int

  /// `sink`: the device's; nil where nothing is played.
  init(_ program: RenderProgram, _ sink: Int?) {
    let widths = program.sinkWidths
    count = sink.map { widths[$0] } ?? 0
    self.sink = sink ?? 0
    table = .allocate(capacity: max(count, 1))
    channels = UnsafePointer(table)
    if let sink {
      for channel in 0..<count {
        (table + channel).initialize(to: program.sinkBuffer(sink, channel: channel))
      }
    }
  }

  func destroy() { table.deallocate() }

  // MARK: - Realtime

  /// Plays from the buffers of another program from now on.
  @_noLocks
  func attach(to program: ProgramView) {
    for channel in 0..<count { table[channel] = program.sinkBuffers[sink][channel] }
  }
}
