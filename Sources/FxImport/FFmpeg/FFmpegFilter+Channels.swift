import FxChain
import FxNodes

extension FFmpegFilter {
  private static let layouts = [
    "mono": 1, "stereo": 2, "2c": 2, "1c": 1, "quad": 4, "4c": 4, "5.1": 6, "6c": 6,
  ]
  private static let positions = ["FL": 0, "FR": 1, "FC": 2, "LFE": 3, "BL": 4, "BR": 5]

  /// `stereo|c0=0.5*c0+0.5*c1|c1<c1`: a matrix; `<` divides by the sum of the factors.
  func pan(_ path: inout SignalPath) {
    let start = effect.source.path.firstIndex(of: "=").map { effect.source.path.index(after: $0) }
    let parts = (start.map { String(effect.source.path[$0...]) } ?? "")
      .split(separator: "|").map { String($0).trimmed.filter { $0 != "'" && !$0.isWhitespace } }
    guard let layout = parts.first.map({ $0.replacing("args=", with: "") }),
      let width = Self.layouts[layout]
    else { return effect.refuse("fxrun does not know this layout of channels") }
    var routes: [Matrix.Route] = []
    for part in parts.dropFirst() {
      guard let made = Self.routes(part, path.width, layout == "mono" ? 1 : width) else {
        return effect.refuse("'\(part)' is no sum of channels of a signal with \(path.width)")
      }
      routes += made
    }
    let node = Matrix(id: id, channels: width, routes: routes)
    path.append(node.comment("ffmpeg: \(effect.source.path)"), width: width)
    effect.source.settle(.translated("for a sound of two channels"))
  }

  private static func channel(_ text: String, _ count: Int) -> Int? {
    let index =
      text.hasPrefix("c") ? Int(text.dropFirst()) : text == "FC" && count == 1 ? 0 : positions[text]
    return index.flatMap { (0..<count).contains($0) ? $0 : nil }
  }

  private static func routes(_ text: String, _ inputs: Int, _ outputs: Int) -> [Matrix.Route]? {
    guard let sign = text.firstIndex(where: { $0 == "=" || $0 == "<" }),
      let target = channel(String(text[..<sign]), outputs)
    else { return nil }
    var summands: [(channel: Int, factor: Double)] = []
    let sum = text[text.index(after: sign)...].replacing("-", with: "+-")
    for summand in sum.split(separator: "+") {
      var words = summand.split(separator: "*").map(String.init)
      var isNegative = false
      if words[0].hasPrefix("-"), Double(words[0]) == nil {
        isNegative = true
        words[0].removeFirst()
      }
      guard let source = words.last.flatMap({ channel($0, inputs) }), words.count <= 2 else {
        return nil
      }
      let factor = words.count == 2 ? Double(words[0]) : 1
      guard let factor else { return nil }
      summands.append((source, isNegative ? -factor : factor))
    }
    let total = text[sign] == "<" ? summands.reduce(0) { $0 + abs($1.factor) } : 1
    return summands.compactMap { summand in
      let factor = summand.factor / (total == 0 ? 1 : total)
      guard factor != 0 else { return nil }
      let level = rounded(decibels(abs(factor)))
      return Matrix.Route(
        from: summand.channel + 1, to: target + 1, gain: level == 0 ? nil : .decibels(level),
        invert: factor < 0 ? true : nil)
    }
  }

  /// `500|20S|1s`: a time for each channel, in milliseconds, frames or seconds.
  func delay(_ path: inout SignalPath) {
    var times = (text("delays", at: 0) ?? "").split(separator: "|").map { time(String($0)) }
    if let all = text("all"), all != "0", let first = times.first {
      times = Array(repeating: first, count: path.width)
    }
    effect.append(times: times, of: "ffmpeg", to: &path)
  }

  private func time(_ text: String) -> Double? {
    if text.hasSuffix("S") {
      return Double(text.dropLast()).map { $0 / effect.importing.sampleRate }
    }
    if text.hasSuffix("s") { return Double(text.dropLast()) }
    return Double(text).map { $0 / 1000 }
  }

  /// The difference of the sides to their middle, times a factor.
  func width() -> [Node] {
    let factor = number("m", at: 0) ?? 2.5
    effect.source.turn(.translated("without its clipping, 'c'"))
    return [Width(id: id, width: .percent(rounded(factor * 100))).node]
  }

  func crossfeed() -> [Node] {
    effect.approximate("another filter for the same purpose")
    return [Crossfeed(id: id).node]
  }
}
