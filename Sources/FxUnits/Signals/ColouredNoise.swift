import FxAudio

/// Filters white noise: 3 dB an octave down (pink) or up (blue), 6 dB an octave down from 10 Hz on
/// (brown) or up (violet).
struct ColouredNoise {
  private let colour: TestSignal.Kind
  private var pink: PinkFilter
  private let pole: Float
  /// The factor that gives the filtered noise an RMS of 1, for white noise between -1 and 1.
  let normal: Float
  private var last: Float = 0

  /// Nil for a signal that is not coloured noise.
  init?(_ colour: TestSignal.Kind, sampleRate: Double) {
    self.colour = colour
    pink = PinkFilter(sampleRate: sampleRate)
    let decay = Math.exp(-2 * Double.pi * 10 / sampleRate)
    pole = Float(decay)
    switch colour {
    case .pinkNoise: normal = pink.normal
    case .brownNoise: normal = Float(Math.squareRoot(3 * (1 - decay * decay)))
    // The difference of independent samples has twice their energy.
    case .violetNoise: normal = Float(Math.squareRoot(1.5))
    case .blueNoise: normal = Self.blueNormal(pink)
    default: return nil
    }
  }

  private static func blueNormal(_ filter: PinkFilter) -> Float {
    var filter = filter
    var response = [Float](repeating: 0, count: 4096)
    response[0] = 1
    response.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      filter.render(start, count: samples.count, amplitude: 1, limit: .infinity)
    }
    var energy = Double(response[0]) * Double(response[0])
    for (before, sample) in zip(response, response.dropFirst()) {
      energy += Double(sample - before) * Double(sample - before)
    }
    return Float(Math.squareRoot(3 / energy))
  }

  /// Filters a run in place, scales it and clips it to a limit.
  mutating func render(
    _ samples: UnsafeMutablePointer<Float>, count: Int, amplitude: Float, limit: Float
  ) {
    switch colour {
    case .brownNoise:
      for frame in 0..<count {
        last = last * pole + samples[frame]
        samples[frame] = min(max(last * amplitude, -limit), limit)
      }
    case .blueNoise, .violetNoise:
      if colour == .blueNoise {
        pink.render(samples, count: count, amplitude: 1, limit: .infinity)
      }
      for frame in 0..<count {
        let value = samples[frame]
        samples[frame] = min(max((value - last) * amplitude, -limit), limit)
        last = value
      }
    default: pink.render(samples, count: count, amplitude: amplitude, limit: limit)
    }
  }
}
