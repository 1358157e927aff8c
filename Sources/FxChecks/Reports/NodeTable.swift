/// A table of every node of a chain, then and now.
enum NodeTable {
  /// A longer table would not be readable.
  private static let limit = 1000

  static func html(_ rows: [NodeRow]) -> String {
    let body = rows.prefix(limit).map { row in
      """
      <tr class="\(row.status.rawValue)"><th scope="row">\(Markup.escaped(row.id, limit: 80))</th>\
      <td class="unit">\(Markup.escaped(row.unit, limit: 160))</td>\
      <td class="figure">\(level(row.levelThen))</td><td class="figure">\(level(row.levelNow))</td>\
      <td><span class="state">\(row.status.words)</span></td>\
      <td class="figure">\(row.firstFrame.map(Markup.grouped) ?? "")</td></tr>
      """
    }.joined(separator: "\n")
    let rest =
      rows.count > limit ? "<p class=\"quiet\">And \(rows.count - limit) more nodes.</p>" : ""
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Nodes of the chain"><table>\
      <thead><tr><th scope="col">Node</th><th scope="col">Unit</th>\
      <th scope="col" class="figure">Level then</th><th scope="col" class="figure">Level now</th>\
      <th scope="col">Sound</th><th scope="col" class="figure">Differs from frame</th></tr></thead>
      <tbody>\(body)</tbody></table></div>\(rest)

      """
  }

  private static func level(_ decibels: Double?) -> String {
    decibels.map { Markup.decibels($0) } ?? "–"
  }
}
