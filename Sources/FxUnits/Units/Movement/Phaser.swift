package import FxAudio

/// All-passes in series, which make moving notches together with the dry signal.
///
/// They are first-order all-passes at the same frequency; each pair makes one notch. The frequency
/// moves in octaves. The node's `wet` adds the dry signal: the notches are deepest at 0.5. Each
/// all-pass is a rotation (a normalized lattice), which keeps the energy constant under any
/// modulation, so feedback is stable: A. H. Gray, J. D. Markel, "A normalized digital filter
/// structure", IEEE Trans. ASSP 23 (1975).
package struct Phaser: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "phaser", name: "Phaser", summary: "Moves notches through the sound.", category: "movement",
    parameters: Swing.rate(0.4) + [
      .frequency("frequency", "The middle of the movement.", 50...10000, default: 700),
      ParameterSpec(
        "depth", "How many octaves it moves to either side.", .none, 0...4, default: 1.5),
      ParameterSpec(
        "feedback", "How much of the output is fed back; below 0 inverted.", .ratio,
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
  /// Pairs of channels × stages; the last output of each pair follows its stages.
  private let states: UnsafeMutablePointer<SIMD2<Double>>
  private var swing: Swing
  /// The sines and cosines of the all-passes for the first and the second channel, frame by frame.
  private let sines: UnsafeMutablePointer<SIMD2<Double>>
  private let cosines: UnsafeMutablePointer<SIMD2<Double>>

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    highest = 0.45 * preparation.sampleRate
    channelCount = preparation.channelCount
    stageCount = Self.stageCount(preparation)
    let stateCount = Self.pairCount(channelCount) * (stageCount + 1)
    states = .allocate(capacity: max(stateCount, 1))
    states.initialize(repeating: .zero, count: stateCount)
    sines = .allocate(capacity: Swing.chunk)
    sines.initialize(repeating: .zero, count: Swing.chunk)
    cosines = .allocate(capacity: Swing.chunk)
    cosines.initialize(repeating: .zero, count: Swing.chunk)
    swing = Swing(preparation)
  }

  deinit {
    states.deallocate()
    sines.deallocate()
    cosines.deallocate()
  }

  @_noLocks
  private static func pairCount(_ channelCount: Int) -> Int { (channelCount + 1) / 2 }

  private static func stageCount(_ preparation: Preparation) -> Int {
    min(max(Int(preparation.number("stages") ?? 4), 2), mostStages)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let stages = stageCount(preparation)
    // The lowest frequency of the movement rings longest, once for each pass of the feedback.
    let lowest = max(
      preparation.initial(2, of: spec) / Math.exp2(preparation.initial(3, of: spec)), 3)
    let feedback = min(abs(preparation.initial(4, of: spec)), 0.95)
    let seconds = min(10.4 * Double(stages) / (2 * .pi * lowest * (1 - feedback)), 60)
    return UnitTraits(
      tail: .frames(Int((seconds * preparation.sampleRate).rounded(.up))),
      memory: Swing.byteCount
        + (max(pairCount(preparation.channelCount) * (stages + 1), 1) + 2 * Swing.chunk)
        * MemoryLayout<SIMD2<Double>>.stride)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    swing.begin()
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Swing.chunk)
      swing.take(
        block, from: frame, count: count, rate: parameters.rate, period: parameters.period)
      for side in 0..<min(channelCount, 2) {
        design(parameters, side: side, from: frame, count: count)
      }
      for channel in stride(from: 0, to: channelCount, by: 2) {
        process(block, channel, parameters.feedback, from: frame, count: count)
      }
      frame &+= count
    }
  }

  /// Designs the all-passes of a side: rotations with a sine and a cosine.
  @_noLocks
  private func design(_ parameters: Parameters, side: Int, from frame: Int, count: Int) {
    let spread = side == 0 ? ParameterSignal(constant: 0) : parameters.spread
    swing.findValues(ahead: spread, from: frame, count: count)
    let values = swing.values.numbers
    for index in 0..<count { values[index] *= Double(parameters.depth[frame &+ index]) }
    swing.values.takePowersOfTwo(count: count)
    for index in 0..<count {
      let frequency = Double(parameters.frequency[frame &+ index]) * values[index]
      values[index] = .pi * (frequency < highest ? frequency : highest) / sampleRate
    }
    swing.values.takeTangents(count: count)
    for index in 0..<count {
      let sine = (values[index] - 1) / (values[index] + 1)
      sines[index][side] = sine
      cosines[index][side] = Math.squareRoot(1 - sine * sine)
    }
  }

  /// Filters a channel and the one after it, if there is one.
  @_noLocks
  private func process(
    _ block: RenderBlock, _ channel: Int, _ feedback: ParameterSignal, from frame: Int, count: Int
  ) {
    let states = states + channel / 2 &* (stageCount &+ 1)
    let second = channel &+ 1 < channelCount ? channel &+ 1 : channel
    let inputs = (block.inputs[channel] + frame, block.inputs[second] + frame)
    let outputs = (block.outputs[channel] + frame, block.outputs[second] + frame)
    for index in 0..<count {
      let (sine, cosine) = (sines[index], cosines[index])
      let input = SIMD2(
        Double(inputs.0[index].finiteSample), Double(inputs.1[index].finiteSample))
      var sample = input + Double(feedback[frame &+ index]) * states[stageCount]
      for stage in 0..<stageCount {
        let state = states[stage]
        states[stage] = cosine * sample - sine * state
        sample = sine * sample + cosine * state
      }
      states[stageCount] = sample
      outputs.1[index] = Float(sample.y)
      outputs.0[index] = Float(sample.x)
    }
  }

  @_noLocks
  package mutating func reset() {
    swing.reset()
    for index in 0..<Self.pairCount(channelCount) &* (stageCount &+ 1) { states[index] = .zero }
  }
}
