extension ChannelPair {
  /// The range of the colours in decibels.
  private static let range: Float = 96

  /// Side by side: the expected sound, the actual sound, and the difference with its own scale.
  func spectrograms(_ names: DifferenceReport.Names) -> String {
    guard frameCount > 0 else { return "" }
    let both = isSame ? nil : both
    let focus = both.map {
      Envelope(
        $0.actual, minus: $0.expected, columnCount: columnsOfPicture,
        framesPerColumn: Double(frameCount) / Double(columnsOfPicture)
      ).loudestFrames
    }
    var pictures: [(title: String, picture: Spectrogram)] = []
    if let expected, !isSame {
      pictures.append(
        (names.expected, Spectrogram(expected, grid: grid(expectedRate), focus: focus ?? [])))
    }
    if let actual {
      pictures.append(
        (names.actual, Spectrogram(actual, grid: grid(actualRate), focus: focus ?? [])))
    }
    let top = Self.top(pictures.map(\.picture.peak).max() ?? 0)
    var figures = pictures.map {
      figure("<b>Spectrogram</b> \($0.title)", $0.title, $0.picture, top)
    }
    if let both {
      let picture = Spectrogram(
        both.actual, minus: both.expected, grid: grid(actualRate), focus: focus ?? [])
      figures.append(
        figure(
          "<b>Spectrogram</b> difference, on its own scale", "difference", picture,
          Self.top(picture.peak)))
    }
    return figures.joined()
  }

  private var columnsOfPicture: Int { min(detail.pictureWidth, max(frameCount, 1)) }

  private func grid(_ rate: Double) -> Spectrogram.Grid {
    let frames = (seconds * rate).rounded()
    return Spectrogram.Grid(
      columnCount: columnsOfPicture, rowCount: detail.pictureHeight,
      frameCount: frames < 1e15 ? Int(frames) : 1, sampleRate: rate)
  }

  private static func top(_ peak: Float) -> Float {
    peak > Spectrogram.floor ? (peak / 6).rounded(.up) * 6 : 0
  }

  private func figure(
    _ caption: String, _ title: String, _ picture: Spectrogram, _ top: Float
  ) -> String {
    let bottom = top - Self.range
    let pixels = picture.levels.map { ColorRamp.index($0, bottom: bottom, top: top) }
    guard
      let file = PNGImage.file(
        pixels: pixels, width: picture.grid.columnCount, height: picture.grid.rowCount)
    else { return "" }
    let words =
      picture.peak > Spectrogram.floor
      ? "its strongest partial is at \(Markup.decibels(Double(picture.peak)))" : "silence"
    let ticks = AxisTicks.time(
      frameCount: picture.grid.frameCount, sampleRate: picture.grid.sampleRate)
    let across = ticks.enumerated().map { index, tick in
      var tick = tick
      tick.isMinor = index % (ticks.count > 6 ? 4 : 2) != 0
      return tick
    }
    return Plot(
      caption: caption, height: "picture", across: across,
      down: AxisTicks.frequency(picture.grid),
      body: """
        <img src="\(PNGImage.dataURI(file))" alt="Spectrogram\(suffix), \(title): \(words), from \
        \(Figures.frequency(picture.grid.frequencies.lowerBound.rounded())) to \
        \(Figures.frequency(picture.grid.frequencies.upperBound.rounded()))">
        """,
      legend: """
        <p class="scale" aria-label="Colours from \(Markup.decibels(Double(bottom), places: 0)) to \
        \(Markup.decibels(Double(top), places: 0))">\(Markup.decibels(Double(bottom), places: 0))\
        <span class="ramp"></span>\(Markup.decibels(Double(top), places: 0))</p>
        """
    ).html
  }
}
