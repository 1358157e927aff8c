import FxAudio

/// The curve of a graphic equalizer: straight lines between levels at given frequencies, as a
/// minimum-phase filter. Several curves add up; each may be for some channels only.
struct EqualizerCurve: ~Copyable {
  typealias Points = [CurvePoint]

  private let hasCurve: Bool
  private var convolution: Convolution

  init(_ impulses: [Points], _ preparation: Preparation) {
    hasCurve = !impulses.isEmpty
    let taps = impulses.map {
      MinimumPhaseImpulse.taps($0, Self.length(preparation), sampleRate: preparation.sampleRate)
    }
    convolution = Convolution(
      ImpulseResponse(SoundAsset(taps.isEmpty ? [[1]] : taps)),
      channelCount: hasCurve ? preparation.channelCount : 0)
  }

  private struct Curve {
    /// nil for all channels.
    var selection: ChannelSelection?
    /// Sorted by frequency.
    var points: Points
  }

  /// Reads the option; `FL: 20 0; 1000 3 | 100 2` has a curve for a channel and one for all.
  private static func read(_ preparation: Preparation) throws(Failure) -> [Curve] {
    var curves: [Curve] = []
    for text in (preparation.text("curve") ?? "").split(separator: "|") {
      var curve = Curve(selection: nil, points: [])
      var rest = text
      if let colon = text.firstIndex(of: ":") {
        guard let selection = ChannelSelection(String(text[..<colon])) else {
          throw Failure(
            .usage,
            "its curve names channels before ':', such as 'FL' or '2', not '\(text[..<colon])'"
          )
        }
        curve.selection = selection
        rest = text[text.index(after: colon)...]
      }
      for part in rest.split(separator: ";") {
        if let point = try point(part) { curve.points.append(point) }
      }
      if curve.points.isEmpty { continue }
      curve.points.sort { $0.frequency < $1.frequency }
      curves.append(curve)
    }
    return curves
  }

  private static func point(_ text: Substring) throws(Failure) -> CurvePoint? {
    let words = text.split(separator: " ")
    if words.isEmpty { return nil }
    guard words.count == 2, let frequency = Double(words[0]), let decibels = Double(words[1]),
      frequency > 0, frequency.isFinite, (-100...100).contains(decibels)
    else {
      throw Failure(
        .usage,
        "its curve has a frequency in hertz and a level in decibels between two ';', not "
          + "'\(text)'")
    }
    return CurvePoint(frequency: frequency, decibels: decibels)
  }

  /// Rejects a curve that cannot be read.
  static func check(_ preparation: Preparation) throws(Failure) { _ = try read(preparation) }

  /// The curves of the channels that the signal has.
  private static func curves(
    _ preparation: Preparation
  ) throws(Failure) -> [(channels: [Int], points: Points)] {
    var curves: [(channels: [Int], points: Points)] = []
    for curve in try read(preparation) {
      guard let selection = curve.selection else {
        curves.append((Array(0..<preparation.channelCount), curve.points))
        continue
      }
      let channels = try selection.channels(preparation, "its curve")
      if !channels.isEmpty { curves.append((channels, curve.points)) }
    }
    return curves
  }

  /// The sum of each channel's curves: none without a curve, one if all channels have the same.
  static func impulses(_ preparation: Preparation) throws(Failure) -> [Points] {
    let curves = try curves(preparation)
    if curves.isEmpty { return [] }
    var channels: [Points] = []
    for channel in 0..<preparation.channelCount {
      let own = curves.filter { $0.channels.contains(channel) }
      channels.append(MinimumPhaseImpulse.sum(own.map(\.points)))
    }
    return Set(channels).count < 2 ? Array(channels.prefix(1)) : channels
  }

  /// Taps of the filter; 0 without a curve.
  static func tapCount(_ preparation: Preparation) -> Int {
    (try? impulses(preparation))?.isEmpty == false
      ? MinimumPhaseImpulse.tapCount(length(preparation), sampleRate: preparation.sampleRate) : 0
  }

  private static func length(_ preparation: Preparation) -> MinimumPhaseImpulse.Length {
    preparation.text("curveLength").flatMap { MinimumPhaseImpulse.Length(rawValue: $0) } ?? .short
  }

  static func byteCount(_ preparation: Preparation) -> Int {
    let count = tapCount(preparation)
    let impulseCount = (try? impulses(preparation))?.count ?? 0
    return Convolution.byteCount(
      tapCount: max(count, 1), impulseCount: max(impulseCount, 1),
      channelCount: count > 0 ? preparation.channelCount : 0)
  }

  // MARK: - Realtime

  /// Filters the outputs in place.
  @_noLocks
  mutating func render(_ block: RenderBlock) {
    guard hasCurve else { return }
    convolution.process(block.again.inputs, to: block.outputs, frameCount: block.frameCount)
  }

  var isAtRest: Bool { @_noLocks get { convolution.isAtRest } }

  @_noLocks
  mutating func rest(_ block: RenderBlock) {
    if hasCurve { convolution.rest(frameCount: block.frameCount) }
  }

  @_noLocks
  mutating func reset() { convolution.clear() }
}

extension ChannelSelection {
  /// The selected channels of a signal; those that may be missing are left out.
  func channels(_ preparation: Preparation, _ owner: String) throws(Failure) -> [Int] {
    let (channels, missing) = resolved(in: preparation.layout)
    if let entry = missing.first(where: { !$0.mayBeMissing }) {
      throw Failure(
        .usage,
        "\(owner) is for the channel \(entry.member.label), and the signal is \(preparation.layout)"
      )
    }
    return channels
  }
}
