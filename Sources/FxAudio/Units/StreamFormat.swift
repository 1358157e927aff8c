/// How a stream of audio is laid out: frames a second, channels a frame and what they are for.
package struct StreamFormat: Sendable, Hashable {
  package var sampleRate: Double
  package var layout: ChannelLayout
  package var channelCount: Int { layout.channelCount }

  package init(sampleRate: Double, layout: ChannelLayout) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// The usual layout of so many channels.
  package init(sampleRate: Double, channelCount: Int) {
    self.init(sampleRate: sampleRate, layout: .usual(channelCount))
  }
}
