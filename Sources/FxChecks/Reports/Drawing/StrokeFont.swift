/// Letters made of lines, for pictures: they need no font and look the same everywhere.
enum StrokeFont {
  /// A unit of the glyphs, in em, across and down.
  private static let unit = (across: 0.053, down: 0.06)
  /// The height of a capital above the baseline, in units.
  private static let baseline = 12.0
  /// The gap between two glyphs, in units.
  private static let gap = 3.2
  private static let space = 4.8

  /// The lines of a text at its place.
  static func lines(_ text: Drawing.Text) -> [[Drawing.Point]] {
    let (across, down) = (unit.across * text.size, unit.down * text.size)
    let start: Double =
      switch text.anchor {
      case .start: text.place.x
      case .middle: text.place.x - width(of: text.words, size: text.size) / 2
      case .end: text.place.x - width(of: text.words, size: text.size)
      }
    var lines: [[Drawing.Point]] = []
    var x = start
    for character in text.words {
      let glyph = glyph(character)
      for line in glyph.lines {
        lines.append(
          line.map {
            Drawing.Point(
              x: x + $0.x * across, y: text.place.y + ($0.y - baseline) * down)
          })
      }
      x += (glyph.width + gap) * across
    }
    return lines
  }

  static func width(of words: String, size: Double) -> Double {
    let units = words.reduce(0) { $0 + glyph($1).width + gap } - (words.isEmpty ? 0 : gap)
    return units * unit.across * size
  }

  private struct Glyph {
    var lines: [[Drawing.Point]]
    var width: Double
  }

  private static func glyph(_ character: Character) -> Glyph {
    glyphs[character] ?? glyphs[StrokeGlyphs.unknown] ?? Glyph(lines: [], width: space)
  }

  private static let glyphs: [Character: Glyph] = {
    var glyphs = StrokeGlyphs.all.mapValues(parse)
    glyphs[" "] = Glyph(lines: [], width: space)
    // The narrow no-break space and the no-break space.
    glyphs["\u{202f}"] = Glyph(lines: [], width: 1)
    glyphs["\u{a0}"] = glyphs[" "]
    return glyphs
  }()

  /// Reads lines separated by spaces; each point has two digits of base 36: `0c408c`.
  private static func parse(_ text: String) -> Glyph {
    let lines = text.split(separator: " ").map { line -> [Drawing.Point] in
      let digits = line.compactMap { Int(String($0), radix: 36).map(Double.init) }
      return stride(from: 0, to: digits.count - 1, by: 2).map {
        Drawing.Point(x: digits[$0], y: digits[$0 + 1])
      }
    }
    return Glyph(lines: lines, width: lines.joined().map(\.x).max() ?? space)
  }
}
