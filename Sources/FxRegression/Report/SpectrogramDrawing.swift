import FxAnalysis

/// Spectrograms of one channel side by side: expected, came, and what is between them.
struct SpectrogramDrawing {
  let expected: [Float]?
  let actual: [Float]
  let sampleRate: Double

  private static let columns = 280
  private static let rows = 150
  /// Decibels from the brightest to the darkest.
  private static let depth: Float = 96

  var figures: String {
    let frameCount = max(expected?.count ?? 0, actual.count)
    guard frameCount > 0 else { return "" }
    let grid = Spectrogram.Grid(
      columnCount: Self.columns, rowCount: Self.rows, frameCount: frameCount, sampleRate: sampleRate
    )
    let now = Spectrogram(actual, grid: grid)
    var pictures = [(name: "came", picture: now)]
    var brightest = now.peak
    if let expected {
      let then = Spectrogram(expected, grid: grid)
      brightest = max(brightest, then.peak)
      pictures.insert((name: "expected", picture: then), at: 0)
      // Beyond the shorter one's end there is nothing to take off.
      let count = max(expected.count, actual.count)
      pictures.append(
        (
          name: "difference",
          picture: Spectrogram(
            Self.padded(actual, count), minus: Self.padded(expected, count), grid: grid)
        ))
    }
    let top = brightest > Spectrogram.floor ? brightest : 0
    let drawn = pictures.compactMap { drawing($0.name, $0.picture, top) }
    return "<div class=\"spectra\">" + drawn.joined() + "</div>" + Self.legend(top)
  }

  private static func padded(_ samples: [Float], _ count: Int) -> [Float] {
    samples + [Float](repeating: 0, count: max(count - samples.count, 0))
  }

  private func drawing(_ name: String, _ picture: Spectrogram, _ top: Float) -> String? {
    let grid = picture.grid
    let pixels = picture.levels.map { level -> UInt8 in
      let share = (level - (top - Self.depth)) / Self.depth
      return UInt8(min(max(share, 0), 1) * 255)
    }
    guard
      let png = PNGImage.encode(
        pixels, width: grid.columnCount, height: grid.rowCount, colors: ColorScale.colors)
    else { return nil }
    let (left, width, height) = (42.0, 250.0, 150.0)
    var svg =
      "<figure><figcaption>\(name)</figcaption><svg viewBox=\"0 0 296 172\" role=\"img\">"
      + "<title>Spectrogram: \(name)</title><image x=\"\(Int(left))\" y=\"2\" width=\"\(Int(width))\" "
      + "height=\"\(Int(height))\" preserveAspectRatio=\"none\" "
      + "href=\"data:image/png;base64,\(Markup.base64(png))\"/>"
    for hertz in [100.0, 1000, 10000] where grid.frequencies.contains(hertz) {
      let y = Markup.place(2 + height * (1 - grid.position(ofHertz: hertz)))
      let label = hertz < 1000 ? "\(Int(hertz))" : "\(Int(hertz / 1000)) k"
      svg +=
        "<line class=\"tick\" x1=\"\(Int(left) - 4)\" x2=\"\(Int(left))\" y1=\"\(y)\" y2=\"\(y)\"/>"
        + "<text class=\"scale\" text-anchor=\"end\" dominant-baseline=\"middle\" "
        + "x=\"\(Int(left) - 7)\" y=\"\(y)\">\(label)</text>"
    }
    svg +=
      "<text class=\"scale\" text-anchor=\"end\" x=\"\(Int(left) - 7)\" y=\"13\">Hz</text>"
    let seconds = Double(grid.frameCount) / grid.sampleRate
    let time = Axis(range: 0...max(seconds, 1e-9), pixels: left...(left + width))
    for tick in time.ticks(atMost: 5) {
      let x = Markup.place(time.place(tick))
      let anchor = time.place(tick) > left + width - 14 ? "end" : "middle"
      svg +=
        "<text class=\"scale\" text-anchor=\"\(anchor)\" x=\"\(x)\" y=\"167\">"
        + "\(Figures.plain(tick)) s</text>"
    }
    return svg + "</svg></figure>"
  }

  private static func legend(_ top: Float) -> String {
    let pixels = (0..<256).map { UInt8($0) }
    guard let png = PNGImage.encode(pixels, width: 256, height: 1, colors: ColorScale.colors) else {
      return ""
    }
    return "<p class=\"legend\">\(Figures.fixed(Double(top - depth), places: 0)) dB "
      + "<img alt=\"from dark to bright\" width=\"256\" height=\"10\" "
      + "src=\"data:image/png;base64,\(Markup.base64(png))\"/> "
      + "\(Figures.fixed(Double(top), places: 0)) dB</p>"
  }
}

/// Colours that grow evenly brighter, through blue, violet and orange to yellow, and so can be told
/// apart without seeing their hue.
enum ColorScale {
  private static let stops: [(Double, Double, Double)] = [
    (4, 6, 20), (28, 22, 74), (78, 26, 110), (130, 38, 110), (184, 55, 90), (228, 90, 60),
    (250, 144, 44), (252, 204, 84), (252, 254, 190),
  ]

  static let colors: [(UInt8, UInt8, UInt8)] = (0..<256).map { index in
    let place = Double(index) / 255 * Double(stops.count - 1)
    let stop = min(Int(place), stops.count - 2)
    let part = place - Double(stop)
    func mix(_ one: Double, _ other: Double) -> UInt8 {
      UInt8((one + (other - one) * part).rounded())
    }
    return (
      mix(stops[stop].0, stops[stop + 1].0), mix(stops[stop].1, stops[stop + 1].1),
      mix(stops[stop].2, stops[stop + 1].2)
    )
  }
}
