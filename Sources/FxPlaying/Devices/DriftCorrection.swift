import CSoxr
import FxAudio

/// Synchronizes the frames of one clock with another clock: a queue, and a resampler whose ratio
/// follows the length of the queue.
///
/// The clocks of two cards differ by up to some hundred parts per million. A proportional-integral
/// controller with a response of a few seconds keeps the queue at its target length. libsoxr's
/// variable-rate mode resamples with high quality. One thread pushes, one pulls; the maker destroys
/// it.
struct DriftCorrection: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the queue is made for two threads; the rest belongs to the pulling thread.
  private struct State: BitwiseCopyable {
    /// Both relative to the nominal ratio: its long-term deviation, and the current ratio.
    var integral = 0.0
    var ratio = 1.0
    /// The queue's read count when counting began, and the frames since then that became output,
    /// including fractions.
    var origin = 0
    var used = 0.0
    var averageFill = 0.0
    var isPrimed = false
  }

  /// The largest plausible deviation between two clocks.
  private static let limit = 0.002
  /// Seconds until an error of the queue's length is mostly corrected, and seconds of its average.
  private static let response = 10.0
  private static let average = 1.0
  /// Frames for the resampler's delay, and for a thread that is late.
  static let reserve = 256

  let width: Int
  /// The target delay from push to pull, in frames at the pushing rate.
  let targetFrameCount: Int
  private let inputRate: Double
  private let outputRate: Double
  private let queue: PlanarRing
  private let resampler: OpaquePointer
  private let state: UnsafeMutablePointer<State>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// `pushed` and `pulled` are the most frames per call, at the rate of their side. Pushed frames
  /// may be late by `reserve` frames at the pulling rate. nil without memory.
  static func make(
    width: Int, from inputRate: Double, pushed: Int, to outputRate: Double, pulled: Int,
    reserve: Int = reserve
  ) -> DriftCorrection? {
    var layout = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
    var recipe = soxr_quality_spec(UInt(SOXR_HQ), UInt(SOXR_VR))
    let nominal = inputRate / outputRate
    guard nominal.isFinite, nominal > 0,
      let resampler = soxr_create(
        nominal * (1 + limit), 1, UInt32(max(width, 1)), nil, &layout, &recipe, nil)
    else { return nil }
    return DriftCorrection(
      width: width, from: inputRate, to: outputRate, resampler,
      target: pushed + Int((Double(pulled + reserve) * max(nominal, 1)).rounded(.up)))
  }

  private init(
    width: Int, from inputRate: Double, to outputRate: Double, _ resampler: OpaquePointer,
    target: Int
  ) {
    self.width = width
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.resampler = resampler
    targetFrameCount = target
    queue = .make(channelCount: width, minimumCapacity: 8 * target)
    state = .allocate(capacity: 1)
    inputs = .allocate(capacity: max(width, 1))
    outputs = .allocate(capacity: max(width, 1))
    state.initialize(to: State())
    soxr_set_io_ratio(resampler, nominal, 0)
  }

  func destroy() {
    soxr_delete(resampler)
    queue.destroy()
    state.deallocate()
    inputs.deallocate()
    outputs.deallocate()
  }

  /// Pushed frames per pulled frame, if both clocks were exact.
  private var nominal: Double { inputRate / outputRate }

  /// The delay from push to pull, in seconds.
  var latency: Double { Double(targetFrameCount) / inputRate }

  /// Free space of the queue, in frames.
  var writableCount: Int { queue.writableCount }
  var readableCount: Int { queue.readableCount }

  /// Ends the stream: nothing more is pushed. On the pushing thread.
  func end() { queue.end() }

  /// True once everything that was pushed before the end has been pulled.
  var isOver: Bool { queue.isEnded && queue.readableCount == 0 }

  /// Clears the queue but keeps the measured deviation of the clocks. On the pulling thread.
  func reset() {
    queue.advanceTail(queue.readableCount)
    soxr_clear(resampler)
    let integral = state.pointee.integral
    state.initialize(
      to: State(integral: integral, ratio: 1 + integral, origin: queue.readCount))
    soxr_set_io_ratio(resampler, nominal * (1 + integral), 0)
  }

  /// How far the pushing clock is ahead of the pulling one, in parts per million.
  var partsPerMillion: Double { state.pointee.integral * 1e6 }

  /// Queues frames. Returns how many had room.
  func push(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) -> Int {
    queue.push(channels, frameCount: frameCount)
  }

  /// Reads a block at the pulling clock; silence until enough frames are queued. `waiting` frames
  /// have arrived but are not pushed yet. `late` is the delay of this call in frames of the pulling
  /// clock. False where frames were missing or too many; then it restarts.
  func pull(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, waiting: Double,
    late: Int
  ) -> Bool {
    // Frames that arrived while this thread was late say nothing about the clocks.
    let now = state.pointee
    var fill =
      Double(queue.readCount + queue.readableCount - now.origin) - now.used + waiting
      - Double(late) * nominal
    if !now.isPrimed {
      let excess = Int(fill) - targetFrameCount
      guard excess >= 0 else {
        for channel in 0..<width { channels[channel].update(repeating: 0, count: frameCount) }
        return true
      }
      let dropped = queue.drop(excess)
      state.pointee.origin += dropped
      fill -= Double(dropped)
      state.pointee.isPrimed = true
      state.pointee.averageFill = fill
    }
    follow(fill, frameCount)
    let done = resample(into: channels, frameCount)
    state.pointee.used += Double(done) * state.pointee.ratio * nominal
    guard done < frameCount || fill > Double(6 * targetFrameCount) else { return true }
    for channel in 0..<width {
      (channels[channel] + done).update(repeating: 0, count: frameCount - done)
    }
    reset()
    return false
  }

  private func follow(_ fill: Double, _ frameCount: Int) {
    let seconds = Double(frameCount) / outputRate
    let share = min(seconds / DriftCorrection.average, 1)
    state.pointee.averageFill += (fill - state.pointee.averageFill) * share
    let error = state.pointee.averageFill - Double(targetFrameCount)
    // Critically damped: two equal poles.
    let pole = 2 / DriftCorrection.response
    let limit = DriftCorrection.limit
    let integral = state.pointee.integral + error * seconds * pole * pole / inputRate
    state.pointee.integral = max(-limit, min(limit, integral))
    let ratio = state.pointee.integral + error * 2 * pole / inputRate
    state.pointee.ratio = 1 + max(-limit, min(limit, ratio))
    soxr_set_io_ratio(resampler, nominal * state.pointee.ratio, frameCount)
  }

  private func resample(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> Int {
    var done = 0
    while done < frameCount {
      var available = queue.readableCount
      for channel in 0..<width {
        let (place, count) = queue.readPointer(channel)
        inputs[channel] = place
        outputs[channel] = channels[channel] + done
        available = min(available, count)
      }
      var consumed = 0
      var produced = 0
      let failure = soxr_process(
        resampler, UnsafeRawPointer(inputs), available, &consumed,
        UnsafeMutableRawPointer(outputs), frameCount - done, &produced)
      queue.advanceTail(consumed)
      done += produced
      if failure != nil || consumed == 0 && produced == 0 { break }
    }
    return done
  }
}
