import FxAnalysis

/// The level of each third of an octave of one channel, expected and came.
struct BandDrawing {
  let expected: [Float]?
  let actual: [Float]
  let sampleRate: Double

  /// Decibels below the loudest that are drawn.
  private static let depth = 84.0

  var svg: String {
    let now = BandLevels(actual, sampleRate: sampleRate)
    let then = expected.map { BandLevels($0, sampleRate: sampleRate) }
    let all = now.levels + (then?.levels ?? [])
    guard let loudest = all.filter(\.isFinite).max(), !now.hertz.isEmpty else { return "" }
    let top = (loudest / 6).rounded(.up) * 6
    let level = Axis(range: 0...Self.depth, pixels: 6...176)
    let x = Axis(range: 0...Double(now.hertz.count), pixels: 64...892)
    var svg =
      "<svg class=\"bands\" viewBox=\"0 0 900 204\" role=\"img\"><title>Levels of thirds of an "
      + "octave</title>"
    for tick in stride(from: 0.0, through: Self.depth, by: 24) {
      let y = Markup.place(level.place(tick))
      svg +=
        "<line class=\"zero\" x1=\"64\" x2=\"892\" y1=\"\(y)\" y2=\"\(y)\"/><text class=\"scale\" "
        + "text-anchor=\"end\" dominant-baseline=\"middle\" x=\"58\" y=\"\(y)\">"
        + "\(Figures.plain(top - tick)) dB</text>"
    }
    for index in now.hertz.indices {
      let width = x.place(1) - x.place(0)
      let bottom = level.place(Self.depth)
      let height = bottom - level.place(top - max(now.levels[index], -1000))
      svg +=
        "<rect class=\"now\" x=\"\(Markup.place(x.place(Double(index)) + width * 0.15))\" "
        + "y=\"\(Markup.place(bottom - height))\" width=\"\(Markup.place(width * 0.7))\" "
        + "height=\"\(Markup.place(max(height, 0)))\"/>"
      if let then, then.levels.indices.contains(index) {
        let y = Markup.place(level.place(top - max(then.levels[index], -1000)))
        svg +=
          "<line class=\"thenmark\" x1=\"\(Markup.place(x.place(Double(index)) + 1))\" "
          + "x2=\"\(Markup.place(x.place(Double(index + 1)) - 1))\" y1=\"\(y)\" y2=\"\(y)\"/>"
      }
      if [31.5, 125, 500, 2000, 8000].contains(now.hertz[index]) {
        svg +=
          "<text class=\"scale\" text-anchor=\"middle\" "
          + "x=\"\(Markup.place(x.place(Double(index) + 0.5)))\" y=\"194\">"
          + "\(Figures.frequency(now.hertz[index]))</text>"
      }
    }
    return svg + "</svg>"
  }
}
