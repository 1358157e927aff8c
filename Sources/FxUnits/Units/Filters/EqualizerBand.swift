import FxAudio

/// One band of an equalizer: its settings, and the values of its latest design.
///
/// Render thread.
struct EqualizerBand: BitwiseCopyable {
  private let shape: FilterShape
  private let order: Int
  private let isAnalog: Bool
  /// The run of bands that it belongs to, and its first section in that run.
  let run: Int
  let firstSection: Int
  private var frequency = ControlValue()
  private var gain = ControlValue()
  private var q = ControlValue()
  private var enabled = ControlValue()

  init(_ item: ListItem, isAnalog: Bool, run: Int, firstSection: Int) {
    shape = Self.shape(item)
    order = Self.order(item)
    self.isAnalog = isAnalog
    self.run = run
    self.firstSection = firstSection
  }

  static func shape(_ item: ListItem) -> FilterShape {
    guard case .text(let type)? = item.options["type"] else { return .peak }
    return FilterShape(rawValue: type) ?? .peak
  }

  static func order(_ item: ListItem) -> Int {
    guard case .number(let order)? = item.options["order"] else { return 2 }
    return Int(exactly: order) ?? 2
  }

  /// The number of sections of a band.
  static func sectionCount(_ item: ListItem) -> Int { (order(item) + 1) / 2 }

  /// The allowed orders of a shape.
  static func orders(_ shape: FilterShape) -> ClosedRange<Int> {
    switch shape {
    case .lowPass, .highPass: 1...8
    case .lowShelf, .highShelf, .allPass: 1...2
    default: 2...2
    }
  }

  /// The ringing time of a band in frames.
  ///
  /// - Parameter values: Frequency, gain in decibels and Q.
  static func ringingFrames(
    _ item: ListItem, isAnalog: Bool, values: (Double, Double, Double), sampleRate: Double
  ) -> Double {
    guard shape(item) != .level else { return 0 }
    let order = order(item)
    return (0..<sectionCount(item)).reduce(0.0) { frames, index in
      frames
        + section(
          SectionPlace(index: index, order: order), shape(item), isAnalog, values.0, values.2,
          Math.amplitude(decibels: values.1), 1, sampleRate
        ).ringingFrames
    }
  }

  // MARK: - Realtime

  var sectionCount: Int { @_noLocks get { (order &+ 1) / 2 } }

  /// Updates the values at a frame; true when one has changed.
  @_noLocks
  mutating func take(_ signals: Equalizer.Item, _ frame: Int) -> Bool {
    let moved = frequency.take(signals.frequency, frame)
    let gainMoved = gain.take(signals.gain, frame)
    let qMoved = q.take(signals.q, frame)
    let enabledMoved = enabled.take(signals.enabled, frame)
    return moved || gainMoved || qMoved || enabledMoved
  }

  /// One of its sections for the latest values.
  @_noLocks
  func section(_ index: Int, _ sampleRate: Double) -> FilterSection {
    Self.section(
      SectionPlace(index: index, order: order), shape, isAnalog, Double(frequency.value),
      Double(q.value), Double(gain.value), Double(enabled.value), sampleRate)
  }

  @_noLocks
  private static func section(
    _ place: SectionPlace, _ shape: FilterShape, _ isAnalog: Bool, _ frequency: Double,
    _ q: Double, _ amplitude: Double, _ share: Double, _ sampleRate: Double
  ) -> FilterSection {
    if isAnalog {
      return FilterSection(
        analog: place.shape(shape), frequency: frequency, quality: place.quality(q),
        amplitude: amplitude, share: share, sampleRate: sampleRate)
    }
    return FilterSection(
      place.shape(shape), frequency: frequency, quality: place.quality(q), amplitude: amplitude,
      share: share, sampleRate: sampleRate)
  }

  @_noLocks
  func isSettled(_ signals: Equalizer.Item) -> Bool {
    frequency.isSettled(signals.frequency) && gain.isSettled(signals.gain)
      && q.isSettled(signals.q) && enabled.isSettled(signals.enabled)
  }

  @_noLocks
  mutating func reset() {
    frequency.reset()
    gain.reset()
    q.reset()
    enabled.reset()
  }
}
