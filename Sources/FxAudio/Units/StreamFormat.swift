/// How a stream of audio is laid out: frames a second, channels a frame.
package struct StreamFormat: Sendable, Hashable {
  package var sampleRate: Double
  package var channelCount: Int

  package init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}
