import FxAudio

/// Reads a complete file back: a player hears what is decoded, not what was encoded.
extension FileSink {
  /// True if a lossless file differs audibly from the received frames: by the noise of few bits, or
  /// by clipping.
  var changesSamples: Bool {
    switch layout {
    case .float32, .float64: false
    default: layout.isCoarse || statistics.clippedSampleCount > 0
    }
  }

  /// True if the rounding noise of a file changes its peak.
  var hasEightBits: Bool { layout == .uint8 || layout == .int8High }

  /// Replaces the levels by those of the decoded file.
  ///
  /// - Parameter make: makes a gauge for the loudness.
  /// - Returns: The gauge; nil if the file cannot be read back, as a pipe.
  func measureDecoded(
    _ make: ((StreamFormat) -> any LoudnessGauge)?
  ) throws(Failure) -> (any LoudnessGauge)? {
    guard let target, target.isFile, fileFormat != .raw,
      fileFormat != .opus || format.channelCount <= OpusSource.mostChannels
    else { return nil }
    do throws(Failure) {
      return try measure(FileSource.open("/proc/self/fd/\(target.descriptor)"), make)
    } catch {
      throw Failure(
        .unwritable, name, "cannot be measured, because it cannot be read back: \(error.message)")
    }
  }

  private func measure(
    _ source: any AudioSource, _ make: ((StreamFormat) -> any LoudnessGauge)?
  ) throws(Failure) -> (any LoudnessGauge)? {
    // A file that cannot say its layout has that of the sound.
    let width = source.format.channelCount
    let gauge = make?(
      width == format.channelCount
        ? StreamFormat(sampleRate: source.format.sampleRate, layout: format.layout)
        : source.format)
    var decoded = SinkStatistics(channelCount: width)
    try source.readBlocks { block, count in
      decoded.measure(block.readable, frameCount: count)
      gauge?.take(block.readable, frameCount: count)
      return true
    }
    // The peak before clipping says how much too loud the sound is.
    if fileFormat.isLossy || statistics.clippedSampleCount == 0 {
      statistics.takeLevels(of: decoded)
    }
    return gauge
  }
}
