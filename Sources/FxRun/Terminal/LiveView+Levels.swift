import FxKit

/// Levels and readings of the live view.
extension LiveView {
  /// The lower end of a level bar in dB.
  private static let floor = -60.0
  /// The largest gain reduction of a bar in dB.
  private static let deepest = 24.0
  /// The columns after a bar: ` -12.3 dB CLIP`.
  private static let numberWidth = 14

  private var barWidth: Int { width - nameWidth - 4 - Self.numberWidth }

  /// One line for each channel, inputs first.
  var levelLines: [String] {
    LiveHolds.streams(of: snapshot).flatMap { key, stream in
      stream.channels.indices.map { line(key, stream, $0) }
    }
  }

  private func line(_ key: String, _ stream: LiveSnapshot.Stream, _ channel: Int) -> String {
    let level = stream.channels[channel]
    let name = fit(channel == 0 ? plain(stream.name) : "", nameWidth)
    let label = fit(Self.label(channel, of: stream.channels.count), 2, isRight: true)
    let held = holds.peak(key, channel) ?? level.peak
    let number = fit(Self.decibels(held) + " dB", 9, isRight: true)
    let isClipped =
      barWidth >= 0 && holds.isClipped(key, channel, level.clippedSamples)
    return "\(name) \(label) " + bar(level, held: held)
      + style.paint(number, Self.color(held))
      + (isClipped ? style.paint(" CLIP", .red) : "")
  }

  private static func label(_ channel: Int, of count: Int) -> String {
    switch count {
    case 1: ""
    case 2: channel == 0 ? "L" : "R"
    default: "\(channel + 1)"
    }
  }

  /// Solid up to the RMS, light up to the peak, with a mark at the held peak.
  private func bar(_ level: LiveSnapshot.Level, held: Double) -> String {
    let width = barWidth
    guard width >= 6 else { return "" }
    func cells(_ decibels: Double) -> Int {
      guard decibels.isFinite else { return decibels > 0 ? width : 0 }
      let share = (min(decibels, 0) - Self.floor) / -Self.floor
      return max(0, min(width, Int((share * Double(width)).rounded())))
    }
    let (rms, peak, mark) = (cells(level.rms), cells(level.peak), cells(held))
    var bar = ""
    var run = ""
    var color: LiveViewStyle.Color?
    for cell in 0..<width {
      let place = Self.floor + (Double(cell) + 0.5) / Double(width) * -Self.floor
      let isMark = mark > 0 && cell == mark - 1 && mark > peak
      let next = cell < peak || isMark ? Self.color(place) : nil
      if next != color {
        bar += style.paint(run, color)
        (run, color) = ("", next)
      }
      run +=
        cell < min(rms, peak) ? style.full : cell < peak ? style.light : isMark ? style.hold : " "
    }
    return bar + style.paint(run, color)
  }

  private static func color(_ decibels: Double) -> LiveViewStyle.Color {
    decibels >= -3 ? .red : decibels >= -12 ? .yellow : .green
  }

  /// `-12.3`; `-inf` for silence.
  static func decibels(_ value: Double) -> String {
    value <= -200 || value.isNaN ? "-inf" : Text.decimal(min(value, 999), 1)
  }

  /// One line for each unit with readings: gain reduction as a bar from the right, the rest in
  /// words.
  var readingLines: [String] {
    snapshot.nodes.flatMap { node -> [String] in
      node.readings.isEmpty ? [] : [line(node)]
    }
  }

  private func line(_ node: LiveSnapshot.Node) -> String {
    let name = fit(plain(node.id), nameWidth)
    if let reading = node.readings.first(where: { $0.id == "gainReduction" }) {
      let reduction = max(0, reading.values.max() ?? 0)
      let number = fit("-" + Text.decimal(min(reduction, 999), 1) + " dB", 9, isRight: true)
      let isDown = reduction >= 0.05
      return "\(name)    " + reductionBar(reduction)
        + (isDown ? style.paint(number, .yellow) : fit("0.0 dB", 9, isRight: true))
    }
    let facts = node.readings.map { reading in
      let values = reading.values.map {
        reading.measure == "dB" ? Self.decibels($0) : Text.decimal($0, 2)
      }
      return "\(plain(reading.id)) \(values.joined(separator: " "))"
        + (reading.measure.isEmpty || reading.measure == "ratio" ? "" : " \(reading.measure)")
    }
    return TerminalText.cut(
      "\(name)    " + facts.joined(separator: style.point), width, isUnicode: style.isUnicode)
  }

  private func reductionBar(_ reduction: Double) -> String {
    let width = barWidth
    guard width >= 6 else { return "" }
    let share = min(reduction / Self.deepest, 1)
    let filled = share.isFinite ? Int((share * Double(width)).rounded()) : width
    return String(repeating: " ", count: width - filled)
      + style.paint(String(repeating: style.full, count: filled), .yellow)
  }
}
