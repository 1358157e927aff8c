import FxAudio

/// Finds the gain that brings a whole sound to a target loudness.
///
/// The first pass measures the loudness of each block of 400 ms, and the true peak. Without a
/// limiter, the gain is limited so that the true peak stays under the ceiling.
///
/// With a limiter, each further pass measures the loudness behind it for several gains. The loudness
/// does not always rise with the gain: behind a limited clap the quiet rest of a sound may begin to
/// count, and the mean then falls. So the search takes the lowest two gains of a grid that have the
/// target between them, and refines there. If that leads only to a jump, or if no gain of the near
/// grid reaches the target, the wide grid follows, and then a fine grid round the maximum. If none
/// of these reaches it, the lowest gain is taken that is nearly as loud as the maximum.
final class LoudnessAnalyzer: Analyzer {
  /// The result of the analysis.
  struct Result {
    /// In decibels: the gain for the first target, if the ceiling does not stop it.
    let wanted: Double
    /// The gain in decibels at which the ceiling stops any target.
    let stop: Double
    /// In LUFS, before and after the gain.
    let loudness: Double
    let reached: Double
    /// The highest loudness of all measured gains.
    let highest: Double
    /// Blocks of 400 ms; 0 if the sound is shorter.
    let blockCount: Double

    init?(_ values: [Double]) {
      guard values.count == 6 else { return nil }
      (wanted, stop, loudness) = (values[0], values[1], values[2])
      (reached, highest, blockCount) = (values[3], values[4], values[5])
    }
  }

  /// Measures the loudness with one gain and the limiter.
  private final class Candidate {
    let gain: Double
    let limiter: InnerLimiter
    var meter: LoudnessMeter

    init(_ gain: Double, _ limiter: consuming InnerLimiter, _ meter: consuming LoudnessMeter) {
      self.gain = gain
      self.limiter = limiter
      self.meter = meter
    }
  }

  /// What is measured in the next pass.
  private enum Stage { case sound, near, wide, maximum, refining, done }

  /// Decibels above the gain that would reach the target without a limiter.
  private static let nearGrid = [0, 0.5, 1.5, 3, 6, 12, 24.0]
  /// The same, from which the block at the absolute gate of -70 LUFS reaches any target.
  private static let wideGrid = (1...24).map { Double($0) * 3 }
  /// Distances from the interpolated gain.
  private static let fineGrid = [-0.4, -0.1, -0.02, 0, 0.02, 0.1, 0.4]
  /// The distance from the target in LU that needs no further pass.
  private static let tolerance = 0.02
  /// The distance of two gains in decibels that is not divided any more.
  private static let leastWidth = 0.005
  private static let passLimit = 16
  /// The distance from the maximum in LU that is worth no more gain.
  private static let plateau = 0.1
  private static let chunk = 256

  private let preparation: Preparation
  private let channelCount: Int
  private let target: Double
  private let ceiling: Double
  private let limits: Bool
  private var meter: LoudnessMeter
  /// The loudness of each block of 400 ms, every 100 ms.
  private var blocks: [Double] = []
  private let peaks: TruePeakMeter
  private let work: SampleBuffer
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private var stage = Stage.sound
  private var passCount = 0
  /// Whether the wide grid was measured.
  private var isWide = false
  /// Whether the results of the latest pass were taken.
  private var isEvaluated = false
  private var candidates: [Candidate] = []
  /// The measured gains, sorted.
  private var points: [(gain: Double, reached: Double)] = []
  private let noParameters: UnsafeMutablePointer<ParameterSignal>
  private var frame = 0

  init(_ preparation: Preparation) {
    self.preparation = preparation
    channelCount = preparation.channelCount
    target = preparation.initial(0)
    ceiling = preparation.initial(1)
    limits = LoudnessUnit.limits(preparation)
    meter = Self.meter(preparation)
    peaks = TruePeakMeter(channelCount: channelCount)
    work = SampleBuffer(count: channelCount * Self.chunk)
    outputs = .allocate(capacity: max(channelCount, 1))
    inputs = .allocate(capacity: max(channelCount, 1))
    noParameters = .allocate(capacity: 1)
    noParameters.initialize(to: ParameterSignal(constant: 0))
    for channel in 0..<channelCount {
      (outputs + channel).initialize(to: work.samples + channel * Self.chunk)
      (inputs + channel).initialize(to: UnsafePointer(work.samples + channel * Self.chunk))
    }
  }

  deinit {
    outputs.deallocate()
    inputs.deallocate()
    noParameters.deallocate()
  }

  private static func meter(_ preparation: Preparation) -> LoudnessMeter {
    LoudnessMeter(
      channelCount: preparation.channelCount, layout: preparation.layout,
      sampleRate: preparation.sampleRate)
  }

