/// Replaces the output of a plugin that does not answer with its input, delayed by the plugin's
/// latency. Switches between both without clicks.
///
/// On the render thread. A view of memory that `IsolatedPlugin` owns.
struct DryPath {
  /// One ring per channel of the first input bus.
  let rings: UnsafeMutablePointer<Float>
  /// Frames of one ring minus one; the ring's length is a power of two.
  let mask: Int
  let inputCount: Int
  let outputCount: Int
  /// The last sample of each output, and the step at the last switch of the source.
  let lasts: UnsafeMutablePointer<Float>
  let steps: UnsafeMutablePointer<Float>
  /// Frames over which the step fades out.
  let rampFrames: Int
  private var position = 0
  private var rampLeft = 0

  /// `memory` has `floatCount` zeros.
  init(
    memory: UnsafeMutablePointer<Float>, capacity: Int, inputCount: Int, outputCount: Int,
    rampFrames: Int
  ) {
    lasts = memory
    steps = memory + outputCount
    rings = memory + 2 * outputCount
    mask = capacity - 1
    self.inputCount = inputCount
    self.outputCount = outputCount
    self.rampFrames = max(rampFrames, 1)
  }

  /// Frames of a ring for a signal with this delay.
  static func capacity(latency: Int, frameCount: Int) -> Int {
    // Room for a latency that grows during playback.
    let wanted = min(max(latency, 0), 1 << 22) + frameCount + 32768
    var capacity = 65536
    while capacity < wanted { capacity *= 2 }
    return capacity
  }

  static func floatCount(capacity: Int, inputCount: Int, outputCount: Int) -> Int {
    2 * outputCount + inputCount * capacity
  }

  // MARK: - Realtime

  /// Clears all sound.
  @_noLocks
  mutating func clear() {
    for index in 0..<(inputCount * (mask + 1)) { rings[index] = 0 }
    for channel in 0..<outputCount { lasts[channel] = 0 }
    position = 0
    rampLeft = 0
  }

  /// Writes the next frames of an input channel.
  @_noLocks
  func write(_ samples: UnsafePointer<Float>, channel: Int, frameCount: Int) {
    guard channel < inputCount else { return }
    let ring = rings + channel * (mask + 1)
    for frame in 0..<frameCount { ring[(position + frame) & mask] = samples[frame] }
  }

  /// Reads the latest written frames, delayed by `delay` frames. With equal channel counts, each
  /// output reads its channel; a single input goes to all outputs; otherwise the output is silent.
  @_noLocks
  func read(
    into samples: UnsafeMutablePointer<Float>, channel: Int, delay: Int, frameCount: Int
  ) {
    guard inputCount > 0, inputCount == outputCount || inputCount == 1 else {
      for frame in 0..<frameCount { samples[frame] = 0 }
      return
    }
    let ring = rings + (inputCount == 1 ? 0 : channel) * (mask + 1)
    let start = position - min(max(delay, 0), mask + 1 - frameCount)
    for frame in 0..<frameCount { samples[frame] = ring[(start + frame) & mask] }
  }

  /// Ends a run, after every channel was written.
  @_noLocks
  mutating func advance(_ frameCount: Int) { position += frameCount }

  /// Marks that the next run has another source.
  @_noLocks
  mutating func changeOver() { rampLeft = -1 }

  /// Fades out the step between the previous source's last sample and the new source.
  @_noLocks
  mutating func smooth(
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, offset: Int,
    frameCount: Int
  ) {
    guard frameCount > 0 else { return }
    let outputCount = min(outputCount, channelCount)
    if rampLeft < 0 {
      rampLeft = rampFrames
      for channel in 0..<outputCount {
        let step = lasts[channel] - outputs[channel][offset]
        steps[channel] = step - step == 0 ? step : 0
      }
    }
    let count = min(rampLeft, frameCount)
    if count > 0 {
      let scale = 1 / Float(rampFrames)
      for channel in 0..<outputCount {
        let output = outputs[channel] + offset
        let step = steps[channel]
        for frame in 0..<count { output[frame] += step * (Float(rampLeft - frame) * scale) }
      }
      rampLeft -= count
    }
    for channel in 0..<outputCount {
      lasts[channel] = outputs[channel][offset + frameCount - 1]
    }
  }
}
