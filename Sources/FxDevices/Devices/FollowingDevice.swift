import CRealtime
import FxAudio
package import FxFrames
import Glibc
import Synchronization

/// A device beside the one that sets the pace: it plays or records on a thread of its own, and what
/// goes to it or comes from it is resampled to keep in step, whatever its rate.
///
/// Opened, started and ended on the control thread; `push` and `pull` are for the render thread, which
/// never waits for it.
package final class FollowingDevice: @unchecked Sendable {
  // Sendable: the correction's two sides and the buffers belong to one thread each, the rest is atomic
  // or of the control thread.

  /// One end of it, which is all that it has.
  package let device: SoundDevice
  package let direction: DeviceDirection
  let correction: DriftCorrection
  /// What its own thread moves.
  let block: PlanarBuffer
  /// What the render thread pulls.
  private let given: PlanarBuffer
  /// Frames a second of what is pushed.
  private let inputRate: Double
  /// Frames that are pushed at once.
  private let pushedFrameCount: Int
  /// When frames were pushed last: the bits of its seconds.
  private let pushedAt = Atomic<UInt64>(0)
  let isStopping = Atomic<Bool>(false)
  private let lost = Atomic<Bool>(false)
  private let gaps = Atomic<Int>(0)
  private let ended = Wakeup.make()
  private var thread: WorkerThread?

  /// - Parameters:
  ///   - device: opened to play or to record, not both.
  ///   - sampleRate: of the chain, in hertz.
  ///   - blockFrameCount: frames that the chain renders at once.
  ///   - patience: seconds by which the chain may be late before the device that sets the pace runs dry.
  /// - Throws: `IOError` without memory.
  package init(
    _ device: SoundDevice, sampleRate: Double, blockFrameCount: Int, patience: Double
  ) throws(IOError) {
    self.device = device
    direction = device.capture == nil ? .playback : .capture
    let period = (device.playback ?? device.capture)?.periodFrameCount ?? blockFrameCount
    let asked = device.request.playback ?? device.request.capture
    let width = min(
      asked?.channelCount ?? 1, device.capture?.channelCount ?? asked?.channelCount ?? 1)
    let isPlaying = direction == .playback
    inputRate = isPlaying ? sampleRate : device.sampleRate
    pushedFrameCount = isPlaying ? blockFrameCount : period
    // Whoever pushes may be as late here as it may be elsewhere.
    let buffer = (device.playback ?? device.capture)?.bufferFrameCount ?? period
    let lateness = isPlaying ? Int(patience * device.sampleRate) : buffer - period
    guard
      let correction = DriftCorrection.make(
        width: width, from: inputRate, pushed: pushedFrameCount,
        to: isPlaying ? device.sampleRate : sampleRate,
        pulled: isPlaying ? period : blockFrameCount,
        reserve: max(lateness, DriftCorrection.reserve))
    else {
      throw IOError(
        .outOfMemory, device.name, "no memory for the sound device '\(device.name)'")
    }
    self.correction = correction
    block = PlanarBuffer(channelCount: width, frameCount: period)
    given = PlanarBuffer(
      channelCount: isPlaying ? 0 : width, frameCount: isPlaying ? 0 : blockFrameCount)
  }

  deinit {
    correction.destroy()
    ended.destroy()
  }

  package var name: String { device.name }

  /// Starts its thread, of real time where the system lets it.
  ///
  /// - Throws: `IOError` where there is no thread.
  package func start() throws(IOError) {
    var code: Int32 = 0
    let this = Unmanaged.passUnretained(self)
    for priority in [WorkerThread.renderPriority - 5, 0] {
      thread = WorkerThread(priority: priority, failure: &code) {
        this.takeUnretainedValue().runToEnd()
      }
      guard thread == nil else { return }
    }
    throw IOError(
      .threadUnavailable, name, "no thread for it: \(IOError.systemMessage(code))")
  }

  /// Nothing more is pushed or pulled: it plays what it has, or stops recording. On the render thread,
  /// or once that has ended.
  package func end() {
    isStopping.store(true, ordering: .relaxed)
    if direction == .playback { correction.end() }
  }

  /// Ends it, and waits until it has played what it has. What hangs is given up.
  package func finish() {
    guard let thread else { return }
    end()
    let limit = 3 + device.bufferSeconds + correction.latency
    if ended.wait(seconds: limit) {
      thread.join()
    } else {
      device.stopWaiting()
      if !ended.wait(seconds: 3) {
        thread.forget()
        _ = Unmanaged.passRetained(self)
      } else {
        thread.join()
      }
    }
    self.thread = nil
  }

  /// True once it has gone and is not waited for: `device.loss` says why. From any thread.
  package var isLost: Bool { lost.load(ordering: .acquiring) }

  /// Times that frames were missing or too many, and it began anew. From any thread.
  package var gapCount: Int { gaps.load(ordering: .relaxed) }

  /// How far its clock is ahead of the chain's, in parts per million.
  package var driftPartsPerMillion: Double {
    direction == .capture ? correction.partsPerMillion : -correction.partsPerMillion
  }

  /// Seconds from the chain to what it plays, or from what it records to the chain.
  package var latency: Double {
    let buffer =
      device.playback.map { Double(SoundDevice.queuedFrameCount($0)) / $0.sampleRate } ?? 0
    return correction.latency + buffer
  }

  // MARK: - Render thread
  // These neither wait nor allocate; libsoxr's resampler is not marked.

  /// True where a block finds room.
  package var hasRoom: Bool { correction.writableCount >= pushedFrameCount }

  /// Plays a block, as soon as those before it have gone. What finds no room is gone.
  package func push(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    if correction.push(channels, frameCount: frameCount) < frameCount { noteGap() }
    notePush()
  }

  /// Gives a block of what was recorded, in buffers that may be wider.
  package func pull(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, width: Int, frameCount: Int
  ) {
    if !correction.pull(
      into: given.channels, frameCount: frameCount, waiting: waitingFrameCount, late: 0)
    {
      noteGap()
    }
    given.copy(into: channels, width: width, frameCount: frameCount)
  }

  // MARK: - Both threads

  func notePush() {
    pushedAt.store(fx_monotonic_seconds().bitPattern, ordering: .relaxed)
  }

  func noteGap() { gaps.add(1, ordering: .relaxed) }

  /// Frames that the other clock has come further since it pushed last.
  var waitingFrameCount: Double {
    let seconds = fx_monotonic_seconds() - Double(bitPattern: pushedAt.load(ordering: .relaxed))
    return min(max(seconds * inputRate, 0), Double(pushedFrameCount))
  }

  private func runToEnd() {
    _ = fx_flush_denormals()
    let isWhole = direction == .playback ? playToEnd() : recordToEnd()
    if !isWhole, !isStopping.load(ordering: .relaxed) { lost.store(true, ordering: .releasing) }
    ended.signal()
  }
}
