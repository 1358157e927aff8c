/// A figure with a drawing between two axes. The drawing stretches with the page, its text does
/// not.
struct Plot {
  /// A vertical line with a sign above it.
  struct Marker {
    enum Kind: String {
      /// The position of the first difference.
      case first
      /// The position of the largest difference.
      case peak
    }

    var kind: Kind
    /// From 0 (left) to 1.
    var position: Double
  }

  /// The sentence below the heading; HTML.
  var caption: String
  /// A height in the style sheet: `tall`, `low`, `picture`.
  var height: String
  var across: [AxisTick]
  var down: [AxisTick]
  var markers: [Marker] = []
  /// An `svg` of `Plot.drawing` or an `img`.
  var body: String
  /// Below the axis; HTML.
  var legend = ""

  var html: String {
    let marks = markers.map {
      "<span class=\"\($0.kind.rawValue)\" style=\"left:\(Markup.percent($0.position))\"></span>"
    }.joined()
    return """
      <figure class="plot"><figcaption>\(caption)</figcaption>
      <div class="frame \(height)"><div class="marks" aria-hidden="true">\(marks)</div>
      <div class="y" aria-hidden="true">\(labels(down, "top"))</div>
      <div class="area">\(body)\(lines)</div>
      <div class="x" aria-hidden="true">\(labels(across, "left"))</div></div>\(legend)</figure>

      """
  }

  private func labels(_ ticks: [AxisTick], _ edge: String) -> String {
    ticks.map { tick in
      let end = tick.position < 0.04 ? " start" : tick.position > 0.96 ? " end" : ""
      let note = tick.note.isEmpty ? "" : "<small>\(tick.note)</small>"
      return "<span class=\"tick\(tick.isMinor ? " minor" : "")\(end)\" "
        + "style=\"\(edge):\(Markup.percent(tick.position))\">\(tick.label)\(note)</span>"
    }.joined()
  }

  /// The lines of the markers, above the drawing.
  private var lines: String {
    markers.map {
      "<i class=\"\($0.kind.rawValue)\" style=\"left:\(Markup.percent($0.position))\"></i>"
    }.joined()
  }

  /// An SVG that fills its box, with grid lines below the drawing.
  static func drawing(
    width: Int, height: Int, across: [AxisTick], down: [AxisTick], title: String, words: String,
    paths: String
  ) -> String {
    var grid = ""
    for tick in down {
      grid += "M0 \(Markup.coordinate(tick.position * Double(height)))h\(width)"
    }
    for tick in across {
      grid += "M\(Markup.coordinate(tick.position * Double(width))) 0v\(height)"
    }
    return """
      <svg viewBox="0 0 \(width) \(height)" preserveAspectRatio="none" role="img"><title>\(title)\
      </title><desc>\(words)</desc><path class="grid" d="\(grid)"/>\(paths)</svg>
      """
  }
}
