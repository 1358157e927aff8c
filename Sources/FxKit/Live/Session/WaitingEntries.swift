/// Log entries that wait until every source of entries has been polled up to their frame. The
/// sources are polled one after another while the render thread runs, so a later poll may return an
/// earlier frame.
struct WaitingEntries {
  private var entries: [LiveLog.Entry] = []
  private var lastFrame = 0

  mutating func add(_ entry: LiveLog.Entry) { entries.append(entry) }

  /// Takes the entries before a frame, sorted by frame. Entries of one frame keep the order in
  /// which they took effect.
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
      // After a rest, the frames of parameters lag behind the transport's.
      lastFrame = max(lastFrame, entry.frame)
      var entry = entry
      entry.frame = lastFrame
      return entry
    }
  }
}

extension LiveLog.Change {
  /// Order at the start of a block: the transport acts before the block is rendered.
  fileprivate var rank: Int {
    switch self {
    case .rested, .pause, .resume, .seek, .volume, .mute: 0
    case .set: 1
    case .load: 2
    }
  }
}
