import FxAnalysis
import FxAudio

/// One channel of two sounds and their difference, one below the other, over the same seconds.
struct WaveformDrawing {
  let expected: [Float]?
  let actual: [Float]
  let sampleRate: Double
  let difference: Comparison.Channel?

  private static let width = 900.0
  private static let left = 64.0
  private static let laneHeight = 72.0
  private static let columnCount = 418

  var svg: String {
    let frameCount = max(expected?.count ?? 0, actual.count, 1)
    let seconds = Double(frameCount) / max(sampleRate, 1)
    let time = Axis(range: 0...max(seconds, 1e-9), pixels: Self.left...(Self.width - 8))
    var lanes: [(name: String, style: String, samples: [Float], scale: Double)] = []
    let loudest = Double(
      max(Self.peak(expected ?? []), Self.peak(actual), 1e-9))
    if let expected { lanes.append(("expected", "then", expected, loudest)) }
    lanes.append((expected == nil ? "what came" : "came", "now", actual, loudest))
    if let expected {
      let rest = Self.difference(expected, actual)
      lanes.append(("difference", "diff", rest, max(Double(Self.peak(rest)), 1e-12)))
    }
    let height = Double(lanes.count) * (Self.laneHeight + 10) + 26
    var svg =
      "<svg class=\"wave\" viewBox=\"0 0 \(Int(Self.width)) \(Int(height))\" role=\"img\">"
      + "<title>Waveforms over \(Figures.duration(seconds))</title>"
    for (index, lane) in lanes.enumerated() {
      let top = 4 + Double(index) * (Self.laneHeight + 10)
      svg += laneMarkup(lane.name, lane.style, lane.samples, lane.scale, top, time, frameCount)
    }
    svg += timeAxis(time, height - 22)
    if let first = difference?.firstDifference {
      svg += marker(
        time.place(Double(first) / sampleRate), height - 26, "first difference", "first")
    }
    if let peak = difference?.peakFrame, difference?.firstDifference != nil {
      svg += marker(
        time.place(Double(peak) / sampleRate), height - 26, "largest difference", "peak")
    }
    return svg + "</svg>"
  }

  private func laneMarkup(
    _ name: String, _ style: String, _ samples: [Float], _ scale: Double, _ top: Double,
    _ time: Axis, _ frameCount: Int
  ) -> String {
    let middle = top + Self.laneHeight / 2
    let level = Figures.fixed(Math.decibels(amplitude: scale), places: 1)
    let names =
      "<text class=\"label\" x=\"0\" y=\"\(Markup.place(middle - 3))\">\(name)</text>"
      + "<text class=\"scale\" x=\"0\" y=\"\(Markup.place(middle + 11))\">±\(level) dB</text>"
    let box =
      "<rect class=\"lane\" x=\"\(Markup.place(Self.left))\" y=\"\(Markup.place(top))\" "
      + "width=\"\(Markup.place(Self.width - 8 - Self.left))\" height=\"\(Markup.place(Self.laneHeight))\"/>"
    let line =
      "<line class=\"zero\" x1=\"\(Markup.place(Self.left))\" x2=\"\(Markup.place(Self.width - 8))\" "
      + "y1=\"\(Markup.place(middle))\" y2=\"\(Markup.place(middle))\"/>"
    let half = Self.laneHeight / 2 - 1
    let columns = Envelope(samples, frameCount: frameCount, columnCount: Self.columnCount)
    guard !columns.isSilent else { return names + box + line }
    var upper: [String] = []
    var lower: [String] = []
    for (index, column) in columns.ranges.enumerated() {
      let share = (Double(index) + 0.5) / Double(columns.ranges.count)
      let x = Markup.place(Self.left + share * (Self.width - 8 - Self.left))
      // A line of half a pixel at least.
      let top = middle - Double(column.upperBound) / scale * half
      let bottom = middle - Double(column.lowerBound) / scale * half
      upper.append("\(x) \(Markup.place(min(top, middle + half) - 0.3))")
      lower.append("\(x) \(Markup.place(max(bottom, middle - half) + 0.3))")
    }
    let outline = "M" + (upper + lower.reversed()).joined(separator: "L") + "Z"
    return names + box + line + "<path class=\"\(style)\" d=\"\(outline)\"/>"
  }

  private func timeAxis(_ time: Axis, _ top: Double) -> String {
    time.ticks(atMost: 9).map { tick in
      let x = Markup.place(time.place(tick))
      return "<line class=\"tick\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Markup.place(top - 4))\" "
        + "y2=\"\(Markup.place(top))\"/><text class=\"scale\" text-anchor=\"middle\" x=\"\(x)\" "
        + "y=\"\(Markup.place(top + 13))\">\(Figures.plain(tick)) s</text>"
    }.joined()
  }

  private func marker(_ x: Double, _ height: Double, _ title: String, _ style: String) -> String {
    "<line class=\"marker \(style)\" x1=\"\(Markup.place(x))\" x2=\"\(Markup.place(x))\" y1=\"0\" "
      + "y2=\"\(Markup.place(height))\"><title>\(title)</title></line>"
  }

  private static func peak(_ samples: [Float]) -> Float {
    samples.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
  }

  private static func difference(_ one: [Float], _ other: [Float]) -> [Float] {
    (0..<max(one.count, other.count)).map { frame in
      (frame < other.count ? other[frame] : 0) - (frame < one.count ? one[frame] : 0)
    }
  }
}

/// The least and the greatest sample of each of so many stretches.
struct Envelope {
  private(set) var ranges: [ClosedRange<Float>] = []
  private(set) var isSilent = true

  /// Of `frameCount` frames; `samples` may have fewer. What is no number counts as silence.
  init(_ samples: [Float], frameCount: Int, columnCount: Int) {
    let columns = max(min(columnCount, frameCount), 1)
    ranges.reserveCapacity(columns)
    for column in 0..<columns {
      let start = column * frameCount / columns
      let end = max((column + 1) * frameCount / columns, start + 1)
      var (low, high): (Float, Float) = (0, 0)
      var isFirst = true
      for frame in start..<end where frame < samples.count && samples[frame].isFinite {
        low = isFirst ? samples[frame] : min(low, samples[frame])
        high = isFirst ? samples[frame] : max(high, samples[frame])
        isFirst = false
      }
      if low != 0 || high != 0 { isSilent = false }
      ranges.append(low...high)
    }
  }
}
