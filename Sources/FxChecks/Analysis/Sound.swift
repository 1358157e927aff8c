/// A sound in memory: channels × frames, full scale at ±1. Every channel is as long as the first.
package struct Sound: Sendable, Equatable {
  package var channels: [[Float]]
  /// Frames per second.
  package var sampleRate: Double

  package init(channels: [[Float]], sampleRate: Double) {
    self.channels = channels
    self.sampleRate = sampleRate
  }

  package var channelCount: Int { channels.count }
  package var frameCount: Int { channels.first?.count ?? 0 }

  /// The highest magnitude of all channels.
  package var peak: Float {
    channels.reduce(0) { $1.reduce($0) { max($0, abs($1)) } }
  }
}
