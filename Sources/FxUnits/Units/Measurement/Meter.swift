package import FxAudio

/// Measures levels, loudness and correlation, and passes the signal through.
package struct Meter: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "meter", name: "Meter",
    summary: "Measures levels, loudness and correlation, and passes the signal through.",
    category: "measurement", role: .observer,
    options: [
      OptionSpec(
        "loudness", "Whether loudness and true peaks are measured, which is most of the work.",
        .flag,
        default: .flag(true))
    ],
    readings: [
      ReadingSpec(
        "peak", "The highest sample since the start or the last reset.", .decibels,
        isPerChannel: true),
      ReadingSpec(
        "rms", "The RMS of the last 300 ms up to this frame; a full-scale sine has -3 dB.",
        .decibels,
        isPerChannel: true),
      ReadingSpec(
        "truePeak", "The highest peak between samples since the start or the last reset.",
        .decibels, isPerChannel: true),
      ReadingSpec("momentary", "The loudness of the last 400 ms, every 10 ms.", .lufs),
      ReadingSpec("shortTerm", "The loudness of the last 3 s, every 10 ms.", .lufs),
      ReadingSpec(
        "integrated", "The loudness since the start or the last reset, as EBU R 128 defines it.",
        .lufs),
      ReadingSpec(
        "range", "How far loud passages are above quiet ones, as EBU Tech 3342 defines it.",
        .loudnessUnits),
      ReadingSpec(
        "correlation",
        "Of the first two channels: 1 for mono, 0 for unrelated sounds, -1 for opposite ones.",
        .none),
      ReadingSpec(
        "highestMomentary", "The highest momentary loudness since the start or the last reset.",
        .lufs),
      ReadingSpec(
        "highestShortTerm", "The highest short-term loudness since the start or the last reset.",
        .lufs),
    ])

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(Meter.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Meter.self)?.pointee.reset() })

  private let channelCount: Int
  private let peaks: UnsafeMutablePointer<Float>
  private let squares: UnsafeMutablePointer<SlidingMeanSquare>
  private let readings: ReadingBoard
  private let measuresLoudness: Bool
  private var loudness: LoudnessMeter
  private let truePeaks: TruePeakMeter
  private var publishedCount = -1
  private var correlation: Correlation

  package init(_ preparation: Preparation) {
    channelCount = preparation.outputWidths.first ?? 0
    readings = preparation.readings
    measuresLoudness = Self.measuresLoudness(preparation)
    loudness = LoudnessMeter(
      channelCount: measuresLoudness ? channelCount : 0, layout: preparation.layout,
      sampleRate: preparation.sampleRate)
    truePeaks = TruePeakMeter(channelCount: measuresLoudness ? channelCount : 0)
    correlation = Correlation(sampleRate: preparation.sampleRate)
    peaks = .allocate(capacity: max(1, channelCount))
    squares = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount {
      (peaks + channel).initialize(to: 0)
      (squares + channel).initialize(to: SlidingMeanSquare(sampleRate: preparation.sampleRate))
      publish(channel)
    }
    publishLoudness()
  }

  private static func measuresLoudness(_ preparation: Preparation) -> Bool {
    preparation.flag("loudness") ?? true
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let channels = preparation.outputWidths.first ?? 0
    return UnitTraits(
      memory: channels
        * (MemoryLayout<Float>.stride + MemoryLayout<SlidingMeanSquare>.stride
          + SlidingMeanSquare.byteCount(sampleRate: preparation.sampleRate))
        + LoudnessMeter.byteCount(channelCount: measuresLoudness(preparation) ? channels : 0)
        + TruePeakMeter.byteCount(channelCount: measuresLoudness(preparation) ? channels : 0))
  }

  deinit {
    squares.deinitialize(count: channelCount)
    squares.deallocate()
    peaks.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    if measuresLoudness {
      loudness.take(block.inputs, frameCount: block.frameCount)
      truePeaks.take(block.inputs, frameCount: block.frameCount)
    }
    if channelCount > 1 {
      correlation.take(block.inputs[0], block.inputs[1], frameCount: block.frameCount)
    }
    publishLoudness()
    for channel in 0..<channelCount {
      let input = block.inputs[channel]
      let output = block.outputs[channel]
      var peak = peaks[channel]
      for frame in 0..<block.frameCount {
        let sample = input[frame]
        let magnitude = sample < 0 ? -sample : sample
        peak = magnitude > peak ? magnitude : peak
      }
      peaks[channel] = peak
      squares[channel].render(input, block.frameCount)
      publish(channel)
      if input == UnsafePointer(output) { continue }
      for frame in 0..<block.frameCount { output[frame] = input[frame] }
    }
  }

  @_noLocks
  private func publish(_ channel: Int) {
    readings[channel] = Math.decibels(amplitude: peaks[channel])
    readings[channelCount + channel] = Float(
      0.5 * Math.decibels(amplitude: squares[channel].meanSquare))
  }

  /// Publishes the readings for all channels together.
  @_noLocks
  private mutating func publishLoudness() {
    let first = 3 * channelCount
    for channel in 0..<channelCount {
      let peak = measuresLoudness ? truePeaks.peak(channel) : 0
      readings[2 * channelCount + channel] = Math.decibels(amplitude: peak)
    }
    readings[first] = Float(loudness.momentary)
    readings[first + 1] = Float(loudness.shortTerm)
    readings[first + 4] = Float(correlation.value)
    readings[first + 5] = Float(loudness.highestMomentary)
    readings[first + 6] = Float(loudness.highestShortTerm)
    guard publishedCount != loudness.completeCount else { return }
    publishedCount = loudness.completeCount
    readings[first + 2] = Float(loudness.integrated)
    readings[first + 3] = Float(loudness.range)
  }

  @_noLocks
  package mutating func reset() {
    loudness.clear()
    truePeaks.clear()
    correlation.clear()
    publishLoudness()
    for channel in 0..<channelCount {
      peaks[channel] = 0
      squares[channel].reset()
      publish(channel)
    }
  }
}
