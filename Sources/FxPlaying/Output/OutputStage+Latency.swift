/// Follows a sink's latency that changes during a render. Where the change takes effect, the stage
/// drops frames or inserts silence. Later frames are aligned again, and the length does not change.
extension OutputStage {
  /// Frames until the next latency change takes effect; at least 1 after `startShifts`.
  var framesUntilShift: Int {
    var frames = Int.max
    for index in 0..<portCount where ports[index].shift != 0 {
      frames = min(frames, ports[index].shiftWait)
    }
    return max(frames, 1)
  }

  /// True while silence must still be inserted.
  var owesSilence: Bool {
    for index in 0..<portCount where ports[index].owed > 0 { return true }
    return false
  }

  /// Inserts the silence that a port still needs.
  func insertSilence(atMost limit: Int) {
    for index in 0..<portCount { insertSilence(ports + index, atMost: limit) }
  }

  // MARK: - Realtime

  /// Delivers a block of silence in place of a rendered block.
  @_noLocks
  func deliverSilence(frameCount: Int) {
    for index in 0..<portCount {
      let buffers = ports[index].buffers
      ports[index].buffers = silenceViews
      var left = frameCount
      while left > 0 {
        let count = left < OutputStage.scratchFrameCount ? left : OutputStage.scratchFrameCount
        pass(ports + index, from: 0, frameCount: count)
        left = left &- count
      }
      ports[index].buffers = buffers
    }
  }

  /// True when all rendered frames are below a level.
  @_noLocks
  func isQuiet(below threshold: Float, frameCount: Int) -> Bool {
    for index in 0..<portCount {
      for channel in 0..<ports[index].width {
        let samples = ports[index].buffers[channel]
        guard isQuietChannel(samples, below: threshold, frameCount) else { return false }
      }
    }
    return true
  }

  /// Reads changed latencies and starts the changes that are due.
  @_noLocks
  func startShifts() {
    guard let latencyNumbers else { return }
    for index in 0..<portCount {
      let port = ports + index
      let latency = latencyNumbers[port.pointee.index]
      if latency != port.pointee.latency {
        start(port)
        port.pointee.shift = latency &- port.pointee.latency
        port.pointee.shiftWait = latencyNumbers[portCount &+ port.pointee.index]
        port.pointee.latency = latency
      }
      if port.pointee.shift != 0, port.pointee.shiftWait == 0 { start(port) }
    }
  }

  /// Delivers a block during which a change is due, or before which silence must be inserted.
  @_noLocks
  func passShifted(_ port: UnsafeMutablePointer<Port>, from offset: Int, frameCount: Int) {
    insertSilence(port, atMost: port.pointee.owed)
    let wait = port.pointee.shiftWait
    let before = port.pointee.shift == 0 || wait > frameCount ? frameCount : wait
    pass(port, from: offset, frameCount: before)
    guard port.pointee.shift != 0 else { return }
    port.pointee.shiftWait = wait &- before
    guard before < frameCount else { return }
    start(port)
    insertSilence(port, atMost: port.pointee.owed)
    pass(port, from: offset &+ before, frameCount: frameCount &- before)
  }

  @_noLocks
  private func start(_ port: UnsafeMutablePointer<Port>) {
    let shift = port.pointee.shift
    port.pointee.shift = 0
    port.pointee.shiftWait = 0
    if shift >= 0 {
      let owed = port.pointee.owed < shift ? port.pointee.owed : shift
      port.pointee.owed = port.pointee.owed &- owed
      port.pointee.toSkip = port.pointee.toSkip &+ (shift &- owed)
    } else {
      let spared = port.pointee.toSkip < -shift ? port.pointee.toSkip : -shift
      port.pointee.toSkip = port.pointee.toSkip &- spared
      port.pointee.owed = port.pointee.owed &+ (-shift &- spared)
    }
  }

  @_noLocks
  private func insertSilence(_ port: UnsafeMutablePointer<Port>, atMost limit: Int) {
    var left = limit < port.pointee.owed ? limit : port.pointee.owed
    port.pointee.owed = port.pointee.owed &- left
    let buffers = port.pointee.buffers
    port.pointee.buffers = silenceViews
    while left > 0 {
      let count = left < OutputStage.scratchFrameCount ? left : OutputStage.scratchFrameCount
      take(port, from: 0, frameCount: count)
      left = left &- count
    }
    port.pointee.buffers = buffers
  }
}
