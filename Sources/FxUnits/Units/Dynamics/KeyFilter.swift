import FxAudio

/// The filtered key channels for the detector of a dynamics unit, with the cuts of `keyHighPass`
/// and `keyLowPass`.
///
/// The sound itself is never filtered. While both parameters are at their ends nothing is computed,
/// and the output is the same to the bit as without the filter.
struct KeyFilter: ~Copyable {
  /// The parameters of a unit with a key filter, after its own.
  static let parameters: [ParameterSpec] = [
    .frequency(
      "keyHighPass", "The detector ignores what lies below, 12 dB an octave; 10 Hz is off.",
      lowest...10000, default: lowest),
    .frequency(
      "keyLowPass", "The detector ignores what lies above, 12 dB an octave; 20 kHz is off.",
      100...highest, default: highest),
  ]

  private static var lowest: Double { 10 }
  private static var highest: Double { 20000 }

  /// The parameters' signals.
  struct Signals: BitwiseCopyable {
    let highPass: ParameterSignal
    let lowPass: ParameterSignal

    // MARK: - Realtime

    @_noLocks
    init(_ highPass: ParameterSignal, _ lowPass: ParameterSignal) {
      self.highPass = highPass
      self.lowPass = lowPass
    }

    var isModulated: Bool { @_noLocks get { highPass.isModulated || lowPass.isModulated } }
  }

  /// The key channels of the frames last processed.
  let channels: UnsafeMutablePointer<UnsafePointer<Float>>
  let channelCount: Int
  private let maximumFrameCount: Int
  private let sampleRate: Double
  /// The frequency at which the low-pass is off.
  private let openLowPass: Float
  private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let samples: SampleBuffer
  private var cascade: FilterCascade
  private var highPass = ControlValue()
  private var lowPass = ControlValue()
  /// True from the first frame at which a filter is on.
  private var isOn = false

  init(channelCount: Int, maximumFrameCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    self.maximumFrameCount = maximumFrameCount
    self.sampleRate = sampleRate
    let highest = min(RateLimit.highest(sampleRate: sampleRate), Self.highest)
    openLowPass = Float(0.999 * highest)
    samples = SampleBuffer(count: channelCount * maximumFrameCount)
    cascade = FilterCascade(sectionCount: 2, channelCount: channelCount, sampleRate: sampleRate)
    channels = .allocate(capacity: max(1, channelCount))
    rows = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount {
      let row = samples.samples + channel * maximumFrameCount
      (rows + channel).initialize(to: row)
      (channels + channel).initialize(to: UnsafePointer(row))
    }
  }

  static func byteCount(channelCount: Int, maximumFrameCount: Int, sampleRate: Double) -> Int {
    SampleBuffer.byteCount(count: channelCount * maximumFrameCount)
      + FilterCascade.byteCount(
        sectionCount: 2, channelCount: channelCount, sampleRate: sampleRate)
      + 2 * max(1, channelCount) * MemoryLayout<UnsafePointer<Float>>.stride
  }

  deinit {
    channels.deallocate()
    rows.deallocate()
  }

  // MARK: - Realtime

  /// Updates the parameters at a point of the control grid, or at each frame where they are
  /// modulated.
  ///
  /// - Parameters:
  ///   - frame: The block's frame; between two points of the grid nothing is updated.
  ///   - absolute: The same frame on the timeline.
  @_noLocks
  mutating func update(_ signals: Signals, at frame: Int, absolute: Int) {
    let isPoint = absolute & (ControlGrid.interval - 1) == 0 || highPass.value.isNaN
    guard isPoint || signals.isModulated else { return }
    let hasHighPass = highPass.take(signals.highPass, frame)
    let hasLowPass = lowPass.take(signals.lowPass, frame)
    if hasHighPass || hasLowPass {
      if highPass.value > Float(Self.lowest) || lowPass.value < openLowPass { isOn = true }
      if isOn { design(isModulated: signals.isModulated) }
    }
    if !signals.isModulated { cascade.startPiece() }
  }

  @_noLocks
  private mutating func design(isModulated: Bool) {
    // Near the end of its range a filter fades, so that it is never switched abruptly.
    let bassShare = Self.share((Double(highPass.value) - Self.lowest) / Self.lowest)
    let trebleShare = Self.share(
      5 * (1 - Double(lowPass.value) / Double(openLowPass)))
    let bass = FilterSection(
      .highPass, frequency: Double(highPass.value), share: bassShare, sampleRate: sampleRate)
    let treble = FilterSection(
      .lowPass, frequency: Double(lowPass.value), share: trebleShare, sampleRate: sampleRate)
    if isModulated {
      cascade.follow(0, bass)
      cascade.follow(1, treble)
    } else {
      cascade.set(0, bass)
      cascade.set(1, treble)
    }
  }

  @_noLocks
  private static func share(_ value: Double) -> Double { value < 0 ? 0 : value < 1 ? value : 1 }

  /// True when nothing changes within a block.
  @_noLocks
  func isSettled(_ signals: Signals) -> Bool {
    highPass.isSettled(signals.highPass) && lowPass.isSettled(signals.lowPass)
      && (signals.isModulated || !cascade.isMoving)
  }

  /// True when the output stays silent while the input is, as in `UnitEntry.isAtRest`.
  var isAtRest: Bool {
    @_noLocks get { !isOn || cascade.isAtRest }
  }

  /// Prepares the next frames of a block in `channels`.
  ///
  /// - Parameter first: The block's first key channel; `channelCount` of them are read.
  @_noLocks
  mutating func process(_ block: RenderBlock, first: Int, from frame: Int, count: Int) {
    for channel in 0..<channelCount { channels[channel] = block.inputs[first + channel] + frame }
    guard isOn else { return }
    let piece = RenderBlock(
      inputs: UnsafePointer(channels), inputCount: channelCount, outputs: UnsafePointer(rows),
      outputCount: channelCount, frameCount: count, frame: block.frame &+ frame,
      parameters: block.parameters)
    cascade.render(piece, from: 0, to: count)
    for channel in 0..<channelCount { channels[channel] = UnsafePointer(rows[channel]) }
  }

  /// Filters the keys and finds the larger of their magnitudes for each frame; 0 without a key.
  @_noLocks @inline(__always)
  mutating func findPeaks(
    _ block: RenderBlock, first: Int, from frame: Int, into levels: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    process(block, first: first, from: frame, count: count)
    if channelCount == 0 { levels.update(repeating: 0, count: count) }
    for index in 0..<channelCount {
      LevelDetector.peaks(channels[index], into: levels, count: count, keepsLarger: index > 0)
    }
  }

  @_noLocks
  mutating func reset() {
    cascade.reset()
    highPass.reset()
    lowPass.reset()
    isOn = false
  }
}
