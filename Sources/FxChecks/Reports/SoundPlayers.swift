import FxAudio

/// Players for the sounds of an output and for their difference. The page contains the sounds.
struct SoundPlayers {
  /// The most bytes of all sounds on a page, as base64 of 24-bit samples. FLAC needs less.
  static let limit = 12_000_000
  /// The peak of a difference, in dB of full scale: audible, and not too loud.
  static let differencePeak = -6.0
  /// A shorter part of a sound would not say much, in seconds.
  private static let shortest = 0.5

  private let output: DifferenceReport.Output
  private let names: DifferenceReport.Names
  private let byteLimit: Int

  /// - Parameter byteLimit: The most bytes of the sounds in the page.
  init(_ output: DifferenceReport.Output, names: DifferenceReport.Names, byteLimit: Int) {
    self.output = output
    self.names = names
    self.byteLimit = byteLimit
  }

  var html: String {
    let sounds = [output.expected, output.actual].compactMap { $0 }.filter { $0.frameCount > 0 }
    guard !sounds.isEmpty else { return "" }
    guard let part = excerpt(sounds) else {
      return note(
        "No players: even \(Figures.duration(Self.shortest)) of these sounds would make the page "
          + "too large.")
    }
    var players = ""
    var lowering = 0.0
    let peak = sounds.map { Self.peak(of: part.cut($0)) }.max() ?? 0
    if peak > 1 { lowering = -(Math.decibels(amplitude: Double(peak)) * 10).rounded(.up) / 10 }
    let level =
      lowering == 0
      ? "" : "lowered by \(Figures.fixed(-lowering, places: 1)) dB so that nothing is clipped"
    var isComplete = true
    func add(_ name: String, _ words: String, _ sound: Sound, _ gain: Double) {
      guard let file = sound.raised(by: gain).flacFile() else {
        isComplete = false
        return
      }
      players += Self.player(name, words, file)
    }
    let isSame = output.comparison?.category == .same
    if let expected = output.expected, expected.frameCount > 0, !isSame || output.actual == nil {
      add(names.expected, level, part.cut(expected), lowering)
    }
    if let actual = output.actual, actual.frameCount > 0 {
      add(names.actual, level, part.cut(actual), lowering)
    }
    var notes: [String] = []
    if !isSame, let expected = output.expected, let actual = output.actual {
      if let reason = Self.obstacle(expected, actual) {
        notes.append("No player for the difference: \(reason).")
      } else if case let difference = part.cut(actual).minus(part.cut(expected)),
        case let peak = Self.peak(of: difference), peak > 0
      {
        let level = Math.decibels(amplitude: Double(peak))
        let gain = ((Self.differencePeak - level) * 10).rounded(.down) / 10
        let words =
          "\(gain < 0 ? "lowered" : "raised") by \(Figures.fixed(abs(gain), places: 1)) dB"
        add("difference", words, difference, gain)
      }
    }
    if !isComplete {
      notes.append(
        "No player for some sounds: a browser's FLAC has at most 8 channels, and a whole number as "
          + "sample rate.")
    }
    if let words = part.words { notes.append(words) }
    return "<div class=\"players\">\(players)</div>\n" + notes.map(note).joined()
  }

  private func note(_ words: String) -> String {
    "<p class=\"quiet\">\(Markup.escaped(Markup.typographic(words)))</p>\n"
  }

  private static func player(_ name: String, _ words: String, _ file: [UInt8]) -> String {
    let name = Markup.escaped(name, limit: 60)
    return """
      <figure class="player"><figcaption><b>\(name)</b>\(words)</figcaption>\
      <audio controls preload="metadata" aria-label="\(name)" \
      src="data:audio/flac;base64,\(Base64.text(file))"></audio></figure>

      """
  }

  /// Why two sounds cannot be subtracted; nil if they can.
  private static func obstacle(_ expected: Sound, _ actual: Sound) -> String? {
    if expected.sampleRate != actual.sampleRate { return "the sample rates differ" }
    if expected.channelCount != actual.channelCount { return "the channel counts differ" }
    return min(expected.frameCount, actual.frameCount) > 0 ? nil : "one of the sounds is empty"
  }

  private static func peak(of sound: Sound) -> Float {
    sound.channels.reduce(0) { $1.reduce($0) { $1.isFinite ? max($0, abs($1)) : $0 } }
  }

  // MARK: Parts

  /// The seconds of the sounds that the players have.
  private struct Part {
    var start: Double
    var seconds: Double
    /// A sentence, if it is not the whole.
    var words: String?

    func cut(_ sound: Sound) -> Sound {
      guard words != nil else { return sound }
      let rate = sound.sampleRate
      return Sound(
        channels: sound.channels.map {
          Array($0.dropFirst(Int(start * rate)).prefix(Int(seconds * rate)))
        }, sampleRate: rate)
    }
  }

  /// The whole sounds if they fit, else the part around the peak of the difference; nil if that
  /// would be too short.
  private func excerpt(_ sounds: [Sound]) -> Part? {
    let rates = sounds.map { ReportFacts.rate($0) }
    let length = zip(sounds, rates).map { Double($0.frameCount) / $1 }.max() ?? 0
    let count = sounds.count > 1 ? 3 : 1
    let bytesPerSecond = zip(sounds, rates).map { Double($0.channelCount * 4) * $1 }.max() ?? 0
    let most = Double(byteLimit) / max(bytesPerSecond * Double(count), 1)
    guard length > most else { return Part(start: 0, seconds: length) }
    guard most >= Self.shortest else { return nil }
    let channels = output.comparison?.channels ?? []
    let loudest = channels.max { $0.peak < $1.peak }
    let middle = loudest.map { Double($0.peakFrame) / (rates.last ?? 1) } ?? 0
    let start = min(max(middle - most / 2, 0), length - most)
    let place = loudest == nil ? "" : ", around the peak of the difference"
    return Part(
      start: start, seconds: most,
      words: "The players have the part from \(Figures.fixed(start, places: 1)) s to "
        + "\(Figures.fixed(start + most, places: 1)) s\(place): all of it would make the page too "
        + "large.")
  }
}

extension Sound {
  fileprivate func raised(by decibels: Double) -> Sound {
    guard decibels != 0 else { return self }
    let gain = Float(Math.amplitude(decibels: decibels))
    return Sound(channels: channels.map { $0.map { $0 * gain } }, sampleRate: sampleRate)
  }

  /// The difference frame by frame, up to the end of the shorter sound.
  fileprivate func minus(_ other: Sound) -> Sound {
    Sound(
      channels: zip(channels, other.channels).map { own, its in zip(own, its).map { $0 - $1 } },
      sampleRate: sampleRate)
  }
}
