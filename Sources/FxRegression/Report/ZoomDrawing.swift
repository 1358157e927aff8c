import FxAnalysis

/// The samples around the first difference, one by one.
struct ZoomDrawing {
  let expected: [Float]
  let actual: [Float]
  let frame: Int
  let sampleRate: Double

  /// Frames on either side.
  private static let reach = 48

  var svg: String {
    let last = max(expected.count, actual.count) - 1
    let start = max(min(frame - Self.reach, last - 2 * Self.reach), 0)
    let end = min(start + 2 * Self.reach, last)
    guard end > start else { return "" }
    func sample(_ samples: [Float], _ frame: Int) -> Double {
      frame < samples.count && samples[frame].isFinite ? Double(samples[frame]) : 0
    }
    let values = (start...end).flatMap { [sample(expected, $0), sample(actual, $0)] }
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    let room = max((high - low) * 0.08, 1e-9)
    let x = Axis(range: Double(start)...Double(end), pixels: 64...892)
    let y = Axis(range: -(high + room)...(-(low - room)), pixels: 4...164)
    func points(_ samples: [Float]) -> [(String, String)] {
      (start...end).map {
        (Markup.place(x.place(Double($0))), Markup.place(y.place(-sample(samples, $0))))
      }
    }
    let line = points(expected).map { "\($0.0) \($0.1)" }.joined(separator: "L")
    let dots = points(actual).map {
      "<circle class=\"now\" cx=\"\($0.0)\" cy=\"\($0.1)\" r=\"2.1\"/>"
    }
    let ticks = x.ticks(atMost: 7).map { tick in
      "<text class=\"scale\" text-anchor=\"middle\" x=\"\(Markup.place(x.place(tick)))\" y=\"182\">"
        + "\(Figures.plain(tick))</text>"
    }
    let place = Markup.place(x.place(Double(frame)))
    return "<svg class=\"zoom\" viewBox=\"0 0 900 190\" role=\"img\"><title>Samples around frame "
      + "\(frame)</title><rect class=\"lane\" x=\"64\" y=\"4\" width=\"828\" height=\"160\"/>"
      + "<text class=\"label\" x=\"0\" y=\"80\">frames</text>"
      + "<text class=\"scale\" x=\"0\" y=\"94\">\(start)–\(end)</text>"
      + "<line class=\"marker first\" x1=\"\(place)\" x2=\"\(place)\" y1=\"4\" y2=\"164\"/>"
      + "<path class=\"thenline\" d=\"M\(line)\"/>" + dots.joined() + ticks.joined() + "</svg>"
  }
}
