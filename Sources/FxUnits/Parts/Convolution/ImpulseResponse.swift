package import FxAudio

/// The taps of a convolver: channels × frames. On the control thread.
package struct ImpulseResponse: Sendable {
  /// The changes to a sound before it is used as an impulse, in this order.
  package struct Preparation: Sendable {
    /// Removes the frames before the first one that is above -60 dB of the peak.
    package var trims = false
    var reverses = false
    /// The factor of its length; its pitch is divided by it.
    package var stretch = 1.0
    /// Scales the impulse so that white noise keeps its level, in the mean of the outputs.
    package var normalizes = false
    /// The channels of the impulse that reach one output.
    var channelsPerOutput = 1

    package init() {}

    /// The most frames that a sound has after the preparation.
    package func frameCount(of count: Int) -> Int {
      stretch == 1 ? count : Int((Double(count) * stretch).rounded(.up))
    }
  }

  package let channelCount: Int
  package let frameCount: Int
  /// Channels × frames.
  private let taps: [[Float]]

  /// When the sample rate differs from the file's, the impulse has more or fewer taps for the same
  /// time. The taps are scaled down or up, so that the filter or the room keeps its level.
  package init(_ sound: SoundAsset, _ preparation: Preparation = Preparation()) {
    channelCount = sound.channelCount
    frameCount = preparation.frameCount(of: sound.frameCount)
    var channels = (0..<sound.channelCount).map { sound.channel($0).map(\.finiteSample) }
    if preparation.trims { Self.trim(&channels) }
    if preparation.reverses { channels = channels.map { $0.reversed() } }
    if preparation.stretch != 1 {
      channels = channels.map { Self.stretched($0, by: preparation.stretch) }
    }
    if sound.rateRatio != 1 {
      let factor = Float(1 / sound.rateRatio)
      channels = channels.map { $0.map { $0 * factor } }
    }
    if preparation.normalizes {
      Self.normalize(&channels, perOutput: preparation.channelsPerOutput)
    }
    taps = channels
  }

  /// Copies taps of one channel. Beyond the end of the impulse, `taps` is not changed.
  func copy(_ channel: Int, from first: Int, count: Int, to taps: UnsafeMutablePointer<Float>) {
    let samples = self.taps[channel]
    guard first < samples.count else { return }
    for (index, sample) in samples[first..<min(first + count, samples.count)].enumerated() {
      taps[index] = sample
    }
  }

  private static func trim(_ channels: inout [[Float]]) {
    let peak = channels.joined().reduce(0) { max($0, abs($1)) }
    let starts = channels.compactMap { channel in
      channel.firstIndex { abs($0) > peak * 0.001 }
    }
    guard let start = starts.min() else { return }
    channels = channels.map { Array($0.dropFirst(start)) }
  }

  private static func normalize(_ channels: inout [[Float]], perOutput: Int) {
    let energy = channels.joined().reduce(0.0) { $0 + Double($1) * Double($1) }
    guard energy > 0 else { return }
    let factor = Float(Math.squareRoot(Double(channels.count) / Double(perOutput) / energy))
    channels = channels.map { $0.map { $0 * factor } }
  }

  /// A sound at a different speed: band-limited interpolation by a windowed sinc of 16 zero
  /// crossings a side (Kaiser's window, β 9). As a filter it keeps its gain at low frequencies.
  private static func stretched(_ samples: [Float], by factor: Double) -> [Float] {
    let count = Int((Double(samples.count) * factor).rounded(.up))
    // When the sound becomes shorter, frequencies that would rise above half the sample rate are
    // removed.
    let cutoff = min(1, factor)
    let reach = 16 / cutoff
    return (0..<count).map { index in
      let center = Double(index) / factor
      let first = max(0, Int((center - reach).rounded(.up)))
      let last = min(samples.count - 1, Int(center + reach))
      var sum = 0.0
      for place in stride(from: first, through: last, by: 1) {
        let distance = Double(place) - center
        sum += Double(samples[place]) * window(distance / reach) * sinc(distance * cutoff)
      }
      return Float(sum * cutoff / factor)
    }
  }

  private static func sinc(_ x: Double) -> Double {
    abs(x) < 1e-9 ? 1 : Math.sin(Double.pi * x) / (Double.pi * x)
  }

  /// Kaiser's window on -1...1.
  private static func window(_ x: Double) -> Double {
    abs(x) >= 1 ? 0 : Kaiser.bessel(9 * Math.squareRoot(1 - x * x)) / Kaiser.bessel(9)
  }
}
