/// The nodes of a chain from left to right, each behind all that it hears.
struct GraphDrawing {
  struct Box: Equatable {
    var id: String
    var unit: String
    var state: NodeSection.State
    var column: Int
    var row: Int
  }

  let boxes: [Box]
  let lines: [(from: Int, to: Int)]

  /// More than this is a table's work.
  static let mostNodes = 40
  private static let (width, height, gap) = (118.0, 40.0, 34.0)

  init?(_ rows: [NodeSection.Row]) {
    guard rows.count > 1, rows.count <= Self.mostNodes else { return nil }
    var columns: [String: Int] = [:]
    // In the order of rendering, so that all that is not heard through a loop comes first.
    for row in rows {
      columns[row.id] = (row.sources.compactMap { columns[$0] }.max() ?? -1) + 1
    }
    // Sinks stand at the right edge.
    let last = columns.values.max() ?? 0
    for row in rows where row.unit == "sink" { columns[row.id] = last }
    var used: [Int: Int] = [:]
    var boxes: [Box] = []
    for row in rows {
      let column = columns[row.id] ?? 0
      boxes.append(
        Box(
          id: row.id, unit: row.unit, state: row.state, column: column, row: used[column] ?? 0))
      used[column, default: 0] += 1
    }
    self.boxes = boxes
    let places = Dictionary(boxes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    lines = rows.enumerated().flatMap { index, row in
      row.sources.compactMap { source in places[source].map { (from: $0, to: index) } }
    }
  }

  var svg: String {
    let columnCount = (boxes.map(\.column).max() ?? 0) + 1
    let rowCount = (boxes.map(\.row).max() ?? 0) + 1
    let whole = Double(columnCount) * (Self.width + Self.gap) - Self.gap + 4
    let high = Double(rowCount) * (Self.height + 16) + 12
    var svg =
      "<div class=\"scroll\"><svg class=\"graph\" style=\"min-width:\(Int(whole * 0.62))px;max-width:\(Int(whole))px\" "
      + "viewBox=\"0 0 \(Int(whole)) \(Int(high))\" role=\"img\"><title>The nodes and what they "
      + "hear</title>"
    for line in lines {
      let (from, to) = (corner(boxes[line.from]), corner(boxes[line.to]))
      let (x1, y1) = (from.x + Self.width, from.y + Self.height / 2)
      let (x2, y2) = (to.x, to.y + Self.height / 2)
      let isBack = boxes[line.to].column <= boxes[line.from].column
      let bend = isBack ? high * 0.5 : 0
      let reach = isBack ? 46.0 : max((x2 - x1) / 2, 12)
      svg +=
        "<path class=\"edge\(isBack ? " back" : "")\" d=\"M\(Markup.place(x1)) \(Markup.place(y1))"
        + "C\(Markup.place(x1 + reach)) \(Markup.place(y1 + bend)) \(Markup.place(x2 - reach)) "
        + "\(Markup.place(y2 + bend)) \(Markup.place(x2)) \(Markup.place(y2))\"/>"
    }
    for box in boxes { svg += markup(box) }
    return svg + "</svg></div>"
  }

  private func corner(_ box: Box) -> (x: Double, y: Double) {
    (2 + Double(box.column) * (Self.width + Self.gap), 4 + Double(box.row) * (Self.height + 16))
  }

  private func markup(_ box: Box) -> String {
    let (x, y) = corner(box)
    func text(_ words: String, _ style: String, _ line: Double) -> String {
      "<text class=\"\(style)\" x=\"\(Markup.place(x + 9))\" y=\"\(Markup.place(y + line))\">"
        + "\(Markup.escaped(Self.short(words)))</text>"
    }
    let second = box.state == .same ? box.unit : box.state.words
    return "<g class=\"node \(box.state.rawValue)\"><title>\(Markup.escaped(box.id)) "
      + "(\(Markup.escaped(box.unit))): \(box.state.words)</title><rect x=\"\(Markup.place(x))\" "
      + "y=\"\(Markup.place(y))\" width=\"\(Int(Self.width))\" height=\"\(Int(Self.height))\" rx=\"5\"/>"
      + text(box.id, "id", 17) + text(second, "what", 31) + "</g>"
  }

  /// The end of a URI says most.
  private static func short(_ text: String) -> String {
    guard text.count > 18 else { return text }
    return text.contains("://") || text.hasPrefix("urn:")
      ? "…" + text.suffix(16) : text.prefix(17) + "…"
  }
}
