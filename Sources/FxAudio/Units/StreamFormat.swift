/// The format of an audio stream: its sample rate in Hz, and its channels.
package struct StreamFormat: Sendable, Hashable {
  package var sampleRate: Double
  package var layout: ChannelLayout
  package var channelCount: Int { layout.channelCount }

  package init(sampleRate: Double, layout: ChannelLayout) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// With the usual layout for this number of channels.
  package init(sampleRate: Double, channelCount: Int) {
    self.init(sampleRate: sampleRate, layout: .usual(channelCount))
  }
}
