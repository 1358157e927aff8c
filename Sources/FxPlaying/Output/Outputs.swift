import FxEngine

/// The channels for the sound devices: the program's buffers of their sinks, one after another.
/// Created on the control thread, used on the render thread.
struct Outputs: BitwiseCopyable {
  let channels: UnsafePointer<UnsafePointer<Float>>
  /// The number of channels of all devices.
  let count: Int
  private let table: UnsafeMutablePointer<UnsafePointer<Float>>
  /// The sink and its channel for each entry of the table.
  private let origins: UnsafeMutablePointer<Origin>

  private struct Origin: BitwiseCopyable {
    let sink: Int
    let channel: Int
  }

  /// `sinks`: the sinks that devices play.
  init(_ program: RenderProgram, _ sinks: [Int]) {
    let widths = program.sinkWidths
    let all = sinks.flatMap { sink in
      (0..<widths[sink]).map { Origin(sink: sink, channel: $0) }
    }
    count = all.count
    table = .allocate(capacity: max(count, 1))
    origins = .allocate(capacity: max(count, 1))
    channels = UnsafePointer(table)
    for (index, origin) in all.enumerated() {
      (origins + index).initialize(to: origin)
      (table + index).initialize(to: program.sinkBuffer(origin.sink, channel: origin.channel))
    }
  }

  func destroy() {
    table.deallocate()
    origins.deallocate()
  }

  // MARK: - Realtime

  /// Plays from the buffers of another program from now on.
  @_noLocks
  func attach(to program: ProgramView) {
    for index in 0..<count {
      table[index] = program.sinkBuffers[origins[index].sink][origins[index].channel]
    }
  }
}
