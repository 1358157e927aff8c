import FxAudio

/// The figures of an output: its shape and each channel.
struct ReportFacts {
  var output: DifferenceReport.Output
  var names: DifferenceReport.Names

  /// The sample rate, replaced by a safe value if it cannot be used as a divisor.
  static func rate(_ sound: Sound?) -> Double {
    guard let rate = sound?.sampleRate, rate.isFinite, rate >= 1e-3, rate <= 1e9 else {
      return 48000
    }
    return rate
  }

  var html: String { shapes + channels }

  private var shapes: String {
    let expected = output.expected.map(Comparison.Shape.init) ?? output.comparison?.expected
    let actual = output.actual.map(Comparison.Shape.init) ?? output.comparison?.actual
    guard expected != nil || actual != nil else {
      return "<p>Its sound is not kept: fxrun knows whether it differs, but cannot draw it.</p>\n"
    }
    func row(_ name: String, _ value: (Comparison.Shape) -> String) -> String {
      let cells = [expected.map(value), actual.map(value)]
      let isOther = expected != nil && actual != nil && cells[0] != cells[1]
      return "<tr><th scope=\"row\">\(name)</th>"
        + cells.map { "<td class=\"figure\">\($0 ?? "not kept")</td>" }.joined()
        + "<td>\(isOther ? "<strong>differs</strong>" : "")</td></tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Shape"><table class="shape"><thead>\
      <tr><td></td><th scope="col" class="figure">\(Markup.escaped(names.expected, limit: 60))</th>\
      <th scope="col" class="figure">\(Markup.escaped(names.actual, limit: 60))</th><td></td></tr>\
      </thead><tbody>\(row("Frames") { Markup.grouped($0.frameCount) })\
      \(row("Length") { Self.length($0) })\(row("Channels") { String($0.channelCount) })\
      \(row("Sample rate") { Self.hertz($0.sampleRate) })</tbody></table></div>

      """
  }

  private static func length(_ shape: Comparison.Shape) -> String {
    guard shape.sampleRate > 0 else { return "–" }
    return Figures.time(Double(shape.frameCount) / shape.sampleRate)
  }

  private static func hertz(_ rate: Double) -> String {
    guard rate.isFinite, rate == rate.rounded(), abs(rate) < 1e12 else {
      return Figures.plain(rate) + " Hz"
    }
    return Markup.grouped(Int(rate)) + " Hz"
  }

  // MARK: Channels

  private var channels: String {
    guard let comparison = output.comparison, !comparison.channels.isEmpty else { return "" }
    let count = comparison.channels.count
    let rows = comparison.channels.prefix(64).enumerated().map { index, channel in
      row(Markup.channelName(index, of: count), index, channel)
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Channels"><table><thead><tr>\
      <th scope="col">Channel</th><th scope="col" class="figure">First difference</th>\
      <th scope="col" class="figure">Frames that differ</th>\
      <th scope="col" class="figure">Peak of the difference</th>\
      <th scope="col" class="figure">at frame</th>\
      <th scope="col" class="figure">RMS of the difference</th>\
      <th scope="col" class="figure">Peak expected</th><th scope="col" class="figure">Peak came</th>\
      </tr></thead><tbody>\(rows.joined(separator: "\n"))</tbody></table></div>

      """
  }

  private func row(_ name: String, _ index: Int, _ channel: Comparison.Channel) -> String {
    let head = "<tr><th scope=\"row\">\(name.isEmpty ? "Mono" : name)</th>"
    let tail =
      "<td class=\"figure\">\(peak(output.expected, index, channel.expectedPeak))</td>"
      + "<td class=\"figure\">\(peak(output.actual, index, channel.actualPeak))</td></tr>"
    guard let first = channel.firstDifference else {
      return head + "<td colspan=\"5\">the same to the bit</td>" + tail
    }
    return head
      + [
        "frame \(Markup.grouped(first))", Markup.grouped(channel.differingFrameCount),
        level(channel.peak), Markup.grouped(channel.peakFrame),
        channel.rms.isFinite ? Markup.level(channel.rms) : "not finite",
      ].map { "<td class=\"figure\">\($0)</td>" }.joined() + tail
  }

  /// A comparison made elsewhere may lack this value.
  private func peak(_ sound: Sound?, _ index: Int, _ known: Float) -> String {
    guard known == 0, let sound, sound.channels.indices.contains(index) else { return level(known) }
    return level(sound.channels[index].reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 })
  }

  private func level(_ amplitude: Float) -> String {
    amplitude.isFinite ? Markup.level(Double(amplitude)) : "not finite"
  }
}
