/// Pixels for drawing lines and areas with smooth edges.
struct Raster {
  let width: Int
  let height: Int
  /// Red, green and blue from 0 to 255, row by row from the top.
  private var pixels: [SIMD3<Float>]
  /// Pixels for each unit of a drawing.
  private let scale: Double

  init(width: Double, height: Double, scale: Double) {
    self.width = max(Int((width * scale).rounded()), 1)
    self.height = max(Int((height * scale).rounded()), 1)
    self.scale = scale
    pixels = Array(repeating: SIMD3(repeating: 255), count: self.width * self.height)
  }

  /// Three bytes for each pixel.
  var bytes: [UInt8] {
    pixels.flatMap { pixel -> [UInt8] in
      let rounded = (pixel + 0.5).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
      return [UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z)]
    }
  }

  /// Fills an area with edges at whole pixels.
  mutating func fill(_ place: Drawing.Rectangle, _ color: SIMD3<Float>) {
    let (columns, rows) = frame(place)
    for row in rows {
      for column in columns { pixels[row * width + column] = color }
    }
  }

  /// Draws a picture, each of its pixels as a block.
  mutating func draw(
    _ place: Drawing.Rectangle, columns: Int, rows: Int, color: (Int, Int) -> SIMD3<Float>
  ) {
    let (area, lines) = frame(place)
    guard !area.isEmpty, !lines.isEmpty else { return }
    for row in lines {
      let sourceRow = (row - lines.lowerBound) * rows / lines.count
      for column in area {
        let sourceColumn = (column - area.lowerBound) * columns / area.count
        pixels[row * width + column] = color(sourceColumn, sourceRow)
      }
    }
  }

  private func frame(_ place: Drawing.Rectangle) -> (columns: Range<Int>, rows: Range<Int>) {
    func range(_ start: Double, _ length: Double, _ limit: Int) -> Range<Int> {
      let low = min(max(Int((start * scale).rounded()), 0), limit)
      return low..<min(max(Int(((start + length) * scale).rounded()), low), limit)
    }
    return (range(place.x, place.width, width), range(place.y, place.height, height))
  }

  /// Draws lines of one colour; places where they meet or cross are not darker.
  mutating func stroke(
    _ lines: [[Drawing.Point]], width lineWidth: Double, _ color: SIMD3<Float>
  ) {
    let half = lineWidth * scale / 2
    let points = lines.joined()
    guard let first = points.first else { return }
    var (low, high) = (first, first)
    for point in points {
      low = Drawing.Point(x: min(low.x, point.x), y: min(low.y, point.y))
      high = Drawing.Point(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    func pixel(_ value: Double, _ limit: Int) -> Int {
      min(max(Int(value.rounded(.down)), 0), limit)
    }
    let columns = pixel(low.x * scale - half - 1, width)..<pixel(high.x * scale + half + 2, width)
    let rows = pixel(low.y * scale - half - 1, height)..<pixel(high.y * scale + half + 2, height)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    var mask = Mask(columns: columns, rows: rows)
    for line in lines {
      let scaled = line.map { Drawing.Point(x: $0.x * scale, y: $0.y * scale) }
      if let only = scaled.first, scaled.count == 1 { mask.add(only, only, half) }
      for (start, end) in zip(scaled, scaled.dropFirst()) { mask.add(start, end, half) }
    }
    for row in rows {
      for column in columns {
        let share = mask[column, row]
        guard share > 0 else { continue }
        let index = row * width + column
        pixels[index] += (color - pixels[index]) * share
      }
    }
  }

  /// The coverage of each pixel.
  private struct Mask {
    let columns: Range<Int>
    let rows: Range<Int>
    private var shares: [Float]

    init(columns: Range<Int>, rows: Range<Int>) {
      self.columns = columns
      self.rows = rows
      shares = Array(repeating: 0, count: columns.count * rows.count)
    }

    subscript(column: Int, row: Int) -> Float {
      shares[(row - rows.lowerBound) * columns.count + column - columns.lowerBound]
    }

    /// Adds a line with round ends.
    mutating func add(_ start: Drawing.Point, _ end: Drawing.Point, _ half: Double) {
      let reach = half + 1
      func range(_ one: Double, _ other: Double, _ limit: Range<Int>) -> Range<Int> {
        let low = Int((min(one, other) - reach).rounded(.down))
        let high = Int((max(one, other) + reach).rounded(.up))
        return (low..<max(high, low)).clamped(to: limit)
      }
      for row in range(start.y, end.y, rows) {
        for column in range(start.x, end.x, columns) {
          let middle = Drawing.Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
          let distance = middle.distance(toLineFrom: start, to: end)
          // A line thinner than a pixel covers only its width.
          let share = Float(min(max(half + 0.5 - distance, 0), min(2 * half, 1)))
          guard share > 0 else { continue }
          let index = (row - rows.lowerBound) * columns.count + column - columns.lowerBound
          shares[index] = max(shares[index], share)
        }
      }
    }
  }
}
