import CSoxr
import FxAudio
import FxFrames

/// Keeps the frames of one clock in step with another: a queue, and a resampler whose ratio follows
/// the length of the queue.
///
/// The clocks of two cards are up to some hundred parts per million apart. A proportional-integral
/// control of a few seconds holds the queue at its length; libsoxr's variable-rate mode does the rest
/// with high quality. One thread pushes, one pulls; what made it destroys it.
struct DriftCorrection: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the queue is made for two threads, all else belongs to the one that pulls.
  private struct State: BitwiseCopyable {
    /// Relative to the nominal ratio: in the long run, and now.
    var integral = 0.0
    var ratio = 1.0
    /// Frames that had been read from the queue when counting began, and those of the later ones that
    /// were made into output, fractions included.
    var origin = 0
    var used = 0.0
    var averageFill = 0.0
    var isPrimed = false
  }

  /// What clocks may be apart; more is no clock.
  private static let limit = 0.002
  /// Seconds in which an error of the queue's length is mostly gone, and over which it is averaged.
  private static let response = 10.0
  private static let average = 1.0
  /// Frames that a resampler holds, and that a thread may be late by.
  static let reserve = 256

  let width: Int
  /// Frames between what is pushed and what is pulled, at the rate of what is pushed.
  let targetFrameCount: Int
  private let inputRate: Double
  private let outputRate: Double
  private let queue: PlanarRing
  private let resampler: OpaquePointer
  private let state: UnsafeMutablePointer<State>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// For up to so many frames at once on either side, at the rate of that side; what is pushed may
  /// come later by `reserve` frames of what is pulled. nil without memory.
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

  /// Frames pushed a frame pulled, were both clocks right.
  private var nominal: Double { inputRate / outputRate }

  /// Seconds between what is pushed and what is pulled.
  var latency: Double { Double(targetFrameCount) / inputRate }

  /// Room for more, in frames.
  var writableCount: Int { queue.writableCount }
  var readableCount: Int { queue.readableCount }

  /// Nothing more is pushed. On the pushing thread.
  func end() { queue.end() }

  /// True once all that was pushed before the end has been pulled.
  var isOver: Bool { queue.isEnded && queue.readableCount == 0 }

  /// Forgets what is queued, not what the clocks are apart. On the pulling thread.
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

  /// Takes frames. Returns how many there was room for.
  func push(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) -> Int {
    queue.push(channels, frameCount: frameCount)
  }

  /// Gives a block at the pulling clock; silence until enough is queued. `waiting` frames have come
  /// and are not pushed yet; by `late` frames of the pulling clock the block comes later than it was
  /// due. False where frames were missing or too many, and it begins anew.
  func pull(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, waiting: Double,
    late: Int
  ) -> Bool {
    // What came while this thread was late says nothing about the clocks.
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
