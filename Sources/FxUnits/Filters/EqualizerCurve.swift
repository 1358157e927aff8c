import FxAudio
import FxDSP

/// The curve of a graphic equalizer: straight lines between levels at given frequencies, as a
/// minimum-phase filter.
struct EqualizerCurve: ~Copyable {
  private let hasCurve: Bool
  private var convolution: Convolution

  init(_ points: [(frequency: Double, decibels: Double)], _ preparation: Preparation) {
    hasCurve = !points.isEmpty
    convolution = Convolution(
      MinimumPhaseImpulse.make(points, sampleRate: preparation.sampleRate),
      channelCount: hasCurve ? preparation.channelCount : 0)
  }

  /// Frequency in hertz and level in decibels, sorted by frequency.
  static func points(
    _ preparation: Preparation
  ) throws(UnitError) -> [(frequency: Double, decibels: Double)] {
    var points: [(frequency: Double, decibels: Double)] = []
    for part in (preparation.text("curve") ?? "").split(separator: ";") {
      let words = part.split(separator: " ")
      if words.isEmpty { continue }
      guard words.count == 2, let frequency = Double(words[0]), let decibels = Double(words[1]),
        frequency > 0, frequency.isFinite, (-100...100).contains(decibels)
      else {
        throw UnitError(
          .badOption,
          "its curve has a frequency in hertz and a level in decibels between two ';', not "
            + "'\(part)'")
      }
      points.append((frequency, decibels))
    }
    return points.sorted { $0.frequency < $1.frequency }
  }

  private static func hasCurve(_ preparation: Preparation) -> Bool {
    (try? points(preparation))?.isEmpty == false
  }

  /// Taps of the filter; 0 without a curve.
  static func tapCount(_ preparation: Preparation) -> Int {
    hasCurve(preparation)
      ? MinimumPhaseImpulse.tapCount(sampleRate: preparation.sampleRate) : 0
  }

  static func byteCount(_ preparation: Preparation) -> Int {
    let count = tapCount(preparation)
    return Convolution.byteCount(
      tapCount: max(count, 1), impulseCount: 1,
      channelCount: count > 0 ? preparation.channelCount : 0)
  }

  // MARK: - Realtime

  /// Filters the outputs in place.
  @_noLocks
  mutating func render(_ block: RenderBlock) {
    guard hasCurve else { return }
    let sound = UnsafeRawPointer(block.outputs).assumingMemoryBound(to: UnsafePointer<Float>.self)
    convolution.process(sound, to: block.outputs, frameCount: block.frameCount)
  }

  var isAtRest: Bool { @_noLocks get { convolution.isAtRest } }

  @_noLocks
  mutating func rest(_ block: RenderBlock) {
    if hasCurve { convolution.rest(frameCount: block.frameCount) }
  }

  @_noLocks
  mutating func reset() { convolution.clear() }
}