  func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    guard stage != .sound else { return measure(channels, frameCount: frameCount) }
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, Self.chunk)
      for candidate in candidates { render(candidate, channels, from: done, count: count) }
      frame += count
      done += count
    }
  }

  private func measure(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, meter.stepLength - meter.frameCount)
      meter.take(channels, from: done, frameCount: count)
      done += count
      if meter.frameCount == 0, meter.completeCount >= 4 { blocks.append(meter.momentary) }
    }
    peaks.take(channels, frameCount: frameCount)
  }

  private func render(
    _ candidate: Candidate, _ channels: UnsafePointer<UnsafePointer<Float>>, from first: Int,
    count: Int
  ) {
    let factor = Math.amplitude(decibels: Float(candidate.gain))
    for channel in 0..<channelCount {
      let (input, output) = (channels[channel] + first, outputs[channel])
      for frame in 0..<count { output[frame] = input[frame] * factor }
    }
    candidate.limiter.render(
      RenderBlock(
        inputs: inputs, inputCount: channelCount, outputs: outputs, outputCount: channelCount,
        frameCount: count, frame: frame, parameters: noParameters))
    candidate.meter.take(inputs, frameCount: count)
  }

  // MARK: One gain without a limiter

  /// The integrated loudness of the sound with a gain: quiet blocks may pass the absolute gate.
  private func integrated(gain: Double) -> Double {
    func mean(above gate: Double) -> Double {
      var (sum, count) = (0.0, 0)
      for block in blocks where block + gain >= gate {
        sum += Math.amplitude(decibels: 2 * (block + gain))
        count += 1
      }
      return count > 0 ? Math.decibels(amplitude: sum / Double(count)) / 2 : -.infinity
    }
    return mean(above: max(-70, mean(above: -70) - 10))
  }

  /// The gain that reaches the target without a limiter.
  private lazy var wanted: Double = {
    guard meter.integrated.isFinite else { return 0 }
    return LoudnessBlocks.gain(to: target, from: meter.integrated) { integrated(gain: $0) }
  }()

  /// The gain at which the true peak is at the ceiling.
  private var highest: Double {
    let truePeak = Math.decibels(amplitude: Double(peaks.peak))
    return truePeak.isFinite ? ceiling - truePeak : 0
  }

  // MARK: The search behind a limiter

  var needsAnotherPass: Bool {
    evaluate()
    return stage != .done
  }

  func beginPass() {
    candidates = nextGains.map { gain in
      Candidate(
        gain, InnerLimiter(preparation, isUsed: true, ceiling: ceiling), Self.meter(preparation))
    }
    passCount += 1
    frame = 0
    isEvaluated = false
  }

  private var nextGains: [Double] {
    switch stage {
    case .sound, .done: []
    case .near: Self.nearGrid.map { wanted + $0 }
    case .wide: Self.wideGrid.map { wanted + $0 }
    case .maximum: (-5...5).map { best.gain + Double($0) * 0.5 }
    case .refining: bracket.map(gains) ?? []
    }
  }

  /// Takes the results of a pass, and chooses what the next one measures.
  private func evaluate() {
    guard !isEvaluated else { return }
    isEvaluated = true
    points += candidates.map { ($0.gain, $0.meter.integrated) }
    points.sort { $0.gain < $1.gain }
    candidates = []
    guard stage != .sound else {
      stage = limits && meter.integrated.isFinite && wanted > highest ? .near : .done
      // Up to this gain the limiter does nothing.
      if stage == .near { points = [(highest, integrated(gain: highest))] }
      return
    }
    if abs(best.reached - target) <= Self.tolerance || passCount >= Self.passLimit {
      stage = .done
    } else if bracket != nil {
      stage = .refining
    } else if !isWide {
      isWide = true
      stage = .wide
    } else if stage == .wide, maximum < target {
      stage = .maximum
    } else {
      stage = .done
    }
  }

  /// The lowest two neighbouring gains with the target between them; not those at a jump of the
  /// loudness.
  private var bracket: (lower: Int, upper: Int)? {
    let upper = points.indices.dropFirst().first { index in
      let (low, high) = (points[index - 1], points[index])
      return (low.reached < target) != (high.reached < target)
        && high.gain - low.gain >= Self.leastWidth
    }
    return upper.map { ($0 - 1, $0) }
  }

  /// Gains in a bracket: evenly spaced ones, and others round the gain that interpolation suggests.
  private func gains(in bracket: (lower: Int, upper: Int)) -> [Double] {
    let (low, high) = (points[bracket.lower].gain, points[bracket.upper].gain)
    let width = high - low
    let even = (1...4).map { low + width * Double($0) / 5 }
    let near = Self.fineGrid.map { interpolated(bracket) + $0 }
    return Set((even + near).filter { $0 > low && $0 < high }).sorted()
  }

  /// The gain for the target, by a parabola of gain over loudness through three points.
  private func interpolated(_ bracket: (lower: Int, upper: Int)) -> Double {
    let (low, high) = (points[bracket.lower], points[bracket.upper])
    let third = bracket.lower > 0 ? bracket.lower - 1 : bracket.upper + 1
    if points.indices.contains(third) {
      let three = [low, high, points[third]]
      var gain = 0.0
      for (index, point) in three.enumerated() {
        var share = point.gain
        for (place, other) in three.enumerated() where place != index {
          share *= (target - other.reached) / (point.reached - other.reached)
        }
        gain += share
      }
      // NaN, if two loudnesses are equal, fails the comparison.
      if gain > low.gain, gain < high.gain { return gain }
    }
    return low.gain + (high.gain - low.gain) * (target - low.reached) / (high.reached - low.reached)
  }

  /// The highest loudness of all measured gains.
  private var maximum: Double { points.map(\.reached).max() ?? -.infinity }

  /// The measured gain that comes closest to the target. Below the target, the lowest gain that is
  /// nearly as loud as the maximum.
  private var best: (gain: Double, reached: Double) {
    guard maximum < target - Self.tolerance else {
      return points.min { abs($0.reached - target) < abs($1.reached - target) } ?? (0, 0)
    }
    return points.first { $0.reached >= maximum - Self.plateau } ?? (0, 0)
  }

  var result: [Double] {
    let loudness = meter.integrated
    let blockCount = Double(blocks.count)
    guard loudness.isFinite else { return [0, 0, loudness, loudness, loudness, blockCount] }
    guard points.isEmpty else {
      return [best.gain, .infinity, loudness, best.reached, maximum, blockCount]
    }
    let reached = integrated(gain: min(wanted, highest))
    return [wanted, limits ? .infinity : highest, loudness, reached, reached, blockCount]
  }
}
