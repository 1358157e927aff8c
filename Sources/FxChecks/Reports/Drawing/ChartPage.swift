/// Charts side by side below a heading, followed by sentences.
package struct ChartPage: Sendable {
  package var title: String
  var subtitle: String
  package var charts: [Chart]
  package var sentences: [String]

  package init(title: String, subtitle: String, charts: [Chart], sentences: [String]) {
    self.title = title
    self.subtitle = subtitle
    self.charts = charts
    self.sentences = sentences
  }

  private static let margin = 18.0
  private static let chart = (width: 470.0, height: 260.0)
  private static let lineHeight = 17.0

  /// A single chart is larger; several have two columns, and the first of an odd number has both.
  package var drawing: Drawing {
    let columns = charts.count > 1 ? 2 : 1
    let size = charts.count > 1 ? Self.chart : (width: 640.0, height: 340.0)
    let width = 2 * Self.margin + Double(columns) * size.width
    let sentences = sentences.map(Markup.typographic)
    let lines = sentences.flatMap { Self.wrapped($0, width: width - 2 * Self.margin - 20) }
    let isFirstWide = columns == 2 && charts.count % 2 == 1
    let rows = (charts.count + columns - 1) / columns
    let top = 66.0
    let foot = top + Double(rows) * size.height
    let height = foot + (lines.isEmpty ? 0 : Double(lines.count) * Self.lineHeight + 12) + 8
    var drawing = Drawing(
      width: width, height: height, title: title,
      words: ([subtitle] + charts.map(\.title) + sentences).joined(separator: ". "))
    drawing.items.append(
      .rectangle(Drawing.Rectangle(x: 0, y: 0, width: width, height: height), .page))
    let name = Self.shortened(title, width: width - 2 * Self.margin - 20, size: 18)
    for (words, y, size, isBold) in [
      (name, 30.0, 18.0, true), (subtitle, 49.0, 12.0, false),
    ] {
      drawing.items.append(
        .text(
          Drawing.Text(
            words: words, place: Drawing.Point(x: Self.margin + 10, y: y), size: size,
            isBold: isBold, ink: isBold ? .ink : .quiet)))
    }
    for (index, chart) in charts.enumerated() {
      let isWide = isFirstWide && index == 0
      let cell = isFirstWide && index > 0 ? index + 1 : index
      let place = Drawing.Rectangle(
        x: Self.margin + Double(cell % columns) * size.width,
        y: top + Double(cell / columns) * size.height,
        width: isWide ? 2 * size.width : size.width, height: size.height)
      drawing.items += chart.items(in: place)
    }
    for (index, line) in lines.enumerated() {
      drawing.items.append(
        .text(
          Drawing.Text(
            words: line,
            place: Drawing.Point(
              x: Self.margin + 10, y: foot + 14 + Double(index) * Self.lineHeight), size: 12)))
    }
    return drawing
  }

  /// Breaks words into lines that fit, measured with `StrokeFont`, which is at least as wide as a
  /// page's font.
  private static func wrapped(_ sentence: String, width: Double) -> [String] {
    var lines: [String] = []
    for word in sentence.split(separator: " ") {
      if let last = lines.last, StrokeFont.width(of: "\(last) \(word)", size: 12) <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private static func shortened(_ words: String, width: Double, size: Double) -> String {
    // A page's bold letters are wider than those of `StrokeFont`.
    let width = width / 1.3
    guard StrokeFont.width(of: words, size: size) > width else { return words }
    var words = words
    while !words.isEmpty, StrokeFont.width(of: words + "…", size: size) > width {
      words.removeLast()
    }
    return words + "…"
  }
}
