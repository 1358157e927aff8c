package import FxAudio

/// Measures the level in each third-octave band and passes the signal through.
package struct Spectrum: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "spectrum", name: "Spectrum",
    summary: "Measures the level in each third of an octave and passes the signal through.",
    category: "measurement", role: .observer,
    readings: BandMeter.centers.map { center in
      let name = center < 1000 ? "\(shortName(center)) Hz" : "\(shortName(center / 1000)) kHz"
      return ReadingSpec(
        "hz\(Int(center))", "The level around \(name), in the mean of the channels.", .decibels)
    })

  private static func shortName(_ value: Double) -> String {
    value == Double(Int(value)) ? "\(Int(value))" : "\(value)"
  }

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(Spectrum.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Spectrum.self)?.pointee.reset() })

  private let channelCount: Int
  private let readings: ReadingBoard
  /// One per channel.
  private let meters: UnsafeMutablePointer<BandMeter>

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    readings = preparation.readings
    meters = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<channelCount {
      (meters + channel).initialize(to: BandMeter(sampleRate: preparation.sampleRate))
    }
    publish()
  }

  deinit {
    meters.deinitialize(count: channelCount)
    meters.deallocate()
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let channels = preparation.channelCount
    return UnitTraits(
      memory: max(channels, 1) * MemoryLayout<BandMeter>.stride
        + channels * BandMeter.byteCount(sampleRate: preparation.sampleRate))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    var isNew = false
    for channel in 0..<channelCount {
      let (input, output) = (block.inputs[channel], block.outputs[channel])
      for frame in 0..<block.frameCount {
        if meters[channel].take(input[frame]) { isNew = true }
        output[frame] = input[frame]
      }
    }
    if isNew { publish() }
  }

  @_noLocks
  private func publish() {
    for band in 0..<BandMeter.bandCount {
      var power: Float = 0
      for channel in 0..<channelCount { power += meters[channel].power(band) }
      let mean = power / Float(max(channelCount, 1))
      readings[band] = 0.5 * Math.decibels(amplitude: mean)
    }
  }

  @_noLocks
  package mutating func reset() {
    for channel in 0..<channelCount { meters[channel].clear() }
    publish()
  }
}
