/// Lines, text and pictures at positions, for an SVG or a PNG file. One unit is a pixel of a page
/// at its normal size; the origin is at the top left.
package struct Drawing: Sendable {
  /// The role of a line or a text; the palette defines its colour.
  enum Ink: Sendable, Hashable {
    case page, panel, ink, quiet, rule, grid
    case series(Int)
  }

  struct Point: Sendable, Equatable {
    var x: Double
    var y: Double
  }

  struct Rectangle: Sendable, Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  struct Text: Sendable {
    enum Anchor: Sendable { case start, middle, end }

    var words: String
    /// The position of the baseline.
    var place: Point
    var size = 11.0
    var anchor = Anchor.start
    var isBold = false
    var ink = Ink.quiet
  }

  enum Item: Sendable {
    case rectangle(Rectangle, Ink)
    /// Several lines in one colour.
    case lines([[Point]], Ink, width: Double)
    case text(Text)
    /// A picture in the colours of `ColorRamp`: a colour index for each pixel, row by row from the
    /// top.
    case picture([UInt8], width: Int, height: Int, Rectangle)
  }

  var width: Double
  var height: Double
  /// The description for people who cannot see the drawing.
  var title: String
  var words: String
  var items: [Item] = []
}

extension Drawing {
  /// Removes points that lie within `tolerance` of the simplified line (Ramer 1972, Douglas and
  /// Peucker 1973).
  static func simplified(_ line: [Point], tolerance: Double = 0.12) -> [Point] {
    guard line.count > 2 else { return line }
    var keeps = [Bool](repeating: false, count: line.count)
    keeps[0] = true
    keeps[line.count - 1] = true
    var spans = [0..<line.count - 1]
    while let span = spans.popLast() {
      let (start, end) = (line[span.lowerBound], line[span.upperBound])
      var (worst, distance) = (span.lowerBound, tolerance)
      for index in span.dropFirst() {
        let own = line[index].distance(toLineFrom: start, to: end)
        if own > distance { (worst, distance) = (index, own) }
      }
      guard worst > span.lowerBound else { continue }
      keeps[worst] = true
      spans.append(span.lowerBound..<worst)
      spans.append(worst..<span.upperBound)
    }
    return line.indices.filter { keeps[$0] }.map { line[$0] }
  }
}

extension Drawing.Point {
  func distance(toLineFrom start: Drawing.Point, to end: Drawing.Point) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let square = dx * dx + dy * dy
    let along = square > 0 ? ((x - start.x) * dx + (y - start.y) * dy) / square : 0
    let share = min(max(along, 0), 1)
    let (ox, oy) = (x - start.x - share * dx, y - start.y - share * dy)
    return (ox * ox + oy * oy).squareRoot()
  }
}
