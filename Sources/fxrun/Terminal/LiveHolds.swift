import FxKit

/// The highest peak of each channel for a while, as a meter holds it.
struct LiveHolds {
  private struct Hold {
    var level: Double
    var since: Double
  }

  /// Seconds that a peak stays.
  private static let duration = 2.0
  private var holds: [String: [Hold]] = [:]
  /// Clipped samples that were cleared away, by channel.
  private var forgiven: [String: [Int]] = [:]

  mutating func follow(_ snapshot: LiveSnapshot) {
    for (key, stream) in Self.streams(of: snapshot) {
      var channels = holds[key] ?? []
      for (index, level) in stream.channels.enumerated() {
        let new = Hold(level: level.peak, since: snapshot.elapsedSeconds)
        guard channels.indices.contains(index) else {
          channels.append(new)
          continue
        }
        let isOver = snapshot.elapsedSeconds - channels[index].since > Self.duration
        if level.peak >= channels[index].level || isOver { channels[index] = new }
      }
      holds[key] = channels
    }
  }

  /// Forgets peaks and clips.
  mutating func clear(_ snapshot: LiveSnapshot) {
    holds = [:]
    forgiven = [:]
    for (key, stream) in Self.streams(of: snapshot) {
      forgiven[key] = stream.channels.map(\.clippedSamples)
    }
  }

  /// In dB; nil before the first look.
  func peak(_ key: String, _ channel: Int) -> Double? {
    guard let channels = holds[key], channels.indices.contains(channel) else { return nil }
    return channels[channel].level
  }

  /// Whether a channel went beyond full scale since marks were cleared.
  func isClipped(_ key: String, _ channel: Int, _ count: Int) -> Bool {
    guard let cleared = forgiven[key], cleared.indices.contains(channel) else { return count > 0 }
    return count > cleared[channel]
  }

  /// Streams with a name that no other has: a source and a sink may share one.
  static func streams(of snapshot: LiveSnapshot) -> [(key: String, stream: LiveSnapshot.Stream)] {
    snapshot.sources.enumerated().map { ("in \($0.offset)", $0.element) }
      + snapshot.sinks.enumerated().map { ("out \($0.offset)", $0.element) }
  }
}
