import FxKit

/// Holds the highest peak of each channel for a while, like a meter.
struct LiveHolds {
  private struct Hold {
    var level: Double
    var since: Double
  }

  /// Seconds that a peak is held.
  private static let duration = 2.0
  private var holds: [String: [Hold]] = [:]
  /// The number of clipped samples when the marks were cleared, by channel.
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

  /// Clears held peaks and clip marks.
  mutating func clear(_ snapshot: LiveSnapshot) {
    holds = [:]
    forgiven = [:]
    for (key, stream) in Self.streams(of: snapshot) {
      forgiven[key] = stream.channels.map(\.clippedSamples)
    }
  }

  /// In dB; nil before the first snapshot.
  func peak(_ key: String, _ channel: Int) -> Double? {
    guard let channels = holds[key], channels.indices.contains(channel) else { return nil }
    return channels[channel].level
  }

  /// True if a channel exceeded full scale since the marks were cleared.
  func isClipped(_ key: String, _ channel: Int, _ count: Int) -> Bool {
    guard let cleared = forgiven[key], cleared.indices.contains(channel) else { return count > 0 }
    return count > cleared[channel]
  }

  /// The streams with unique keys: a source and a sink may have the same name.
  static func streams(of snapshot: LiveSnapshot) -> [(key: String, stream: LiveSnapshot.Stream)] {
    snapshot.sources.enumerated().map { ("in \($0.offset)", $0.element) }
      + snapshot.sinks.enumerated().map { ("out \($0.offset)", $0.element) }
  }
}
