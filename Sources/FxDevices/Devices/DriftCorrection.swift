import CSoxr
import FxAudio
import FxFrames

/// Keeps what one card records in step with another that plays: a queue, and a resampler whose ratio
/// follows the length of the queue.
///
/// The clocks of two cards are up to some hundred parts per million apart. A proportional-integral
/// control of a few seconds holds the queue at its length; libsoxr's variable-rate mode does the rest
/// with high quality. A view for the render thread; what made it destroys it.
struct DriftCorrection: BitwiseCopyable, @unchecked Sendable {
  // Sendable: pointers that belong to one thread at a time.
  private struct State: BitwiseCopyable {
    /// Recorded frames a played frame, in the long run.
    var integral = 0.0
    var ratio = 1.0
    /// Frames recorded, and those of them that were made into output, fractions included.
    var recorded = 0
    var used = 0.0
    var averageFill = 0.0
    var isPrimed = false
  }

  /// What clocks may be apart; more is no clock.
  private static let limit = 0.002
  /// Seconds in which an error of the queue's length is mostly gone, and over which it is averaged.
  private static let response = 10.0
  private static let average = 1.0

  let width: Int
  /// Frames between recording and the end of the queue.
  let targetFrameCount: Int
  private let sampleRate: Double
  private let queue: PlanarRing
  private let resampler: OpaquePointer
  private let state: UnsafeMutablePointer<State>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// nil without memory.
  static func make(
    width: Int, sampleRate: Double, periodFrameCount: Int, blockFrameCount: Int
  ) -> DriftCorrection? {
    var layout = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
    var recipe = soxr_quality_spec(UInt(SOXR_HQ), UInt(SOXR_VR))
    guard
      let resampler = soxr_create(
        1 + limit, 1, UInt32(max(width, 1)), nil, &layout, &recipe, nil)
    else { return nil }
    return DriftCorrection(
      width: width, sampleRate: sampleRate, resampler: resampler,
      target: periodFrameCount + blockFrameCount + 256)
  }

  private init(width: Int, sampleRate: Double, resampler: OpaquePointer, target: Int) {
    self.width = width
    self.sampleRate = sampleRate
    self.resampler = resampler
    targetFrameCount = target
    queue = .make(channelCount: width, minimumCapacity: 8 * target)
    state = .allocate(capacity: 1)
    inputs = .allocate(capacity: max(width, 1))
    outputs = .allocate(capacity: max(width, 1))
    state.initialize(to: State())
    soxr_set_io_ratio(resampler, 1, 0)
  }

  func destroy() {
    soxr_delete(resampler)
    queue.destroy()
    state.deallocate()
    inputs.deallocate()
    outputs.deallocate()
  }

  /// Forgets what is queued, not what the clocks are apart.
  func reset() {
    queue.advanceTail(queue.readableCount)
    soxr_clear(resampler)
    soxr_set_io_ratio(resampler, state.pointee.ratio, 0)
    let integral = state.pointee.integral
    state.initialize(to: State(integral: integral, ratio: 1 + integral))
  }

  /// How far the recording clock is ahead of the playing one, in parts per million.
  var partsPerMillion: Double { state.pointee.integral * 1e6 }

  /// Takes recorded frames.
  func push(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    state.pointee.recorded += queue.push(channels, frameCount: frameCount)
  }

  /// Gives a block at the playing clock; silence until enough is queued. `waiting` frames are
  /// recorded and not pushed yet; by `late` frames the block comes later than the playing end had room
  /// for it.
  func pull(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, waiting: Int,
    late: Int
  ) {
    // What was recorded while this thread was late says nothing about the clocks.
    var fill = Double(state.pointee.recorded + waiting - late) - state.pointee.used
    if !state.pointee.isPrimed {
      let excess = Int(fill) - targetFrameCount
      guard excess >= 0 else {
        for channel in 0..<width { channels[channel].update(repeating: 0, count: frameCount) }
        return
      }
      let dropped = min(excess, queue.readableCount)
      queue.advanceTail(dropped)
      state.pointee.recorded -= dropped
      fill -= Double(dropped)
      state.pointee.isPrimed = true
      state.pointee.averageFill = fill
    }
    follow(fill, frameCount)
    let done = resample(into: channels, frameCount)
    state.pointee.used += Double(done) * state.pointee.ratio
    guard done < frameCount || fill > Double(6 * targetFrameCount) else { return }
    for channel in 0..<width {
      (channels[channel] + done).update(repeating: 0, count: frameCount - done)
    }
    reset()
  }

  private func follow(_ fill: Double, _ frameCount: Int) {
    let seconds = Double(frameCount) / sampleRate
    let share = min(seconds / DriftCorrection.average, 1)
    state.pointee.averageFill += (fill - state.pointee.averageFill) * share
    let error = state.pointee.averageFill - Double(targetFrameCount)
    // Critically damped: two equal poles.
    let pole = 2 / DriftCorrection.response
    let limit = DriftCorrection.limit
    let integral = state.pointee.integral + error * seconds * pole * pole / sampleRate
    state.pointee.integral = max(-limit, min(limit, integral))
    let ratio = state.pointee.integral + error * 2 * pole / sampleRate
    state.pointee.ratio = 1 + max(-limit, min(limit, ratio))
    soxr_set_io_ratio(resampler, state.pointee.ratio, frameCount)
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
