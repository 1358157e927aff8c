extension Comparison {
  /// Sentences about the difference: the first one says what differs, the others say where.
  package var lines: [String] {
    switch category {
    case .same: return ["the same to the bit: \(Self.words(for: expected))"]
    case .sampleRate: return sampleRateLines
    case .channelCount:
      return [
        "\(Self.count(expected.channelCount, "channel")) \(expected.channelCount == 1 ? "is" : "are")"
          + " expected, and the sound has \(actual.channelCount)"
      ] + lengthLines + channelLines(orSame: "the channels that both have are the same to the bit")
    case .silent:
      return ["the sound is silent; a peak of \(expectedLevel) is expected"] + lengthLines
    case .nonFinite: return nonFiniteLines + lengthLines
    case .length where explanation != nil: return explanationLines
    case .length:
      let isEmpty = min(expected.frameCount, actual.frameCount) == 0
      return [isEmpty ? lengthSentence : "\(lengthSentence); the rest is the same to the bit"]
    case .latency, .polarity, .gain, .channelOrder, .combined: return explanationLines
    case .content: return contentLines
    }
  }

  // MARK: - Shapes

  private static func words(for shape: Shape) -> String {
    "\(count(shape.frameCount, "frame")), \(count(shape.channelCount, "channel")), "
      + "\(Figures.plain(shape.sampleRate)) Hz"
  }

  static func count(_ count: Int, _ word: String) -> String {
    count == 1 ? "1 \(word)" : "\(count) \(word)s"
  }

  /// At different sample rates a comparison frame by frame can only find identical samples.
  private var sampleRateLines: [String] {
    var lines = [
      "\(Figures.plain(expected.sampleRate)) Hz are expected, and the sound has "
        + "\(Figures.plain(actual.sampleRate)) Hz"
    ]
    if expected.channelCount != actual.channelCount {
      lines.append(
        "\(Self.count(expected.channelCount, "channel")) expected, \(actual.channelCount) found")
    }
    let length = Double(expected.frameCount) / expected.sampleRate
    let came = Double(actual.frameCount) / actual.sampleRate
    if abs(length - came) > 0.001 {
      lines.append("\(Figures.time(length)) expected, \(Figures.time(came)) found")
    }
    if expected.frameCount == actual.frameCount, !channels.isEmpty,
      channels.allSatisfy({ $0.firstDifference == nil })
    {
      lines.append("the samples are the same")
    }
    return lines
  }

  private var lengthLines: [String] {
    expected.frameCount == actual.frameCount ? [] : [lengthSentence]
  }

  var lengthSentence: String {
    let surplus = actual.frameCount - expected.frameCount
    let length = Figures.duration(Double(abs(surplus)) / expected.sampleRate)
    let what = surplusPeak == 0 ? ", all silent" : ""
    if surplus < 0 {
      guard actual.frameCount > 0 else {
        return "the sound is empty; \(Self.count(expected.frameCount, "frame")) expected"
      }
      return surplus == -1
        ? "its last frame (\(length)\(what)) is missing"
        : "its last \(-surplus) frames (\(length)\(what)) are missing"
    }
    guard expected.frameCount > 0 else {
      return "no frame is expected; the sound has \(actual.frameCount)"
    }
    return "\(Self.count(surplus, "frame")) (\(length)\(what)) more at its end"
  }

  // MARK: - Channels

  /// The name of a channel, like `left`; empty for a mono sound.
  static func channelName(_ channel: Int, of count: Int) -> String {
    switch count {
    case 1: ""
    case 2: channel == 0 ? "left" : "right"
    default: "channel \(channel + 1)"
    }
  }

  private func name(_ channel: Int) -> String {
    Self.channelName(channel, of: max(expected.channelCount, actual.channelCount))
  }

  private func prefix(_ channel: Int) -> String {
    let name = name(channel)
    return name.isEmpty ? "" : "\(name): "
  }

  private func place(_ frame: Int) -> String {
    "frame \(frame) (\(Figures.time(Double(frame) / expected.sampleRate)))"
  }

  private var expectedLevel: String {
    Figures.level(Double(channels.reduce(0) { max($0, $1.expectedPeak) }))
  }

  private func channelLines(orSame same: String) -> [String] {
    if channels.allSatisfy({ $0.firstDifference == nil }) { return channels.isEmpty ? [] : [same] }
    return channels.indices.map { line(ofChannel: $0) }
  }

  private func line(ofChannel index: Int) -> String {
    let channel = channels[index]
    guard let first = channel.firstDifference else { return "\(prefix(index))the same to the bit" }
    let frames = min(expected.frameCount, actual.frameCount)
    if channel.actualPeak == 0 {
      return "\(prefix(index))silent; a peak of "
        + "\(Figures.level(Double(channel.expectedPeak))) is expected"
    }
    if channel.expectedPeak == 0 {
      return "\(prefix(index))silence is expected; the sound has a peak of "
        + "\(Figures.level(Double(channel.actualPeak)))"
    }
    let start =
      "\(prefix(index))first difference at \(place(first)), "
      + "\(channel.differingFrameCount) of \(Self.count(frames, "frame")) differ; "
    if channel.peak == 0 { return start + "only in the sign of zeros" }
    guard channel.peak.isFinite else { return start + "some samples are infinite or not a number" }
    return start
      + "peak difference \(Figures.level(Double(channel.peak))) at frame \(channel.peakFrame), "
      + "RMS \(Figures.level(channel.rms))"
  }

  private var nonFiniteLines: [String] {
    let count = channels.reduce(0) { $0 + $1.nonFiniteCount }
    let found = channels.indices.compactMap { index in
      channels[index].firstNonFinite.map { (frame: $0, channel: index) }
    }
    guard let first = found.min(by: { $0.frame < $1.frame }) else { return [] }
    let name = name(first.channel)
    return [
      "\(Self.count(count, "sample")) \(count == 1 ? "is" : "are") not a number or infinite, "
        + "the first at \(place(first.frame))" + (name.isEmpty ? "" : ", \(name)")
    ]
  }

  // MARK: - Content

  private var contentLines: [String] {
    var lines: [String] = []
    if channels.allSatisfy({ $0.expectedPeak == 0 && $0.peak.isFinite && $0.peak > 0 }) {
      let peak = channels.reduce(0) { max($0, $1.actualPeak) }
      lines.append("silence is expected; the sound has a peak of \(Figures.level(Double(peak)))")
      return lines + lengthLines
    }
    lines += causeLines
    lines += channels.indices.map { line(ofChannel: $0) }
    lines += lengthLines
    if !bands.isEmpty {
      let words = bands.map {
        "\(Figures.frequency($0.hertz)) \($0.decibels < 0 ? "-" : "+")\(Figures.change($0.decibels))"
      }
      lines.append("by third of an octave: \(words.joined(separator: ", "))")
    }
    return lines
  }

  /// The size of the difference, and the part of the sound that has it.
  var contentSentence: String {
    let frames = min(expected.frameCount, actual.frameCount)
    let first = channels.compactMap(\.firstDifference).min() ?? 0
    let last = channels.compactMap(\.lastDifference).max() ?? 0
    let peak = channels.reduce(0) { max($0, $1.peak) }
    if !peak.isFinite {
      return
        "the expected sound has samples that are not a number or infinite, the first difference "
        + "at \(place(first))"
    }
    let size = peak == 0 ? "in the sign of zeros" : "by up to \(Figures.level(Double(peak)))"
    let differing = channels.indices.filter { channels[$0].firstDifference != nil }
    let one = differing.count == 1 && channels.count > 1 ? "\(name(differing[0])) " : ""
    if first == last { return "\(one)differs \(size) in one frame: \(place(first))" }
    let (startsAtOnce, lasts) = (first <= frames / 100, last + 1 >= frames - frames / 100)
    if startsAtOnce, lasts { return "\(one)differs \(size) from its start to its end" }
    if differing.allSatisfy({ channels[$0].actualEnd <= first }) {
      return "\(one)is silent from \(place(first)) on; before that it is the same"
    }
    if lasts {
      return "\(one)differs \(size) from \(place(first)) to its end; before that it is the same"
    }
    if startsAtOnce {
      return "\(one)differs \(size) up to \(place(last)); after that it is the same"
    }
    return "\(one)differs \(size) between \(place(first)) and \(place(last)) only"
  }
}
