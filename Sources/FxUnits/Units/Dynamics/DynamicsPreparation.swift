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
}
