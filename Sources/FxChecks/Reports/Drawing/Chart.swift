/// Curves between two axes, with a heading, and a legend if there are several.
package struct Chart: Sendable {
  package struct Curve: Sendable {
    package var name: String
    /// Points that are not finite make gaps.
    package var points: [(x: Double, y: Double)]
    /// Vertical bars in place of a line, each as wide as `barWidth` on the horizontal axis.
    var bars: [(x: Double, low: Double, high: Double)] = []
    var barWidth = 0.0
    /// A thin curve without a name, for the unchanged signal.
    var isReference = false

    package init(name: String, points: [(x: Double, y: Double)], isReference: Bool = false) {
      self.name = name
      self.points = points
      self.isReference = isReference
    }

    package init(name: String, bars: [(x: Double, low: Double, high: Double)], width: Double) {
      self.init(name: name, points: [])
      self.bars = bars
      barWidth = width
    }
  }

  /// A picture of levels over time and frequency, in place of curves.
  package struct Picture: Sendable {
    var spectrogram: Spectrogram
    /// The range below the peak in decibels.
    package var range: Float

    package init(_ spectrogram: Spectrogram, range: Float = 100) {
      self.spectrogram = spectrogram
      self.range = range
    }

    /// The levels of the darkest and of the brightest colour.
    var levels: (bottom: Float, top: Float) {
      let top = (spectrogram.peak / 10).rounded(.up) * 10
      return (top - range, top)
    }
  }

  package var title: String
  /// The conditions of the measurement, beside the title.
  package var note: String
  package var across: ChartAxis
  package var up: ChartAxis
  package var curves: [Curve]
  package var picture: Picture?
  /// A larger step splits the curve, for example where an angle wraps around.
  package var jump = Double.infinity

  package init(
    title: String, note: String = "", across: ChartAxis, up: ChartAxis, curves: [Curve],
    picture: Picture? = nil, jump: Double = .infinity
  ) {
    self.title = title
    self.note = note
    self.across = across
    self.up = up
    self.curves = curves
    self.picture = picture
    self.jump = jump
  }

  // MARK: Drawing

  private static let (left, right, top, bottom) = (46.0, 14.0, 44.0, 32.0)

  /// The items of the drawing within a rectangle.
  func items(in place: Drawing.Rectangle) -> [Drawing.Item] {
    let area = Drawing.Rectangle(
      x: place.x + Self.left, y: place.y + Self.top,
      width: place.width - Self.left - Self.right,
      height: place.height - Self.top - Self.bottom)
    var items: [Drawing.Item] = [
      .text(
        Drawing.Text(
          words: title, place: Drawing.Point(x: area.x, y: place.y + 16), size: 14, isBold: true,
          ink: .ink))
    ]
    if !note.isEmpty {
      items.append(
        .text(
          Drawing.Text(
            words: Markup.typographic(note),
            place: Drawing.Point(x: area.x + area.width, y: place.y + 16),
            anchor: .end)))
    }
    items.append(.rectangle(area, .panel))
    if let picture {
      items.append(Self.item(picture, area))
      items += Self.scale(picture, Drawing.Point(x: area.x + 8, y: area.y - 17))
    } else {
      items.append(grid(area))
    }
    items += labels(area)
    items += drawn(area) + legend(area)
    let (x, y) = (area.x, area.y)
    let corners = [
      (x, y), (x + area.width, y), (x + area.width, y + area.height), (x, y + area.height),
    ]
    items.append(
      .lines(
        [(corners + corners.prefix(1)).map { Drawing.Point(x: $0.0, y: $0.1) }], .rule, width: 1))
    return items
  }

  private static func item(_ picture: Picture, _ area: Drawing.Rectangle) -> Drawing.Item {
    let spectrogram = picture.spectrogram
    let (bottom, top) = picture.levels
    return .picture(
      spectrogram.levels.map { ColorRamp.index($0, bottom: bottom, top: top) },
      width: spectrogram.grid.columnCount, height: spectrogram.grid.rowCount, area)
  }

  /// The colours of a picture between the levels that they stand for.
  private static func scale(_ picture: Picture, _ place: Drawing.Point) -> [Drawing.Item] {
    let (bottom, top) = picture.levels
    func text(_ level: Float, _ x: Double) -> Drawing.Item {
      .text(
        Drawing.Text(
          words: Markup.decibels(Double(level), places: 0),
          place: Drawing.Point(x: x, y: place.y + 8)))
    }
    let width = StrokeFont.width(of: Markup.decibels(Double(bottom), places: 0), size: 11)
    return [
      text(bottom, place.x), text(top, place.x + width + 140),
      .picture(
        (0..<ColorRamp.count).map { UInt8($0) }, width: ColorRamp.count, height: 1,
        Drawing.Rectangle(x: place.x + width + 8, y: place.y, width: 124, height: 8)),
    ]
  }

  private func grid(_ area: Drawing.Rectangle) -> Drawing.Item {
    var lines: [[Drawing.Point]] = []
    for tick in across.ticks {
      let x = area.x + across.share(of: tick.value) * area.width
      lines.append([
        Drawing.Point(x: x, y: area.y), Drawing.Point(x: x, y: area.y + area.height),
      ])
    }
    for tick in up.ticks {
      let y = area.y + (1 - up.share(of: tick.value)) * area.height
      lines.append([Drawing.Point(x: area.x, y: y), Drawing.Point(x: area.x + area.width, y: y)])
    }
    return .lines(lines, .grid, width: 1)
  }

  private func labels(_ area: Drawing.Rectangle) -> [Drawing.Item] {
    var items: [Drawing.Item] = []
    var end = -Double.infinity
    for tick in across.ticks where !tick.label.isEmpty {
      let x = area.x + across.share(of: tick.value) * area.width
      let half = StrokeFont.width(of: tick.label, size: 11) / 2
      guard x - half > end + 5 else { continue }
      end = x + half
      items.append(
        .text(
          Drawing.Text(
            words: tick.label, place: Drawing.Point(x: x, y: area.y + area.height + 14),
            anchor: .middle)))
    }
    for tick in up.ticks where !tick.label.isEmpty {
      let y = area.y + (1 - up.share(of: tick.value)) * area.height
      items.append(
        .text(
          Drawing.Text(
            words: tick.label, place: Drawing.Point(x: area.x - 6, y: y + 4), anchor: .end)))
    }
    items.append(
      .text(
        Drawing.Text(
          words: across.title,
          place: Drawing.Point(x: area.x + area.width, y: area.y + area.height + 27), anchor: .end))
    )
    items.append(
      .text(
        Drawing.Text(
          words: up.title, place: Drawing.Point(x: area.x - 6, y: area.y - 11), anchor: .end)))
    return items
  }

  /// The names of the curves above the drawing, if there are several.
  private func legend(_ area: Drawing.Rectangle) -> [Drawing.Item] {
    let named = curves.enumerated().filter { !$0.element.isReference && !$0.element.name.isEmpty }
    guard named.count > 1 else { return [] }
    var items: [Drawing.Item] = []
    var x = area.x
    for (index, curve) in named {
      let width = 22 + StrokeFont.width(of: curve.name, size: 11)
      guard x + width < area.x + area.width else { break }
      let y = area.y - 13
      items.append(
        .lines(
          [[Drawing.Point(x: x, y: y), Drawing.Point(x: x + 14, y: y)]], .series(index), width: 2))
      items.append(
        .text(
          Drawing.Text(
            words: curve.name, place: Drawing.Point(x: x + 18, y: area.y - 9), ink: .ink)))
      x += width + 12
    }
    return items
  }

  private func drawn(_ area: Drawing.Rectangle) -> [Drawing.Item] {
    // Bars lie below lines, and later lines below earlier ones.
    func layer(_ curve: Curve) -> Int { curve.isReference ? 0 : curve.bars.isEmpty ? 2 : 1 }
    let order = curves.enumerated().sorted {
      (layer($0.element), -$0.offset) < (layer($1.element), -$1.offset)
    }
    return order.compactMap { index, curve in
      guard curve.bars.isEmpty else { return bars(curve, index, area) }
      let lines = clippedLines(curve, area)
      guard !lines.isEmpty else { return nil }
      return .lines(
        lines, curve.isReference ? .quiet : .series(index), width: curve.isReference ? 0.8 : 1.6)
    }
  }

  private func bars(_ curve: Curve, _ index: Int, _ area: Drawing.Rectangle) -> Drawing.Item {
    func y(_ value: Double) -> Double {
      area.y + (1 - min(max(up.share(of: value), 0), 1)) * area.height
    }
    let lines = curve.bars.compactMap { bar -> [Drawing.Point]? in
      let share = across.share(of: bar.x)
      guard (0...1).contains(share), bar.low.isFinite, bar.high.isFinite else { return nil }
      let x = area.x + share * area.width
      // A dot where both values are the same.
      return [
        Drawing.Point(x: x, y: y(bar.high)),
        Drawing.Point(x: x, y: max(y(bar.low), y(bar.high) + 0.1)),
      ]
    }
    let width = across.share(of: curve.barWidth) - across.share(of: 0)
    return .lines(lines, .series(index), width: max(width * area.width, 0.6))
  }

  /// The parts of a curve within the area.
  private func clippedLines(_ curve: Curve, _ area: Drawing.Rectangle) -> [[Drawing.Point]] {
    var lines: [[Drawing.Point]] = []
    var line: [Drawing.Point] = []
    func end() {
      if line.count > 1 { lines.append(Drawing.simplified(line)) }
      line = []
    }
    for (from, to) in zip(curve.points, curve.points.dropFirst()) {
      guard let (start, stop) = Self.clipped(position(from), position(to)),
        abs(to.y - from.y) <= jump
      else {
        end()
        continue
      }
      func point(_ share: (x: Double, y: Double)) -> Drawing.Point {
        Drawing.Point(x: area.x + share.x * area.width, y: area.y + (1 - share.y) * area.height)
      }
      let first = point(start)
      if line.last != first {
        end()
        line = [first]
      }
      line.append(point(stop))
    }
    end()
    return lines
  }

  /// Positions as shares of the axes; minus infinity lies far below.
  private func position(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    let y = point.y == -.infinity ? up.range.lowerBound - 1000 : point.y
    return (across.share(of: point.x), up.share(of: y))
  }

  /// The part of a line within the unit square (Liang and Barsky, 1984).
  private static func clipped(
    _ start: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) -> ((x: Double, y: Double), (x: Double, y: Double))? {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    guard dx.isFinite, dy.isFinite else { return nil }
    var (low, high) = (0.0, 1.0)
    for (slope, room) in [(-dx, start.x), (dx, 1 - start.x), (-dy, start.y), (dy, 1 - start.y)] {
      if slope == 0 {
        guard room >= 0 else { return nil }
      } else if slope < 0 {
        low = max(low, room / slope)
      } else {
        high = min(high, room / slope)
      }
    }
    guard low <= high else { return nil }
    func at(_ part: Double) -> (x: Double, y: Double) {
      part == 1 ? end : (start.x + part * dx, start.y + part * dy)
    }
    return (at(low), at(high))
  }
}
