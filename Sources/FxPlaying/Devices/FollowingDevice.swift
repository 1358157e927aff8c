import CRealtime
package import FxAudio
import Glibc
import Synchronization

/// An additional device besides the one that sets the pace. It plays or records on its own thread.
/// Its signal is resampled to stay synchronous with the chain, whatever its rate.
///
/// The control thread opens, starts and ends it. The render thread uses `push` and `pull`, and
/// never waits for it.
package final class FollowingDevice: @unchecked Sendable {
  // Sendable: the correction's two sides and the buffers belong to one thread each; the rest is
  // atomic or belongs to the control thread.

  /// It has one end only.
  package let device: SoundDevice
  package let direction: DeviceDirection
  let correction: DriftCorrection
  /// The block that its own thread plays or records.
  let block: PlanarBuffer
  /// The block that the render thread pulls.
  private let given: PlanarBuffer
  /// The sample rate of pushed frames in Hz.
  private let inputRate: Double
  /// Frames per push.
  private let pushedFrameCount: Int
  /// The time of the last push: the bit pattern of its seconds.
  private let pushedAt = Atomic<UInt64>(0)
  let isStopping = Atomic<Bool>(false)
  private let lost = Atomic<Bool>(false)
  private let gaps = Atomic<Int>(0)
  private let ended = Wakeup.make()
  private var thread: WorkerThread?

  /// - Parameters:
  ///   - device: opened to play or to record, not both.
  ///   - sampleRate: of the chain, in hertz.
  ///   - blockFrameCount: frames per block of the chain.
  ///   - patience: seconds by which the chain may be late before the device that sets the pace has
  ///     an underrun.
  /// - Throws: `Failure` without memory.
  package init(
    _ device: SoundDevice, sampleRate: Double, blockFrameCount: Int, patience: Double
  ) throws(Failure) {
    self.device = device
    direction = device.capture == nil ? .playback : .capture
    let period = (device.playback ?? device.capture)?.periodFrameCount ?? blockFrameCount
    let asked = device.request.playback ?? device.request.capture
    let width = min(
      asked?.channelCount ?? 1, device.capture?.channelCount ?? asked?.channelCount ?? 1)
    let isPlaying = direction == .playback
    inputRate = isPlaying ? sampleRate : device.sampleRate
    pushedFrameCount = isPlaying ? blockFrameCount : period
    // Pushed frames may be late: those of the chain by `patience`, recorded ones by the buffer.
    let buffer = (device.playback ?? device.capture)?.bufferFrameCount ?? period
    let lateness = isPlaying ? Int(patience * device.sampleRate) : buffer - period
    guard
      let correction = DriftCorrection.make(
        width: width, from: inputRate, pushed: pushedFrameCount,
        to: isPlaying ? device.sampleRate : sampleRate,
        pulled: isPlaying ? period : blockFrameCount,
        reserve: max(lateness, DriftCorrection.reserve))
    else {
      throw Failure(
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

  /// Starts its thread, with realtime priority where the system allows it.
  ///
  /// - Throws: `Failure` when no thread can be started.
  package func start() throws(Failure) {
    var code: Int32 = 0
    let this = Unmanaged.passUnretained(self)
    for priority in [WorkerThread.renderPriority - 5, 0] {
      thread = WorkerThread(priority: priority, failure: &code) {
        this.takeUnretainedValue().runToEnd()
      }
      guard thread == nil else { return }
    }
    throw Failure(
      .threadUnavailable, name, "no thread for it: \(Failure.systemMessage(code))")
  }

  /// Ends it: it plays its queue to the end, or stops recording; nothing more is pushed or pulled.
  /// On the render thread, or after that has ended.
  package func end() {
    isStopping.store(true, ordering: .relaxed)
    if direction == .playback { correction.end() }
  }

  /// Ends it, and waits until its queue is played. A device that hangs is abandoned.
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

  /// True once it is lost and fxrun does not wait for it; `device.loss` has the reason. From any
  /// thread.
  var isLost: Bool { lost.load(ordering: .acquiring) }

  /// How often frames were missing or too many, so that it restarted. From any thread.
  package var gapCount: Int { gaps.load(ordering: .relaxed) }

  /// How far its clock is ahead of the chain's, in parts per million.
  package var driftPartsPerMillion: Double {
    direction == .capture ? correction.partsPerMillion : -correction.partsPerMillion
  }

  /// The latency in seconds from the chain to the played signal, or from the recorded signal to the
  /// chain.
  package var latency: Double {
    let buffer =
      device.playback.map { Double(SoundDevice.queuedFrameCount($0)) / $0.sampleRate } ?? 0
    return correction.latency + buffer
  }

  // MARK: - Render thread
  // These neither block nor allocate; libsoxr's resampler is not marked.

  /// True when there is room for a block.
  package var hasRoom: Bool { correction.writableCount >= pushedFrameCount }

  /// Queues a block for playback. Frames without room are dropped.
  package func push(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    if correction.push(channels, frameCount: frameCount) < frameCount { noteGap() }
    notePush()
  }

  /// Reads a block of recorded frames; `width` may be larger than the recorded channels.
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

  /// Frames that the pushing clock has advanced since its last push.
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
