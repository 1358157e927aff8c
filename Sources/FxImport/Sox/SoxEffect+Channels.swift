import FxNodes

extension SoxEffect {
  /// `remix`, `channels`, `swap` and `oops`, as a matrix.
  func mix(_ path: inout SignalPath) {
    let width = path.width
    let outputs: [[(channel: Int, factor: Double)]]?
    switch name {
    case "swap":
      outputs = (0..<width).map { index in
        let other = index ^ 1
        return [(other < width ? other : index, 1)]
      }
    case "oops": outputs = width == 2 ? [[(0, 1), (1, -1)], [(0, 1), (1, -1)]] : nil
    case "channels": outputs = number(0).flatMap { counted(Int($0), width) }
    default: outputs = remixed(width)
    }
    guard let outputs, !outputs.isEmpty, outputs.count <= 32 else {
      return effect.refuse("these are no channels of a signal with \(width)")
    }
    let routes = outputs.enumerated().flatMap { target, parts in
      parts.compactMap { part -> Matrix.Route? in
        guard part.factor != 0 else { return nil }
        let level = rounded(decibels(abs(part.factor)))
        return Matrix.Route(
          from: part.channel + 1, to: target + 1, gain: level == 0 ? nil : .decibels(level),
          invert: part.factor < 0 ? true : nil)
      }
    }
    let node = Matrix(id: id, channels: outputs.count, routes: routes)
    path.append(node.comment("sox: \(effect.source.path)"), width: outputs.count)
    effect.source.settle(.translated("for a sound of \(width) channels"))
  }

  /// Fewer channels are means, more are copies.
  private func counted(_ count: Int, _ width: Int) -> [[(channel: Int, factor: Double)]]? {
    guard (1...32).contains(count) else { return nil }
    return (0..<count).map { target in
      guard count < width else { return [(target % width, 1)] }
      let sources = (0..<width).filter { $0 % count == target }
      return sources.map { ($0, 1 / Double(sources.count)) }
    }
  }

  /// Each argument is an output: `1,2v0.5`, `1-3`, `0` for silence, `-` for all channels.
  private func remixed(_ width: Int) -> [[(channel: Int, factor: Double)]]? {
    let options = arguments.prefix { ["-m", "-a", "-p"].contains($0) }
    let outputs = arguments.dropFirst(options.count)
    var made: [[(channel: Int, factor: Double)]] = []
    for output in outputs {
      if output == "0" {
        made.append([])
        continue
      }
      var parts: [(channel: Int, factor: Double)] = []
      var hasLevel = false
      for text in output.split(separator: ",") {
        guard let part = inputs(String(text), width) else { return nil }
        parts += part.channels.map { ($0, part.factor) }
        hasLevel = hasLevel || part.hasLevel
      }
      let isScaled = options.contains("-a") || !options.contains("-m") && !hasLevel
      let count = Double(max(parts.count, 1))
      let scale =
        options.contains("-p") && !hasLevel ? 1 / count.squareRoot() : isScaled ? 1 / count : 1
      made.append(parts.map { ($0.channel, $0.factor * scale) })
    }
    return made
  }

  private func inputs(_ text: String, _ width: Int)
    -> (channels: [Int], factor: Double, hasLevel: Bool)?
  {
    let range = text.prefix { $0.isNumber || $0 == "-" }
    let rest = text.dropFirst(range.count)
    let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let (first, last) = (ends.first.flatMap { $0 } ?? 1, ends.last.flatMap { $0 } ?? width)
    guard ends.count <= 2, 1 <= first, first <= last, last <= width else { return nil }
    guard let kind = rest.first else { return (Array(first - 1..<last), 1, false) }
    let number = Double(rest.dropFirst())
    guard number != nil || rest.count == 1 else { return nil }
    let level: Double
    switch kind {
    case "v": level = number ?? 1
    case "p": level = factor(decibels: number ?? 0)
    case "i": level = -factor(decibels: number ?? 0)
    default: return nil
    }
    return (Array(first - 1..<last), level, number != nil)
  }

  /// A time for each channel.
  func delay(_ path: inout SignalPath) {
    effect.options.ignoreAll()
    let times = arguments.map { Self.time($0, effect.importing.sampleRate) }
    effect.append(times: times, of: "sox", to: &path)
  }

  /// Seconds of `1.5`, `1:30` and `200s` (frames).
  private static func time(_ text: String, _ sampleRate: Double) -> Double? {
    if text.hasSuffix("s") { return Double(text.dropLast()).map { $0 / sampleRate } }
    return text.split(separator: ":").reduce(0) { sum, part in
      guard let sum, let number = Double(part), number >= 0 else { return nil }
      return sum * 60 + number
    }
  }
}
