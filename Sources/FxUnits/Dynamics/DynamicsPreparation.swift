import FxAudio

/// What dynamics units have in common when they are made.
extension Preparation {
  /// The channels that a detector hears: the side-chain's, or the unit's own where nothing feeds it.
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
