import FxAudio

/// Finds how the level of the noise moves during a sound: in each second and band, against its
/// profile.
///
/// The quietest twentieth of every four seconds is compared with the profile. It counts as noise
/// where its power is distributed as that of Gaussian noise is (exponentially, so that the mean of
/// the logarithms is 2.5 dB below the logarithm of the mean), and where its spectrum has the
/// profile's shape within each band. If more than a quarter of the bands fail, the window has music
/// or speech throughout and tells nothing; the levels are then interpolated between the nearest
/// seconds that have some. On the control thread.
struct NoiseMotion {
  /// The seconds of a window.
  private static let windowCount = 4
  /// The fewest spectra of a window whose noise can be told from music.
  private static let fewest = 12
  /// A known level is not used for more seconds than this; beyond, the level is the profile's.
  private static let longestGap = 10

  /// The quietest part of a window, channel by channel.
  private struct Window {
    /// Channel × band × cell: the mean power.
    var cells: [Float]
    /// Channel × band: is the power distributed as noise's is?
    var isNoise: [Bool]
  }

  private let channelCount: Int
  private let binCount: Int
  private let bands: NoiseBands
  private let slotLength: Int
  /// The seconds of the current window.
  private var recent: [LevelDrawers] = []
  private var slot = 0
  private var windows: [Window?] = []

  init(channelCount: Int, binCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    self.binCount = binCount
    slotLength = Self.slotLength(sampleRate: sampleRate)
    bands = NoiseBands(binCount: binCount)
  }

  /// The frames of a second.
  static func slotLength(sampleRate: Double) -> Int { max(Int(sampleRate), 1) }

  /// Takes a piece's power, channel × bin, and its mean level; nil for digital silence.
  /// - Parameter frame: The middle of the piece.
  mutating func take(_ powers: [Double], level: Double?, frame: Int) {
    if recent.isEmpty { recent.append(LevelDrawers()) }
    while frame >= (slot + 1) * slotLength {
      if recent.count == Self.windowCount { endWindow() }
      recent.append(LevelDrawers())
      slot += 1
    }
    guard let level else { return }
    recent[recent.count - 1].add(
      powers: powers, logarithms: powers.map { Math.log2(max($0, 1e-30)) }, level: level)
  }

  /// Finds the quietest part of the window whose last second is over.
  private mutating func endWindow() {
    windows.append(window())
    recent.removeFirst()
  }

  /// The quietest part of the current window; nil if it has too few spectra.
  private func window() -> Window? {
    var drawers = LevelDrawers()
    for slot in recent { drawers.add(slot) }
    let sum = drawers.quietest(max(Self.fewest, drawers.count / 20))
    guard sum.count >= Self.fewest else { return nil }
    let count = Double(sum.count)
    let powers = sum.powers.map { $0 / count }
    var window = Window(cells: [], isNoise: [])
    for start in stride(from: 0, to: channelCount * binCount, by: binCount) {
      window.cells += bands.cells(powers, from: start)
      for band in 0..<bands.count {
        let bins = bands.bins(band)
        let distance = bins.reduce(0.0) {
          $0 + Math.log2(max(powers[start + $1], 1e-30)) - sum.logarithms[start + $1] / count
        }
        // Between 1.9 and 3 dB.
        window.isNoise.append((0.63...1).contains(distance / Double(bins.count)))
      }
    }
    return window
  }

  /// The level of the noise against `profile` in dB, second × channel × band; empty if it does
  /// not move.
  /// - Parameter profile: The power of the noise, channel × bin.
  mutating func levels(_ profile: [Double]) -> [Double] {
    if recent.count == Self.windowCount { endWindow() }
    var reference: [Float] = []
    for channel in 0..<channelCount {
      reference += bands.cells(profile, from: channel * binCount)
    }
    let starting = windows.map { $0.flatMap { levels($0, against: reference) } }
    var known: [[Double]?] = []
    for second in 0..<starting.count + Self.windowCount - 1 {
      let before = second - Self.windowCount + 1
      let pair = [before, second].filter(starting.indices.contains).compactMap { starting[$0] }
      known.append(pair.max { $0.reduce(0, +) < $1.reduce(0, +) })
    }
    let isStill = known.allSatisfy { $0.map(Self.isStill) ?? true }
    return isStill ? [] : Self.filled(known, width: channelCount * bands.count).flatMap(\.self)
  }

  /// The levels of a window, channel × band; nil if it holds more than noise.
  private func levels(_ window: Window, against reference: [Float]) -> [Double]? {
    var levels: [Double?] = []
    for band in window.isNoise.indices {
      var (sum, logarithms) = (0.0, 0.0)
      for cell in band * NoiseBands.cellCount..<(band + 1) * NoiseBands.cellCount {
        let ratio = Double(max(window.cells[cell], 1e-20) / max(reference[cell], 1e-20))
        sum += ratio / Double(NoiseBands.cellCount)
        logarithms += Math.log2(ratio) / Double(NoiseBands.cellCount)
      }
      let level = 3.010_3 * Math.log2(sum)
      // Within 0.3 dB of the profile's shape.
      let isAlike = Math.log2(sum) - logarithms < 0.1
      levels.append(window.isNoise[band] && isAlike ? min(max(level, -24), 48) : nil)
    }
    guard 4 * levels.count(where: { $0 != nil }) >= 3 * levels.count else { return nil }
    return Self.interpolated(levels)
  }

  private static func isStill(_ levels: [Double]) -> Bool {
    let mean = levels.reduce(0) { $0 + abs($1) } / Double(max(levels.count, 1))
    return mean < 2
  }

  /// The levels, those that are nil from their neighbours.
  private static func interpolated(_ levels: [Double?]) -> [Double] {
    levels.indices.map { index in
      let below = levels[...index].last { $0 != nil } ?? nil
      let above = levels[index...].first { $0 != nil } ?? nil
      return ((below ?? above ?? 0) + (above ?? below ?? 0)) / 2
    }
  }

  /// The levels of all seconds. A gap is filled from both sides.
  private static func filled(_ known: [[Double]?], width: Int) -> [[Double]] {
    let still = [Double](repeating: 0, count: width)
    return known.indices.map { second in
      let below = known[...second].lastIndex { $0 != nil }
      let above = known[second...].firstIndex { $0 != nil }
      func levels(_ index: Int?) -> [Double]? {
        index.flatMap { abs($0 - second) > Self.longestGap ? still : known[$0] }
      }
      guard let before = levels(below) ?? levels(above), let after = levels(above) ?? levels(below)
      else { return still }
      let span = Double(max((above ?? second) - (below ?? second), 1))
      let share = below.map { Double(second - $0) / span } ?? 0
      return zip(before, after).map { $0 + share * ($1 - $0) }
    }
  }
}
