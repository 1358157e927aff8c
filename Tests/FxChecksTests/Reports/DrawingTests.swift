import Foundation
import FoundationXML
@testable import FxChecks
import Testing

/// Drawings as SVG and PNG.
@Suite struct DrawingTests {
  private func page(_ title: String = "lowPass frequency=1kHz") -> ChartPage {
    let points = (0...200).map { index -> (x: Double, y: Double) in
      let hertz = 20 * pow(1000, Double(index) / 200)
      return (hertz, -10 * log10(1 + pow(hertz / 1000, 4)))
    }
    let chart = Chart(
      title: "Magnitude", note: "a note", across: .frequency(20...20000),
      up: .decibels(points.map(\.y)),
      curves: [
        Chart.Curve(name: "left", points: points),
        Chart.Curve(name: "right", points: points.map { ($0.x, $0.y - 3) }),
      ])
    return ChartPage(
      title: title, subtitle: "48 kHz", charts: [chart, chart],
      sentences: ["It changes with time: <b> & \"so\" on."])
  }

  @Test func `every character of a plain text has a glyph`() {
    for value in 0x20...0x7e {
      let character = Character(UnicodeScalar(UInt8(value)))
      #expect(character == " " || StrokeGlyphs.all[character] != nil, "\(character)")
    }
    for character in "−–°…·∞µ×’" { #expect(StrokeGlyphs.all[character] != nil, "\(character)") }
  }

  @Test func `glyphs stay between the top of capitals and the bottom of descenders`() {
    for (character, text) in StrokeGlyphs.all {
      for line in text.split(separator: " ") {
        #expect(line.count % 2 == 0 && line.count >= 4, "\(character)")
        for (index, digit) in line.enumerated() {
          let value = Int(String(digit), radix: 36)
          #expect(value.map { $0 <= (index % 2 == 0 ? 12 : 16) } == true, "\(character)")
        }
      }
    }
  }

  @Test(arguments: Drawing.Theme.allCases)
  func `an SVG file is well-formed, small and fetches nothing`(_ theme: Drawing.Theme) throws {
    let text = page("<script>alert('x')</script>").drawing.svg(theme)
    #expect(try XMLDocument(xmlString: text).rootElement()?.name == "svg")
    #expect(!text.contains("<script") && !text.contains("http://www.example"))
    #expect(text.utf8.count < 20000)
    #expect(text.contains("prefers-color-scheme") == (theme == .auto))
    #expect(text == page("<script>alert('x')</script>").drawing.svg(theme))
  }

  @Test func `a PNG file has two pixels per unit and follows the theme`() throws {
    let drawing = page().drawing
    let file = try drawing.png(.dark)
    #expect(file.prefix(8) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    func number(_ start: Int) -> Int { file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(16) == Int(drawing.width * 2) && number(20) == Int(drawing.height * 2))
    #expect(try drawing.png(.light) == drawing.png(.auto))
    #expect(try drawing.png(.light) != file)
  }

  @Test func `a line has its full colour where it overlaps another line`() {
    var raster = Raster(width: 10, height: 10, scale: 1)
    let line = [Drawing.Point(x: 0, y: 5), Drawing.Point(x: 10, y: 5)]
    raster.stroke([line, line], width: 2, SIMD3(repeating: 0))
    let bytes = raster.bytes
    #expect(bytes[(4 * 10 + 5) * 3] == 0 && bytes[(5 * 10 + 5) * 3] == 0)
    #expect(bytes[(2 * 10 + 5) * 3] == 255)
  }

  private func panels(_ drawing: Drawing) -> [Drawing.Rectangle] {
    drawing.items.compactMap { item in
      if case .rectangle(let place, .panel) = item { place } else { nil }
    }
  }

  @Test(arguments: 1...6)
  func `charts fill their page`(count: Int) throws {
    var page = page()
    let chart = try #require(page.charts.first)
    page.charts = Array(repeating: chart, count: count)
    let places = panels(page.drawing)
    #expect(places.count == count)
    // Rows of equal widths, each from the left to the right margin.
    for (_, row) in Dictionary(grouping: places, by: \.y) {
      let right = try #require(row.map { $0.x + $0.width }.max())
      #expect(abs(right - (page.drawing.width - 32)) < 1)
      #expect(row.map(\.x).min() == 64)
    }
  }

  @Test func `the colours of a picture have a scale`() {
    let grid = Spectrogram.Grid(columnCount: 4, rowCount: 4, frameCount: 4800, sampleRate: 48000)
    let tone = ReportSamples.tone(4800).channels[0]
    let chart = Chart(
      title: "", across: .time(upTo: 0.1), up: .frequency(20...20000), curves: [],
      picture: Chart.Picture(Spectrogram(tone, grid: grid)))
    let items = chart.items(in: Drawing.Rectangle(x: 0, y: 0, width: 300, height: 200))
    let words = items.compactMap { item in
      if case .text(let text) = item { text.words } else { nil }
    }
    #expect(words.contains("0 dB") && words.contains("\u{2212}100 dB"))
    let pictures = items.compactMap { item in
      if case .picture(let pixels, _, _, _) = item { pixels } else { nil }
    }
    #expect(pictures.count == 2 && pictures[1] == (0..<32).map { UInt8($0) })
  }

  @Test func `a line is drawn above bars`() {
    let chart = Chart(
      title: "", across: .even(0...1, title: ""), up: .even(-1...1, title: ""),
      curves: [
        Chart.Curve(name: "bars", bars: [(0.5, -1, 1), (2, -1, 1), (0.6, .nan, 1)], width: 0.1),
        Chart.Curve(name: "line", points: [(0, 0), (1, 0)]),
      ])
    let items = chart.items(in: Drawing.Rectangle(x: 0, y: 0, width: 260, height: 200))
    let drawn = items.suffix(8).compactMap { item -> (Drawing.Ink, Int, Double)? in
      if case .lines(let lines, let ink, let width) = item {
        (ink, lines.count, width)
      } else {
        nil
      }
    }.filter { $0.0 == .series(0) || $0.0 == .series(1) }.suffix(4)
    let last = drawn.filter { $0.2 != 2 }
    #expect(last.map(\.0) == [.series(0), .series(1)])
    // Only the bar on the axis is drawn, a tenth of the 200 units wide.
    #expect(last.first?.1 == 1 && abs((last.first?.2 ?? 0) - 20) < 1e-9)
  }

  @Test func `lines are clipped to their chart`() {
    let chart = Chart(
      title: "", across: .even(0...1, title: ""), up: .even(0...1, title: ""),
      curves: [
        Chart.Curve(
          name: "", points: [(-1, -1), (2, 2), (0.5, .infinity), (0.5, .nan), (0.5, -.infinity)])
      ])
    let place = Drawing.Rectangle(x: 0, y: 0, width: 200, height: 200)
    var count = 0
    for case .lines(let lines, .series(0), _) in chart.items(in: place) {
      for point in lines.joined() {
        count += 1
        #expect((46...186).contains(point.x) && (44...168).contains(point.y))
      }
    }
    #expect(count == 2)
  }

  @Test func `an angle that wraps around is cut`() {
    let points = [(x: 0.0, y: -170.0), (0.4, -179), (0.5, 179), (1, 170)]
    func lineCount(_ jump: Double) -> Int {
      let chart = Chart(
        title: "", across: .even(0...1, title: ""), up: .even(-180...180, title: "°", steps: [90]),
        curves: [Chart.Curve(name: "", points: points)], jump: jump)
      for case .lines(let lines, .series(0), _) in chart.items(
        in: Drawing.Rectangle(x: 0, y: 0, width: 300, height: 200))
      {
        return lines.count
      }
      return 0
    }
    #expect(lineCount(200) == 2 && lineCount(.infinity) == 1)
  }

  @Test func `simplified lines keep their ends and corners`() {
    let line = (0...100).map { Drawing.Point(x: Double($0), y: $0 < 50 ? 0 : Double($0 - 50)) }
    let simple = Drawing.simplified(line)
    #expect(simple == [line[0], line[50], line[100]])
    #expect(Drawing.simplified([line[0]]) == [line[0]])
  }

  @Test func `axes have a few round marks`() {
    #expect(ChartAxis.even(0...1, title: "").ticks.map(\.label).contains("0.4"))
    #expect(ChartAxis.even(0...1, title: "", steps: [0.25]).ticks.map(\.label).contains("0.25"))
    #expect(ChartAxis.decibels([0, -0.001]).range.contains(0))
    #expect(ChartAxis.decibels([0, -.infinity, -200]).range.lowerBound >= -96)
    #expect(ChartAxis.even(0...Double.infinity, title: "").range == 0...1)
    let labels = ChartAxis.frequency(20...20000).ticks.map(\.label).filter { !$0.isEmpty }
    #expect(labels == ["20", "50", "100", "200", "500", "1k", "2k", "5k", "10k", "20k"])
  }
}
