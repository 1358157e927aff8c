import FxAudio

/// The compressor of one band: one gain for all channels, from the loudest channel.
///
/// Render thread. The detector and the curve are those of `Compressor`.
struct BandCompressor: BitwiseCopyable {
  private let sampleRate: Double
  private var envelope = EnvelopeFollower()
  private var grid = ControlGrid()
  private var threshold = ControlValue()
  private var ratio = ControlValue()
  private var knee = ControlValue()
  private var attack = ControlValue()
  private var release = ControlValue()
  private var curve = GainComputer(threshold: 0, ratio: 1, knee: 0)
  private var speed = EnvelopeFollower.Speed(attack: 0, release: 0, sampleRate: 1)
  private var largest: Float = 0

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  // MARK: - Realtime

  /// Starts a block.
  @_noLocks
  mutating func begin() { largest = 0 }

  /// The largest reduction of the block, in decibels.
  var largestReduction: Float {
    @_noLocks get { largest * Float(GainComputer.decibelsPerOctave) }
  }

  /// Compresses frames of a band in place.
  ///
  /// - Parameters:
  ///   - start: The first frame of the band, counted from the beginning of the block.
  ///   - gains: Memory for `count` frames.
  @_noLocks
  mutating func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int,
    _ signals: Multiband.Item, from start: Int, count: Int, block: RenderBlock,
    gains: UnsafeMutablePointer<Float>
  ) {
    var frame = 0
    while frame < count {
      if grid.isDue(block.frame &+ start &+ frame) { update(signals, start &+ frame) }
      let left = count &- frame
      let piece =
        isSettled(signals)
        ? left : min(left, grid.pieceEnd(block, after: start &+ frame) &- start &- frame)
      for channel in 0..<channelCount {
        LevelDetector.peaks(
          UnsafePointer(channels[channel] + frame), into: gains, count: piece,
          keepsLarger: channel > 0)
      }
      curve.reduceAmplitudes(gains, count: piece)
      let reduction = envelope.follow(gains, count: piece, speed: speed)
      largest = reduction > largest ? reduction : largest
      for index in 0..<piece {
        let place = start &+ frame &+ index
        gains[index] =
          Math.exp2(-gains[index]) * signals.makeup[place] * (1 - signals.mute[place])
      }
      for channel in 0..<channelCount {
        let samples = channels[channel] + frame
        for index in 0..<piece { samples[index] *= gains[index] }
      }
      frame &+= piece
    }
  }

  @_noLocks
  private mutating func update(_ signals: Multiband.Item, _ frame: Int) {
    let hasThreshold = threshold.take(signals.threshold, frame)
    let hasRatio = ratio.take(signals.ratio, frame)
    let hasKnee = knee.take(signals.knee, frame)
    if hasThreshold || hasRatio || hasKnee {
      curve = GainComputer(threshold: threshold.value, ratio: ratio.value, knee: knee.value)
    }
    let hasAttack = attack.take(signals.attack, frame)
    let hasRelease = release.take(signals.release, frame)
    if hasAttack || hasRelease {
      speed = EnvelopeFollower.Speed(
        attack: Double(attack.value), release: Double(release.value), sampleRate: sampleRate)
    }
  }

  @_noLocks
  private func isSettled(_ signals: Multiband.Item) -> Bool {
    threshold.isSettled(signals.threshold) && ratio.isSettled(signals.ratio)
      && knee.isSettled(signals.knee) && attack.isSettled(signals.attack)
      && release.isSettled(signals.release)
  }

  /// True when silence needs no reduction. `rest` releases the remaining reduction.
  @_noLocks
  func isAtRest(_ signals: Multiband.Item, _ gains: UnsafeMutablePointer<Float>) -> Bool {
    guard isSettled(signals) else { return false }
    gains[0] = 0
    curve.reduceAmplitudes(gains, count: 1)
    return gains[0] == 0
  }

  /// Releases the remaining reduction.
  @_noLocks
  mutating func rest(frameCount: Int) {
    largest = envelope.release(count: frameCount, speed: speed)
  }

  @_noLocks
  mutating func reset() {
    envelope.clear()
    grid.reset()
    largest = 0
  }
}
