import FxKit

/// The cost of each node in the live view.
extension LiveView {
  private struct Column {
    let title: String
    let share: (LiveSnapshot.Load) -> Double
  }

  private static let columnWidth = 8

  /// The columns that fit; the most important ones are kept longest.
  private var columns: [Column] {
    let all = [
      Column(title: "now") { $0.now }, Column(title: "mean") { $0.mean },
      Column(title: "p99") { $0.p99 }, Column(title: "max") { $0.maximum },
    ]
    let room = max(1, (width - nameWidth - levelWidth) / Self.columnWidth)
    switch room {
    case 4...: return all
    case 3: return Array(all.dropFirst())
    case 2: return [all[1], all[3]]
    default: return [all[1]]
    }
  }

  /// The columns for node levels, if they are shown.
  private var levelWidth: Int { snapshot.nodes.contains { $0.peak != nil } ? 10 : 0 }

  /// A table of the nodes, the most expensive first, with the whole blocks at the end.
  func loadLines(room: Int) -> [String] {
    let nodes = snapshot.nodes.filter { $0.load != nil }
      .sorted { ($0.load?.mean ?? 0, $1.id) > ($1.load?.mean ?? 0, $0.id) }
    let total = snapshot.blocks.map { [line("block", $0)] } ?? []
    guard !nodes.isEmpty, room >= 2 + total.count else {
      return Array(total.prefix(max(0, room)))
    }
    let space = room - 1 - total.count
    let shown = nodes.count <= space ? nodes.count : max(1, space - 1)
    var lines = [header]
    for node in nodes.prefix(shown) {
      guard let load = node.load else { continue }
      lines.append(line(plain(node.id), load, peak: node.peak))
    }
    let rest = nodes.dropFirst(shown).compactMap(\.load)
    if !rest.isEmpty, shown < space { lines.append(line(rest)) }
    return lines + total
  }

  private var header: String {
    let share = "of \(Text.decimal(snapshot.blockSeconds * 1000, 2)) ms"
    let titles = columns.map { fit($0.title, Self.columnWidth, isRight: true) }.joined()
    let room = width - nameWidth - titles.count - levelWidth
    let peak = levelWidth > 0 ? fit("peak", levelWidth, isRight: true) : ""
    let text = fit("", nameWidth) + titles + peak
    return style.paint(text + (room > share.count ? " " + share : ""), .dim)
  }

  private func line(
    _ name: String, _ load: LiveSnapshot.Load, peak: Double? = nil
  ) -> String {
    let figures = columns.map { column in
      let share = column.share(load)
      return style.paint(
        fit(Self.percent(share), Self.columnWidth, isRight: true), Self.color(share))
    }.joined()
    let room =
      width - nameWidth - columns.count * Self.columnWidth - levelWidth - 2
    let level =
      levelWidth == 0
      ? "" : fit(peak.map { Self.decibels($0) + " dB" } ?? "", levelWidth, isRight: true)
    return fit(name, nameWidth) + figures + level + bar(load, room: room)
  }

  private func bar(_ load: LiveSnapshot.Load, room: Int) -> String {
    guard room >= 8, load.now.isFinite else { return "" }
    let cells = Int((min(max(load.now, 0), 1) * Double(room)).rounded())
    guard cells > 0 else { return "" }
    return "  "
      + style.paint(String(repeating: style.full, count: cells), Self.color(load.now) ?? .green)
  }

  /// One line for all nodes that do not fit. Percentiles of a sum cannot be computed from its
  /// parts.
  private func line(_ rest: [LiveSnapshot.Load]) -> String {
    let figures = columns.map { column -> String in
      guard column.title == "now" || column.title == "mean" else {
        return fit("", Self.columnWidth)
      }
      let share = rest.reduce(0) { $0 + column.share($1) }
      return fit(Self.percent(share), Self.columnWidth, isRight: true)
    }.joined()
    let name = "\(style.ellipsis) and \(rest.count) more"
    // The name may extend into the first columns; the figures then begin after it.
    let text =
      TerminalText.columns(name) <= nameWidth
      ? fit(name, nameWidth) + figures : TerminalText.cut(name, width)
    return style.paint(text, .dim)
  }

  private static func color(_ share: Double) -> LiveViewStyle.Color? {
    share > 0.8 ? .red : share > 0.5 ? .yellow : nil
  }

  /// `0.25 %`, `12.5 %`, `130 %`.
  static func percent(_ share: Double) -> String {
    let percent = share * 100
    guard percent.isFinite else { return "?" }
    return Text.decimal(min(percent, 99999), percent < 1 ? 2 : percent < 99.95 ? 1 : 0) + " %"
  }
}
