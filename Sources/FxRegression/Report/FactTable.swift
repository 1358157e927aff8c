import FxAnalysis
import FxAudio

/// Figures of a comparison: what both sounds are, and by how much each channel differs.
struct FactTable {
  private let output: DifferenceReport.Output

  init(_ output: DifferenceReport.Output) { self.output = output }

  var markup: String { shapes + differences }

  private var shapes: String {
    func cells(_ sound: Sound?) -> String {
      guard let sound else { return "<td colspan=\"4\">no sound is kept</td>" }
      let seconds = Double(sound.frameCount) / max(sound.sampleRate, 1)
      return "<td class=\"number\">\(Figures.duration(seconds))</td>"
        + "<td class=\"number\">\(sound.frameCount)</td>"
        + "<td class=\"number\">\(sound.channelCount)</td>"
        + "<td class=\"number\">\(Figures.plain(sound.sampleRate)) Hz</td>"
    }
    return
      "<div class=\"scroll\"><table><thead><tr><td></td><th scope=\"col\" class=\"number\">length</th>"
      + "<th scope=\"col\" class=\"number\">frames</th><th scope=\"col\" class=\"number\">channels</th>"
      + "<th scope=\"col\" class=\"number\">rate</th></tr></thead><tbody>"
      + "<tr><th scope=\"row\">expected</th>\(cells(output.expected))</tr>"
      + "<tr><th scope=\"row\">came</th>\(cells(output.actual))</tr></tbody></table></div>"
  }

  private var differences: String {
    guard let channels = output.comparison?.channels,
      channels.contains(where: { $0.firstDifference != nil })
    else { return "" }
    let rows = channels.enumerated().map { index, channel -> String in
      let name = Markup.escaped(Comparison.channelName(index, of: channels.count))
      guard let first = channel.firstDifference else {
        return "<tr><th scope=\"row\">\(name)</th><td colspan=\"4\">the same to the bit</td></tr>"
      }
      return "<tr><th scope=\"row\">\(name)</th><td class=\"number\">\(first)</td>"
        + "<td class=\"number\">\(channel.differingFrameCount)</td>"
        + "<td class=\"number\">\(Figures.level(Double(channel.peak)))</td>"
        + "<td class=\"number\">\(Figures.level(channel.rms))</td></tr>"
    }
    return "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">difference</th>"
      + "<th scope=\"col\" class=\"number\">first frame</th>"
      + "<th scope=\"col\" class=\"number\">frames</th><th scope=\"col\" class=\"number\">peak</th>"
      + "<th scope=\"col\" class=\"number\">RMS</th></tr></thead><tbody>"
      + rows.joined() + "</tbody></table></div>"
  }
}
