package import FxAudio
import FxDSP

/// Measures the level of each channel and passes the signal through.
package struct Meter: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "meter", name: "Meter",
    summary: "Measures the level of each channel and passes the signal through.",
    category: "measurement", role: .observer,
    readings: [
      ReadingSpec(
        "peak", "The highest sample since the start or the last reset.", .decibels,
        isPerChannel: true),
      ReadingSpec(
        "rms", "The RMS of the last 300 ms; a full-scale sine has -3 dB.", .decibels,
        isPerChannel: true),
    ])

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(Meter.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Meter.self)?.pointee.reset() })

  private let channelCount: Int
  private let peaks: UnsafeMutablePointer<Float>
  private let squares: UnsafeMutablePointer<SlidingMeanSquare>
  private let readings: ReadingBoard

  package init(_ preparation: Preparation) {
    channelCount = preparation.outputWidths.first ?? 0
    readings = preparation.readings
    peaks = .allocate(capacity: max(1, channelCount))
    squares = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount {
      (peaks + channel).initialize(to: 0)
      (squares + channel).initialize(to: SlidingMeanSquare(sampleRate: preparation.sampleRate))
      publish(channel)
    }
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let channels = preparation.outputWidths.first ?? 0
    return UnitTraits(
      memory: channels
        * (MemoryLayout<Float>.stride + MemoryLayout<SlidingMeanSquare>.stride
          + SlidingMeanSquare.byteCount))
  }

  deinit {
    squares.deinitialize(count: channelCount)
    squares.deallocate()
    peaks.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
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

  @_noLocks
  package mutating func reset() {
    for channel in 0..<channelCount {
      peaks[channel] = 0
      squares[channel].reset()
      publish(channel)
    }
  }
}
