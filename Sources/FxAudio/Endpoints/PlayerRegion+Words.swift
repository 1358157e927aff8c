extension PlayerRegion {
  /// All its settings in one line, with the file's name but not its folder; used by goldens.
  package var words: String {
    var words = ["\(file.split(separator: "/").last ?? "")"]
    if let id { words.append("id \(id)") }
    switch anchor {
    case .previous: break
    case .time(let time): words.append("at \(time.words)")
    case .after(let id): words.append("after \(id)")
    case .with(let id): words.append("with \(id)")
    }
    if let offset { words.append("offset \(offset.words)") }
    switch until {
    case .time(let time): words.append("until \(time.words)")
    case .end(let id): words.append("until \(id)")
    case nil: break
    }
    if let start { words.append("start \(start.words)") }
    if let duration { words.append("duration \(duration.words)") }
    if playCount != 1 { words.append("loop \(playCount.map(String.init) ?? "forever")") }
    if gain != 0 { words.append("gain \(gain)") }
    for (name, fade) in [("fadeIn", fadeIn), ("fadeOut", fadeOut), ("crossfade", crossfade)] {
      if let fade { words.append("\(name) \(fade.time.words) \(fade.curve.rawValue)") }
    }
    if isReversed { words.append("reverse") }
    if speed != 1 { words.append("speed \(speed)") }
    if keepsPitch { words.append("keepPitch") }
    if !channels.isEmpty { words.append("channels \(channels)") }
    return words.joined(separator: ", ")
  }
}

extension ScheduleTime {
  fileprivate var words: String {
    switch self {
    case .seconds(let seconds): "\(seconds) s"
    case .frames(let count): "\(count) frames"
    case .beats(let beats): "\(beats) beats"
    case .wholeNotes(let count): "\(count) whole notes"
    }
  }
}
