extension Drawing {
  /// The colours of an SVG file.
  package enum Theme: String, Sendable, CaseIterable {
    case light, dark
    /// Light or dark, as the viewer prefers.
    case auto
  }

  /// An SVG file that loads nothing else.
  package func svg(_ theme: Theme) -> String {
    let inks = usedInks
    var style =
      "text{font-family:system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}.b{font-weight:600}"
    style += "path{fill:none;stroke-linejoin:round;stroke-linecap:round}"
    style += rules(theme == .dark ? .dark : .light, inks)
    if theme == .auto { style += "@media(prefers-color-scheme:dark){\(rules(.dark, inks))}" }
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Markup.coordinate(width))" \
      height="\(Markup.coordinate(height))" viewBox="0 0 \(Markup.coordinate(width)) \
      \(Markup.coordinate(height))" role="img"><title>\(Markup.escaped(title))</title>\
      <desc>\(Markup.escaped(words, limit: 4000))</desc><style>\(style)</style>

      """
    for item in items { text += item.svg + "\n" }
    return text + "</svg>\n"
  }

  private var usedInks: [Ink] {
    var inks: [Ink] = []
    func add(_ ink: Ink) { if !inks.contains(ink) { inks.append(ink) } }
    for item in items {
      switch item {
      case .rectangle(_, let ink), .lines(_, let ink, _): add(ink)
      case .text(let text): add(text.ink)
      case .picture: break
      }
    }
    return inks
  }

  private func rules(_ palette: Palette, _ inks: [Ink]) -> String {
    inks.map { ink in
      let color = palette.color(ink).css
      return "path.\(ink.name){stroke:\(color)}text.\(ink.name),rect.\(ink.name){fill:\(color)}"
    }.joined()
  }
}

extension Drawing.Ink {
  /// The name of the CSS class.
  fileprivate var name: String {
    switch self {
    case .page: "page"
    case .panel: "panel"
    case .ink: "ink"
    case .quiet: "quiet"
    case .rule: "rule"
    case .grid: "grid"
    case .series(let index): "s\(index % Palette.light.series.count)"
    }
  }
}

extension Drawing.Item {
  fileprivate var svg: String {
    switch self {
    case .rectangle(let place, let ink): return "<rect class=\"\(ink.name)\"\(place.attributes)/>"
    case .lines(let lines, let ink, let width):
      let path = lines.map(Self.path).joined()
      return
        "<path class=\"\(ink.name)\" stroke-width=\"\(Markup.coordinate(width))\" d=\"\(path)\"/>"
    case .text(let text):
      let anchor =
        switch text.anchor {
        case .start: ""
        case .middle: " text-anchor=\"middle\""
        case .end: " text-anchor=\"end\""
        }
      return "<text class=\"\(text.ink.name)\(text.isBold ? " b" : "")\" "
        + "x=\"\(Markup.coordinate(text.place.x))\" y=\"\(Markup.coordinate(text.place.y))\" "
        + "font-size=\"\(Markup.coordinate(text.size))\"\(anchor)>\(Markup.escaped(text.words))</text>"
    case .picture(let pixels, let width, let height, let place):
      guard let file = PNGImage.file(pixels: pixels, width: width, height: height) else {
        return ""
      }
      return "<image\(place.attributes) preserveAspectRatio=\"none\" "
        + "href=\"\(PNGImage.dataURI(file))\"/>"
    }
  }

  /// A path in steps of a tenth, each relative to the previous point.
  private static func path(_ line: [Drawing.Point]) -> String {
    var path = ""
    var (x, y) = (0, 0)
    for (index, point) in line.enumerated() {
      let (nextX, nextY) = (Self.tenths(point.x), Self.tenths(point.y))
      if index > 0, nextX == x, nextY == y { continue }
      if index == 0 {
        path += "M\(Self.number(nextX)) \(Self.number(nextY))l"
      } else {
        let vertical = Self.number(nextY - y)
        path += Self.number(nextX - x) + (vertical.hasPrefix("-") ? "" : " ") + vertical + " "
      }
      (x, y) = (nextX, nextY)
    }
    if path.hasSuffix(" ") { path.removeLast() }
    return path.hasSuffix("l") ? path + "0 0" : path
  }

  private static func tenths(_ value: Double) -> Int {
    value.isFinite ? Int((min(max(value, -1e6), 1e6) * 10).rounded()) : 0
  }

  /// `12.3`, `-.5`.
  private static func number(_ tenths: Int) -> String {
    let (whole, part) = (tenths.magnitude / 10, tenths.magnitude % 10)
    let sign = tenths < 0 ? "-" : ""
    return part == 0 ? "\(sign)\(whole)" : "\(sign)\(whole == 0 ? "" : "\(whole)").\(part)"
  }
}

extension Drawing.Rectangle {
  fileprivate var attributes: String {
    " x=\"\(Markup.coordinate(x))\" y=\"\(Markup.coordinate(y))\" "
      + "width=\"\(Markup.coordinate(width))\" height=\"\(Markup.coordinate(height))\""
  }
}
