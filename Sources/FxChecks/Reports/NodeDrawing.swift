/// The chain as boxes and lines from left to right, with the status of each node.
struct NodeDrawing {
  private static let box = (width: 148.0, height: 54.0)
  private static let gap = (x: 44.0, y: 18.0)
  private static let margin = 10.0
  /// A larger drawing would be unreadable; the table lists all nodes.
  static let limit = 120

  private let rows: [NodeRow]
  private let layout: GraphLayout

  init?(_ rows: [NodeRow]) {
    guard rows.count > 1, rows.count <= Self.limit else { return nil }
    self.rows = rows
    let places = Dictionary(rows.enumerated().map { ($1.id, $0) }) { first, _ in first }
    layout = GraphLayout(sources: rows.map { $0.sources.compactMap { places[$0] } }) {
      rows[$1].delays[rows[$0].id] != nil
    }
  }

  var html: String {
    let loops = layout.edges.count(where: \.isFeedback)
    let width = x(layout.layerCount) - Self.gap.x + Self.margin
    let height = bottom + Self.margin + (loops > 0 ? 6 + 7 * Double(loops) : 0)
    let size = "\(Markup.coordinate(width)) \(Markup.coordinate(height))"
    let begins = rows.filter { $0.status == .begins }.map(\.id).joined(separator: ", ")
    let words =
      "\(rows.count) nodes from left to right."
      + (begins.isEmpty ? "" : " The difference begins at \(begins).")
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="The chain, drawn"><svg \
      class="graph" width="\(Markup.coordinate(width))" height="\(Markup.coordinate(height))" \
      viewBox="0 0 \(size)" role="img"><title>The chain</title><desc>\(Markup.escaped(words))</desc>\
      <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
      orient="auto-start-reverse"><path d="M0 .5 7 4 0 7.5z"/></marker></defs>\
      \(lines)\(rows.indices.map(box).joined())</svg></div>

      """
  }

  private func x(_ layer: Int) -> Double {
    Self.margin + Double(layer) * (Self.box.width + Self.gap.x)
  }

  /// The middle of a row.
  private func y(_ row: Double) -> Double {
    Self.margin + row * (Self.box.height + Self.gap.y) + Self.box.height / 2
  }

  /// The lower edge of the lowest box.
  private var bottom: Double {
    Self.margin + Double(layout.rowCount) * (Self.box.height + Self.gap.y) - Self.gap.y
  }

  private var lines: String {
    var loops = 0
    return layout.edges.map { edge in
      guard edge.isFeedback else { return line(edge) }
      loops += 1
      return loop(edge, lane: bottom + 5 + 7 * Double(loops))
    }.joined()
  }

  /// A line back below all boxes, with its vertical parts between two columns.
  private func loop(_ edge: GraphLayout.Edge, lane: Double) -> String {
    let c = Markup.coordinate
    let right = x(layout.layers[edge.from]) + Self.box.width + 14
    let left = max(x(layout.layers[edge.to]) - 16, 2)
    let start = y(layout.rows[edge.from])
    let end = (x: x(layout.layers[edge.to]), y: y(layout.rows[edge.to]))
    return """
      <path class="edge loop" marker-end="url(#arrow)" d="M\(c(right - 14)) \(c(start))h6q8 0 8 8\
      V\(c(lane - 8))q0 8 -8 8H\(c(left + 8))q-8 0 -8 -8V\(c(end.y + 8))q0 -8 8 -8H\(c(end.x))"/>
      """
  }

  private func line(_ edge: GraphLayout.Edge) -> String {
    let c = Markup.coordinate
    let start = (x: x(layout.layers[edge.from]) + Self.box.width, y: y(layout.rows[edge.from]))
    let end = (x: x(layout.layers[edge.to]), y: y(layout.rows[edge.to]))
    var path = "M\(c(start.x)) \(c(start.y))"
    var from = start
    func curve(to x: Double, _ y: Double) {
      let middle = (from.x + x) / 2
      path += "C\(c(middle)) \(c(from.y)) \(c(middle)) \(c(y)) \(c(x)) \(c(y))"
      from = (x, y)
    }
    for (index, row) in edge.crossings.enumerated() {
      let left = x(layout.layers[edge.from] + 1 + index)
      curve(to: left, y(row))
      path += "h\(c(Self.box.width))"
      from.x += Self.box.width
    }
    curve(to: end.x, end.y)
    return "<path class=\"edge\" marker-end=\"url(#arrow)\" d=\"\(path)\"/>"
  }

  private func box(_ index: Int) -> String {
    let row = rows[index]
    let c = Markup.coordinate
    let left = x(layout.layers[index])
    let top = y(layout.rows[index]) - Self.box.height / 2
    return """
      <g class="node \(row.status.rawValue)"><title>\(Markup.escaped(row.id)), \
      \(Markup.escaped(row.unit)): \(row.status.words)</title><rect x="\(c(left))" y="\(c(top))" \
      width="\(c(Self.box.width))" height="\(c(Self.box.height))" rx="6"/><text class="name" \
      x="\(c(left + 10))" y="\(c(top + 19))">\(Self.cut(row.id, 17))</text><text x="\(c(left + 10))" \
      y="\(c(top + 33))">\(Self.cut(row.shortUnit, 21))</text><text class="state" \
      x="\(c(left + 10))" y="\(c(top + 47))">\(row.status.words)</text></g>
      """
  }

  private static func cut(_ text: String, _ count: Int) -> String {
    Markup.escaped(text.count > count ? text.prefix(count - 1) + "…" : text)
  }
}
