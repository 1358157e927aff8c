/// The colours of a spectrogram, from dark blue through violet and orange to pale yellow. Each step
/// is lighter, so that it is readable without colour vision.
enum ColorRamp {
  /// Few enough for small pictures, with steps of 3 dB.
  static let count = 32

  /// Red, green and blue at equal distances.
  private static let anchors: [SIMD3<Double>] = [
    [11, 13, 24], [38, 30, 84], [98, 42, 122], [166, 58, 110], [220, 96, 68], [244, 164, 66],
    [253, 242, 190],
  ]

  /// Three bytes for each colour.
  static let bytes: [UInt8] = (0..<count).flatMap { index -> [UInt8] in
    let place = Double(index) / Double(count - 1) * Double(anchors.count - 1)
    let lower = min(Int(place), anchors.count - 2)
    let part = place - Double(lower)
    let color = anchors[lower] * (1 - part) + anchors[lower + 1] * part
    return [UInt8(color.x.rounded()), UInt8(color.y.rounded()), UInt8(color.z.rounded())]
  }

  /// The colours for a style sheet.
  static let gradient =
    "linear-gradient(90deg,"
    + anchors.map { "rgb(\(Int($0.x)),\(Int($0.y)),\(Int($0.z)))" }.joined(separator: ",") + ")"

  /// The colour of a level between `bottom` and `top`.
  static func index(_ level: Float, bottom: Float, top: Float) -> UInt8 {
    guard level.isFinite, top > bottom else { return 0 }
    let share = min(max((level - bottom) / (top - bottom), 0), 1)
    return UInt8((share * Float(count - 1)).rounded())
  }
}
