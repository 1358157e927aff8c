package import FxKit

/// The cost of a chain as bars: time and memory of each node, and seconds of a render by thread
/// count.
package struct ProfileDrawing {
  private struct Bar {
    var label: String
    /// From 0 to 1.
    var length: Double
    var figure: String
    var series = 0
  }

  private let profile: ChainProfile
  private let title: String

  private static let width = 720.0
  private static let margin = 24.0
  private static let labelWidth = 190.0
  private static let figureWidth = 90.0
  private static let rowHeight = 20.0
  /// More bars would not be readable.
  private static let mostBars = 24

  package init(_ profile: ChainProfile, title: String) {
    self.profile = profile
    self.title = title
  }

  package var drawing: Drawing {
    let parts = [
      ("Time of nodes and steps, ns a frame", times), ("Memory of nodes", memory),
      ("Seconds of a render, by threads", threads),
    ].filter { !$0.1.isEmpty }
    let rows = parts.reduce(0) { $0 + $1.1.count }
    let height = 60 + Double(rows) * Self.rowHeight + Double(parts.count) * 44
    var drawing = Drawing(
      width: Self.width, height: height, title: title,
      words: ([subtitle] + parts.map(\.0)).joined(separator: ". "))
    drawing.items.append(
      .rectangle(Drawing.Rectangle(x: 0, y: 0, width: Self.width, height: height), .page))
    write(title, 30, size: 18, isBold: true, ink: .ink, into: &drawing)
    write(subtitle, 50, size: 12, into: &drawing)
    var y = 60.0
    for (heading, bars) in parts {
      y += 26
      write(heading, y, size: 12, isBold: true, ink: .ink, into: &drawing)
      y += 8
      for bar in bars {
        draw(bar, y, into: &drawing)
        y += Self.rowHeight
      }
      y += 10
    }
    return drawing
  }

  private var subtitle: String {
    "\(Figures.plain(profile.sampleRate / 1000)) kHz · blocks of \(profile.blockSize) frames · "
      + "\(Figures.fixed(profile.nanosecondsPerFrame, places: 1)) ns a frame · "
      + "\(Figures.plain((profile.scaling.first?.periodShare ?? 0) * 100)) % of a period on one thread"
  }

  private var times: [Bar] {
    let nodes = profile.nodes.filter { $0.nanosecondsPerFrame > 0 }.map {
      (label: $0.id, time: $0.nanosecondsPerFrame, series: 0)
    }
    let steps = profile.steps.map {
      (label: $0.label, time: $0.nanosecondsPerFrame, series: 1)
    }
    let all = (nodes + steps).sorted { $0.time > $1.time }.prefix(Self.mostBars)
    let most = all.first?.time ?? 1
    return all.map {
      Bar(
        label: $0.label, length: $0.time / max(most, 1e-9),
        figure: Figures.fixed($0.time, places: 1),
        series: $0.series)
    }
  }

  private var memory: [Bar] {
    let all = profile.nodes.filter { $0.memory > 0 }.sorted { $0.memory > $1.memory }
      .prefix(Self.mostBars)
    let most = Double(all.first?.memory ?? 1)
    return all.map {
      Bar(
        label: $0.id, length: Double($0.memory) / most, figure: MemorySize.text($0.memory),
        series: 2)
    }
  }

  private var threads: [Bar] {
    let most = profile.scaling.map(\.seconds).max() ?? 1
    return profile.scaling.map {
      Bar(
        label: "\($0.threads)", length: $0.seconds / max(most, 1e-9),
        figure: "\(Figures.plain($0.seconds)) s", series: 3)
    }
  }

  private func draw(_ bar: Bar, _ y: Double, into drawing: inout Drawing) {
    let left = Self.margin + Self.labelWidth
    let room = Self.width - left - Self.margin - Self.figureWidth
    let length = max(bar.length * room, 1)
    let words = Self.shortened(bar.label)
    drawing.items.append(
      .text(
        Drawing.Text(
          words: words, place: Drawing.Point(x: left - 8, y: y + 13), size: 12, anchor: .end,
          ink: .ink)))
    drawing.items.append(
      .rectangle(
        Drawing.Rectangle(x: left, y: y + 3, width: length, height: Self.rowHeight - 6),
        .series(bar.series)))
    drawing.items.append(
      .text(
        Drawing.Text(
          words: bar.figure, place: Drawing.Point(x: left + length + 8, y: y + 13), size: 12)))
  }

  private func write(
    _ words: String, _ y: Double, size: Double, isBold: Bool = false, ink: Drawing.Ink = .quiet,
    into drawing: inout Drawing
  ) {
    drawing.items.append(
      .text(
        Drawing.Text(
          words: words, place: Drawing.Point(x: Self.margin, y: y), size: size, isBold: isBold,
          ink: ink)))
  }

  private static func shortened(_ words: String) -> String {
    var words = words
    guard StrokeFont.width(of: words, size: 12) > labelWidth - 12 else { return words }
    while !words.isEmpty, StrokeFont.width(of: words + "…", size: 12) > labelWidth - 12 {
      words.removeLast()
    }
    return words + "…"
  }
}
