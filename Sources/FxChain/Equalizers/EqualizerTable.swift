/// The rows of Room EQ Wizard's formatted filter settings, with a header that names the columns:
///
/// ```
/// Number Enabled Control Type Frequency(Hz) Gain(dB) Q Bandwidth(Hz)
/// 1 True Auto PK 40.75 -7.7 2.679 15.21
/// ```
struct EqualizerTable {
  private static let usual = [
    "number", "enabled", "control", "type", "frequency(hz)", "gain(db)", "q", "bandwidth(hz)",
  ]

  private var columns = Self.usual

  /// Reads a header; false for another line.
  mutating func takeHeader(_ text: String) -> Bool {
    let cells = Self.cells(text).map { $0.lowercased() }
    guard cells.starts(with: Self.usual.prefix(4)) else { return false }
    columns = cells
    return true
  }

  /// A row; nil for another line.
  func row(_ text: String, line: Int) throws(EqualizerRemark) -> EqualizerLine? {
    let cells = Self.cells(text)
    guard cells.count > 3, Int(cells[0]) != nil,
      let isOn = ["true": true, "false": false][cells[1].lowercased()]
    else { return nil }
    var row = EqualizerLine(line: line)
    row.isOn = isOn
    row.type = cells[3].uppercased().filter { $0 != "_" && $0 != " " }
    if !isOn || row.type == "NONE" { return row }
    for slope in ["6DB", "12DB"] where row.type.hasSuffix(slope) {
      row.type.removeLast(slope.count)
      row.slope = EqualizerLine.Number(text: String(slope.dropLast(2)))
    }
    for (column, cell) in zip(columns, cells).dropFirst(4) where !cell.isEmpty {
      let field: EqualizerLine.Field? =
        switch column {
        case "frequency(hz)": .frequency
        case "gain(db)": .gain
        case "q": .q
        default: nil
        }
      guard let field else { continue }
      guard EqualizerNumbers.isNumber(cell) else {
        throw EqualizerRemark(
          line: line, message: "'\(cell)' in the column \(column) is not a number")
      }
      row.fields[field] = EqualizerLine.Number(text: cell)
    }
    if row.type.hasSuffix("Q"), row.type.count > 1, row.fields[.q] == nil {
      throw EqualizerRemark(line: line, message: "a \(cells[3]) needs a number in the column Q")
    }
    // A shelf without a Q in its name has none.
    if ["LS", "HS"].contains(row.type) { row.fields[.q] = nil }
    return row
  }

  /// The cells of a line, separated by tabs or, without tabs, by spaces.
  private static func cells(_ text: String) -> [String] {
    text.contains("\t")
      ? text.split(separator: "\t", omittingEmptySubsequences: false).map { String($0).trimmed }
      : text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
