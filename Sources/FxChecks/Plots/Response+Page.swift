extension Response {
  /// A page with the requested panels, or with all panels that show something.
  package func page(_ subject: PlotSubject, panels: [PlotPanel]?) -> ChartPage {
    let (drawn, sentences) = charts(panels)
    return ChartPage(
      title: subject.title, subtitle: subtitle, charts: drawn.map(\.chart), sentences: sentences)
  }

  private var subtitle: String {
    var parts = ["\(Figures.plain(sampleRate / 1000)) kHz"]
    if output != "main" { parts.append("output \(output)") }
    parts.append(
      latency == 0
        ? "no latency" : "latency of \(latency) \(latency == 1 ? "frame" : "frames") taken out")
    if drawnChannels.count > 1 { parts.append(drawnChannels.joined(separator: ", ")) }
    return parts.joined(separator: " · ")
  }

  private var drawnChannels: [String] { channels.map(\.name) }
}
