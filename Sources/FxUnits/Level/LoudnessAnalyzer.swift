import FxAudio
import FxDSP

/// Finds the gain that brings a whole sound to a target loudness.
///
/// The first pass measures the integrated loudness and the true peak. Without a limiter, the gain
/// is limited so that the true peak stays under the ceiling. With a limiter, a second pass measures
/// the loudness after the limiter for several gains, and the result is interpolated between them.
/// If the two nearest gains are far apart, a third pass measures gains between them.
final class LoudnessAnalyzer: Analyzer {
  /// The result of the analysis.
  struct Result {
    /// In decibels.
    let gain: Double
    /// In LUFS, before and after the gain.
    let loudness: Double
    let reached: Double

    init?(_ values: [Double]) {
      guard values.count == 3 else { return nil }
      (gain, loudness, reached) = (values[0], values[1], values[2])
    }
  }

  /// Measures the loudness with one gain and the limiter.
  private struct Candidate: ~Copyable {
    let gain: Double
    let limiter: InnerLimiter
    var meter: LoudnessMeter
  }

  /// Decibels above the gain that would reach the target without a limiter.
  private static let steps = [0, 0.5, 1.5, 3, 6, 12, 24.0]
  /// The gain distance in decibels that is small enough to interpolate.
  private static let fineStep = 1.5
  private static let chunk = 256

  private let preparation: Preparation
  private let channelCount: Int
  private let target: Double
  private let ceiling: Double
  private let limits: Bool
  private var meter: LoudnessMeter
  private let peaks: TruePeakMeter
  private let work: SampleBuffer
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private var candidates: [CandidateBox] = []
  private let noParameters: UnsafeMutablePointer<ParameterSignal>
  private var frame = 0

  private final class CandidateBox {
    var candidate: Candidate
    init(_ candidate: consuming Candidate) { self.candidate = candidate }
  }

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
    guard !candidates.isEmpty else {
      meter.take(channels, frameCount: frameCount)
      peaks.take(channels, frameCount: frameCount)
      return
    }
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, Self.chunk)
      for box in candidates { render(box, channels, from: done, count: count) }
      frame += count
      done += count
    }
  }

  private func render(
    _ box: CandidateBox, _ channels: UnsafePointer<UnsafePointer<Float>>, from first: Int,
    count: Int
  ) {
    let factor = Math.amplitude(decibels: Float(box.candidate.gain))
    for channel in 0..<channelCount {
      let (input, output) = (channels[channel] + first, outputs[channel])
      for frame in 0..<count { output[frame] = input[frame] * factor }
    }
    box.candidate.limiter.render(
      RenderBlock(
        inputs: inputs, inputCount: channelCount, outputs: outputs, outputCount: channelCount,
        frameCount: count, frame: frame, parameters: noParameters))
    box.candidate.meter.take(inputs, frameCount: count)
  }

  // MARK: Results

  private var loudness: Double { meter.integrated }

  /// The gain that reaches the target without a limiter.
  private var wanted: Double { loudness.isFinite ? target - loudness : 0 }

  private var truePeak: Double { Math.decibels(amplitude: Double(peaks.peak)) }

  /// The gain at which the true peak is at the ceiling.
  private var highest: Double { truePeak.isFinite ? ceiling - truePeak : 0 }

  var needsAnotherPass: Bool {
    guard limits, wanted > highest else { return false }
    guard !candidates.isEmpty else { return true }
    return bracket.map { $0.upperBound - $0.lowerBound > Self.fineStep } ?? false
  }

  func beginPass() {
    let gains =
      bracket.map { bracket in
        let width = bracket.upperBound - bracket.lowerBound
        let count = Int((width / Self.fineStep).rounded(.up)) + 1
        return (0...count).map { bracket.lowerBound + width * Double($0) / Double(count) }
      } ?? Self.steps.map { wanted + $0 }
    candidates = gains.map { gain in
      CandidateBox(
        Candidate(
          gain: gain, limiter: InnerLimiter(preparation, isUsed: true, ceiling: ceiling),
          meter: Self.meter(preparation)))
    }
    frame = 0
  }

  /// The two gains with the target between them.
  private var bracket: ClosedRange<Double>? {
    let place = candidates.firstIndex { $0.candidate.meter.integrated >= target }
    guard let place, place > 0 else { return nil }
    return candidates[place - 1].candidate.gain...candidates[place].candidate.gain
  }

  var result: [Double] {
    guard limits, wanted > highest, !candidates.isEmpty else {
      let gain = min(wanted, highest)
      return [gain, loudness, loudness + gain]
    }
    let points = candidates.map {
      (gain: $0.candidate.gain, reached: $0.candidate.meter.integrated)
    }
    let place = points.firstIndex { $0.reached >= target }
    guard let place, place > 0 else {
      let point = place.map { points[$0] } ?? points[points.count - 1]
      return [point.gain, loudness, point.reached]
    }
    // Interpolates gain over loudness, with a parabola through three points.
    let three = points[max(0, min(place - 1, points.count - 3))...].prefix(3)
    var gain = 0.0
    for point in three {
      var share = point.gain
      for other in three where other.gain != point.gain {
        share *= (target - other.reached) / (point.reached - other.reached)
      }
      gain += share
    }
    let (low, high) = (points[place - 1].gain, points[place].gain)
    return [gain > low && gain < high ? gain : high, loudness, target]
  }
}
