package import FxAudio

/// Follows the level of a sound: the loudest of its channels.
///
/// After `gain`, full scale is 1, and higher levels count as 1. The level is held for the hold
/// time, then followed exponentially, with 63 % of a change after the attack or the release time.
package struct Envelope: ~Copyable, UnitKernel {
  private enum Detector: String, CaseIterable {
    case peak, rms
  }

  package static let spec = UnitSpec(
    "envelope", name: "Envelope follower", summary: "Follows how loud a sound is, from 0 to 1.",
    category: "modulation",
    parameters: [
      ParameterSpec(
        "attack", "Time to rise by 63 %.", .seconds, 0...1, default: 0.005),
      ParameterSpec(
        "hold", "Time that a peak is held before it falls.", .seconds, 0...5, default: 0),
      ParameterSpec(
        "release", "Time to fall by 63 %.", .seconds, 0...10, default: 0.1),
      .gain("gain", "The sensitivity: a level change of its input.", -60...60),
    ],
    options: [
      OptionSpec(
        "detector", "What it follows: samples, or the RMS of the `window`.",
        .choice(Detector.allCases.map(\.rawValue)), default: .text(Detector.peak.rawValue)),
      OptionSpec(
        "window", "The time constant of the RMS.", .number(.seconds, 0.0001...2),
        default: .number(0.01)),
    ],
    outputs: [.control("out", 0...1), .control("level", floorLevel...0)])

  /// The level of silence, in decibels.
  private static let floorLevel = -60.0

  package struct Parameters: BitwiseCopyable {
    let attack: ParameterSignal
    let hold: ParameterSignal
    let release: ParameterSignal
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Envelope.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Envelope.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  private let isRMS: Bool
  private let coefficient: Double
  /// The mean square of each channel.
  private let powers: UnsafeMutablePointer<Double>
  private var attack = Speed()
  private var release = Speed()
  private var held: Float = 0
  private var quietCount = 0.0
  private var value = 0.0

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    isRMS = preparation.text("detector") == Detector.rms.rawValue
    coefficient = Smoothing.coefficient(
      seconds: preparation.number("window") ?? 0.01, sampleRate: sampleRate)
    powers = .allocate(capacity: max(1, channelCount))
    powers.initialize(repeating: 0, count: max(1, channelCount))
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(memory: max(1, preparation.channelCount) * MemoryLayout<Double>.stride)
  }

  deinit { powers.deallocate() }

  // MARK: - Realtime

  /// The share of a change per frame, cached for an attack or release time.
  private struct Speed: BitwiseCopyable {
    private var seconds = Float.nan
    private(set) var share = 1.0

    init() {}

    // MARK: - Realtime

    @_noLocks
    mutating func take(_ seconds: Float, sampleRate: Double) {
      guard seconds != self.seconds else { return }
      self.seconds = seconds
      share = Smoothing.coefficient(seconds: Double(seconds), sampleRate: sampleRate)
    }
  }

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let (output, levels) = (block.outputs[0], block.outputs[1])
    for frame in 0..<block.frameCount {
      attack.take(parameters.attack[frame], sampleRate: sampleRate)
      release.take(parameters.release[frame], sampleRate: sampleRate)
      let level = level(block, frame) * parameters.gain[frame]
      hold(level < 1 ? level : 1, frameCount: Double(parameters.hold[frame]) * sampleRate)
      let target = Double(held)
      value += (target - value) * (target > value ? attack.share : release.share)
      let followed = Float(value)
      output[frame] = followed
      let decibels = Math.decibels(amplitude: followed)
      levels[frame] = decibels > -60 ? decibels : -60
    }
  }

  /// The level of the loudest channel at a frame; NaN counts as 0.
  @_noLocks
  private mutating func level(_ block: RenderBlock, _ frame: Int) -> Float {
    var loudest: Float = 0
    for channel in 0..<channelCount {
      let magnitude = block.inputs[channel][frame].finiteSample.magnitude
      if isRMS {
        // Limited far above full scale, so that the level falls soon after an extreme peak.
        let bounded = Double(magnitude < 16 ? magnitude : 16)
        powers[channel] += (bounded * bounded - powers[channel]) * coefficient
        let mean = Float(Math.squareRoot(powers[channel]))
        loudest = mean > loudest ? mean : loudest
      } else {
        loudest = magnitude > loudest ? magnitude : loudest
      }
    }
    return loudest
  }

  @_noLocks
  private mutating func hold(_ level: Float, frameCount: Double) {
    if level >= held {
      held = level
      quietCount = 0
    } else {
      quietCount += 1
      if quietCount > frameCount { held = level }
    }
  }

  @_noLocks
  package mutating func reset() {
    for channel in 0..<channelCount { powers[channel] = 0 }
    attack = Speed()
    release = Speed()
    held = 0
    quietCount = 0
    value = 0
  }
}
