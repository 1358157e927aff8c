/// Entries of a log that wait until no earlier one can follow: who hears of them is asked in turn, while
/// the render thread goes on.
struct WaitingEntries {
  private var entries: [LiveLog.Entry] = []
  private var lastFrame = 0

  mutating func add(_ entry: LiveLog.Entry) { entries.append(entry) }

  /// Takes the entries before a frame, in the order of their frames, and those of one frame in the order
  /// in which they took effect there.
  mutating func take(before frame: Int) -> [LiveLog.Entry] {
    guard !entries.isEmpty else { return [] }
    let due = entries.enumerated().filter { $0.element.frame < frame }
    entries.removeAll { $0.frame < frame }
    let sorted = due.sorted { first, second in
      let (one, other) = (first.element, second.element)
      return (one.frame, one.change.rank, first.offset)
        < (other.frame, other.change.rank, second.offset)
    }
    return sorted.map { _, entry in
      // Behind a rest the frames of parameters are fewer than those of the transport.
      lastFrame = max(lastFrame, entry.frame)
      var entry = entry
      entry.frame = lastFrame
      return entry
    }
  }
}

extension LiveLog.Change {
  /// What is less takes effect earlier where a block begins: files are read, then it is rendered.
  fileprivate var rank: Int {
    switch self {
    case .rested, .pause, .resume, .seek, .volume, .mute: 0
    case .set: 1
    case .load: 2
    }
  }
}
