import FxAudio

/// Shared settings of the dynamics units.
extension Preparation {
  /// The detector's channels: those of the side-chain, or the unit's own if that is unconnected.
  var keyChannels: Range<Int> {
    let keyCount = inputWidths.count > 1 ? inputWidths[1] : 0
    return keyCount > 0 ? channelCount..<channelCount + keyCount : 0..<channelCount
  }

  /// The option `lookahead` in frames.
  var lookahead: Int {
    let seconds = min(max(number("lookahead") ?? 0, 0), 1)
    return Int((seconds * sampleRate).rounded())
  }

  /// The filter of the detector's channels.
  func keyFilter(maximumFrameCount: Int) -> KeyFilter {
    KeyFilter(
      channelCount: keyChannels.count, maximumFrameCount: maximumFrameCount,
      sampleRate: sampleRate)
  }

  /// The delay of the unit's channels.
  func lookaheadLine(maximumFrameCount: Int) -> LookaheadLine {
    LookaheadLine(
      channelCount: channelCount, latency: lookahead, maximumFrameCount: maximumFrameCount)
  }

  /// The latency, and the memory of both and of a gain for each frame.
  func dynamicsTraits(maximumFrameCount: Int) -> UnitTraits {
    UnitTraits(
      latency: lookahead,
      memory: SampleBuffer.byteCount(count: maximumFrameCount)
        + KeyFilter.byteCount(
          channelCount: keyChannels.count, maximumFrameCount: maximumFrameCount,
          sampleRate: sampleRate)
        + LookaheadLine.byteCount(
          channelCount: channelCount, latency: lookahead, maximumFrameCount: maximumFrameCount))
  }
}
