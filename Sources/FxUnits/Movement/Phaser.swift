package import FxAudio
import FxDSP

/// All-passes in a row, which with the sound itself make notches that move.
///
/// First-order all-passes at one frequency, of which each pair makes one notch; the frequency moves
/// in octaves. The node's `wet` adds the sound itself: at 0.5 the notches are deepest. Each all-pass is
/// a rotation (a normalized lattice), which loses and gains nothing however it moves, so feedback is
/// stable: A. H. Gray, J. D. Markel, "A normalized digital filter structure", IEEE Trans. ASSP 23
/// (1975).
package struct Phaser: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "phaser", name: "Phaser", summary: "Moves notches through the sound.", category: "movement",
    parameters: Swing.rate(0.4) + [
      .frequency("frequency", "The middle of the way.", 50...10000, default: 700),
      ParameterSpec(
        "depth", "How many octaves it moves to either side.", .none, 0...4, default: 1.5),
      ParameterSpec(
        "feedback", "How much of what comes out goes in again; below 0 upside down.", .ratio,
        -0.95...0.95, default: 0.3),
      Swing.spread(0.25),
    ],
    options: [
      Swing.option,
      OptionSpec(
        "stages", "All-passes in a row: two make a notch.", .integer(2...mostStages),
        default: .number(4)),
    ],
    presets: [
      UnitPreset(
        "slow", "A slow turn.", ["rate": 0.12, "depth": 2, "feedback": 0.5],
        options: ["stages": .number(6)]),
      UnitPreset(
        "electric piano", "A gentle swirl.", ["rate": 0.8, "depth": 1, "feedback": 0.1]),
      UnitPreset(
        "deep", "Many notches.", ["rate": 0.2, "depth": 2.5, "feedback": 0.6],
        options: ["stages": .number(12)]),
    ],
    wet: 0.5)

  private static let mostStages = 12

  package struct Parameters: BitwiseCopyable {
    let rate: ParameterSignal
    let period: ParameterSignal
    let frequency: ParameterSignal
    let depth: ParameterSignal
    let feedback: ParameterSignal
    let spread: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Phaser.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Phaser.self)?.pointee.reset() })

  private let sampleRate: Double
  private let highest: Double
  private let channelCount: Int
  private let stageCount: Int
  /// Channel × stage, and behind the stages of each channel what came out last.
  private let states: UnsafeMutablePointer<Double>
  private var swing: Swing

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    highest = 0.45 * preparation.sampleRate
    channelCount = preparation.channelCount
    stageCount = Self.stageCount(preparation)
    states = .allocate(capacity: max(channelCount, 1) * (stageCount + 1))
    states.initialize(repeating: 0, count: max(channelCount, 1) * (stageCount + 1))
    swing = Swing(preparation)
  }

  deinit { states.deallocate() }

  private static func stageCount(_ preparation: Preparation) -> Int {
    min(max(Int(preparation.number("stages") ?? 4), 2), mostStages)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let stages = stageCount(preparation)
    // The lowest frequency of the way rings longest, once for each time round.
    let lowest = max(
      preparation.initial(2, of: spec) / Math.exp2(preparation.initial(3, of: spec)), 3)
    let feedback = min(abs(preparation.initial(4, of: spec)), 0.95)
    let seconds = min(10.4 * Double(stages) / (2 * .pi * lowest * (1 - feedback)), 60)
    return UnitTraits(
      tail: .frames(Int((seconds * preparation.sampleRate).rounded(.up))),
      memory: max(preparation.channelCount, 1) * (stages + 1) * MemoryLayout<Double>.stride)
  }

  /// Of one all-pass.
  private struct Rotation: BitwiseCopyable {
    let sine: Double
    let cosine: Double

    // MARK: - Realtime

    @_noLocks
    init(sine: Double, cosine: Double) {
      self.sine = sine
      self.cosine = cosine
    }
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    swing.begin()
    for frame in 0..<block.frameCount {
      let share = swing.share(block, frame, parameters.rate, parameters.period)
      let spread = Double(parameters.spread[frame])
      let first = rotation(parameters, frame, swing.value(share))
      let second =
        spread == 0 || channelCount < 2
        ? first : rotation(parameters, frame, swing.value(share, ahead: spread))
      let feedback = Double(parameters.feedback[frame])
      for channel in 0..<channelCount {
        block.outputs[channel][frame] = process(
          Double(block.inputs[channel][frame].finiteSample), channel,
          channel & 1 == 0 ? first : second, feedback)
      }
    }
  }

  @_noLocks
  private func rotation(_ parameters: Parameters, _ frame: Int, _ value: Double) -> Rotation {
    let octaves = Double(parameters.depth[frame]) * value
    let frequency = Double(parameters.frequency[frame]) * Math.exp2(octaves)
    let tangent = Math.tan(.pi * (frequency < highest ? frequency : highest) / sampleRate)
    let sine = (tangent - 1) / (tangent + 1)
    return Rotation(sine: sine, cosine: Math.squareRoot(1 - sine * sine))
  }

  @_noLocks
  private func process(
    _ input: Double, _ channel: Int, _ rotation: Rotation, _ feedback: Double
  ) -> Float {
    let states = states + channel &* (stageCount &+ 1)
    var sample = input + feedback * states[stageCount]
    for stage in 0..<stageCount {
      let state = states[stage]
      states[stage] = rotation.cosine * sample - rotation.sine * state
      sample = rotation.sine * sample + rotation.cosine * state
    }
    states[stageCount] = sample
    return Float(sample)
  }

  @_noLocks
  package mutating func reset() {
    swing.reset()
    for index in 0..<(channelCount &* (stageCount &+ 1)) { states[index] = 0 }
  }
}
