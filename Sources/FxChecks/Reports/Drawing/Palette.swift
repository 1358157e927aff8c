/// The colours of pages and drawings, for light and dark themes.
struct Palette: Sendable, Equatable {
  /// Red, green and blue as `0xRRGGBB`.
  package struct Color: Sendable, Equatable {
    package var bits: UInt32

    init(_ bits: UInt32) { self.bits = bits }

    /// `#0b62b0`.
    var css: String {
      let digits = String(bits, radix: 16)
      return "#" + String(repeating: "0", count: max(6 - digits.count, 0)) + digits
    }

    /// From 0 to 255.
    var channels: SIMD3<Float> {
      SIMD3(Float(bits >> 16 & 255), Float(bits >> 8 & 255), Float(bits & 255))
    }
  }

  var page: Color
  var panel: Color
  var ink: Color
  var quiet: Color
  var rule: Color
  var grid: Color
  /// The colours of curves: blue and orange first, which people with any colour vision can
  /// distinguish.
  var series: [Color]

  package static let light = Palette(
    page: Color(0xffffff), panel: Color(0xf6f7f9), ink: Color(0x1b1f24), quiet: Color(0x57606a),
    rule: Color(0xd4dae1), grid: Color(0xe6eaef),
    series: [0x0b62b0, 0xb8470a, 0x7a3f98, 0x116b3a, 0x8a6100, 0xb3266b, 0x0e7490, 0x57606a]
      .map(Color.init))

  package static let dark = Palette(
    page: Color(0x14171c), panel: Color(0x1a1f26), ink: Color(0xe6e9ee), quiet: Color(0xa3adba),
    rule: Color(0x333b46), grid: Color(0x2a313b),
    series: [0x6cb6ff, 0xffa657, 0xd2a8ff, 0x7ee2a8, 0xe3c75f, 0xff8fc0, 0x66d9e8, 0xa3adba]
      .map(Color.init))

  /// The variables of a style sheet.
  var variables: String {
    "--page:\(page.css);--panel:\(panel.css);--ink:\(ink.css);--quiet:\(quiet.css);"
      + "--rule:\(rule.css);--grid:\(grid.css);--expected:\(series[0].css);"
      + "--actual:\(series[1].css);--difference:\(series[2].css);--good:\(series[3].css);"
  }

  func color(_ ink: Drawing.Ink) -> Color {
    switch ink {
    case .page: page
    case .panel: panel
    case .ink: self.ink
    case .quiet: quiet
    case .rule: rule
    case .grid: grid
    case .series(let index): series[index % series.count]
    }
  }
}
