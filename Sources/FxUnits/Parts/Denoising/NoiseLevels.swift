import FxAudio

/// The power of a learnt noise that moves, at any time: its profile times the levels that
/// `NoiseMotion` found, straight in dB between the middles of two seconds.
///
/// Allocated on the control thread, used on the render thread.
struct NoiseLevels: ~Copyable {
  private let channelCount: Int
  private let bandCount: Int
  private let slotLength: Int
  private let slotCount: Int
  /// Slot × channel × band, in dB.
  private let levels: SampleBuffer
  /// The first bin of each band, and the end of the last.
  private let edges: UnsafeMutablePointer<Int>

  /// - Parameter levels: Second × channel × band, in dB. If it is empty, the noise does not move.
  init(_ levels: ArraySlice<Double>, channelCount: Int, binCount: Int, slotLength: Int) {
    let bands = NoiseBands(binCount: binCount)
    self.channelCount = channelCount
    self.slotLength = slotLength
    bandCount = bands.count
    slotCount = levels.count / max(channelCount * bands.count, 1)
    self.levels = SampleBuffer(count: levels.count)
    for (index, level) in levels.enumerated() { self.levels.samples[index] = Float(level) }
    edges = .allocate(capacity: bands.edges.count)
    edges.initialize(from: bands.edges, count: bands.edges.count)
  }

  deinit { edges.deallocate() }

  static func byteCount(levelCount: Int, binCount: Int) -> Int {
    SampleBuffer.byteCount(count: levelCount)
      + NoiseBands(binCount: binCount).edges.count * MemoryLayout<Int>.stride
  }

  // MARK: - Realtime

  var isStill: Bool { @_noLocks get { slotCount == 0 } }

  /// Writes the power of a channel's noise.
  /// - Parameter frame: The time, in frames from the beginning of the sound.
  @_noLocks
  func apply(
    at frame: Int, channel: Int, profile: UnsafePointer<Float>,
    to power: UnsafeMutablePointer<Float>
  ) {
    let time = Float(frame) / Float(slotLength) - 0.5
    let place = min(max(time, 0), Float(slotCount &- 1))
    let slot = min(Int(place), max(slotCount &- 2, 0))
    let share = place - Float(slot)
    let width = channelCount &* bandCount
    let before = levels.samples + (slot &* width &+ channel &* bandCount)
    let after = levels.samples + (min(slot &+ 1, slotCount &- 1) &* width &+ channel &* bandCount)
    power[0] = profile[0]
    for band in 0..<bandCount {
      let level = before[band] + share * (after[band] - before[band])
      // The power of 2 that is 1 dB.
      let factor = Math.exp2(0.332_192_8 * level)
      for bin in edges[band]..<edges[band &+ 1] { power[bin] = factor * profile[bin] }
    }
  }
}
