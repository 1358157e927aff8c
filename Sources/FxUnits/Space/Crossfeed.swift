package import FxAudio
import FxDSP

/// Lets each ear hear something of the other side, as it does before loudspeakers: for headphones.
///
/// The far side is low-passed; the near one loses as much bass as comes from there, so that what is in
/// the middle keeps its spectrum at both ends. Source: B. B. Bauer, "Stereophonic Earphones and
/// Binaural Loudspeakers", JAES 9 (1961); the levels of both filters as in the documentation of bs2b.
package struct Crossfeed: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "crossfeed", name: "Crossfeed",
    summary: "Lets each ear hear something of the other side: for headphones.", category: "space",
    parameters: [
      .frequency("frequency", "Above it the sides stay apart.", default: 700).ranging(300...2000),
      ParameterSpec(
        "separation", "How much louder the near side is in the bass.", .decibels, 1...15,
        default: 4.5),
      ParameterSpec(
        "delay", "How much later the far side comes.", .seconds, 0...longestTime, default: 0,
        smoothing: .glide(seconds: 0.02)),
    ],
    inputs: [InputBusSpec("in", width: .exactly(2))],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)],
    presets: [
      UnitPreset("bauer", "B. B. Bauer's network.", ["frequency": 700, "separation": 4.5]),
      UnitPreset("moy", "Chu Moy's, a little wider.", ["frequency": 700, "separation": 6]),
      UnitPreset("meier", "Jan Meier's, the lightest.", ["frequency": 650, "separation": 9.5]),
      UnitPreset(
        "linkwitz", "Siegfried Linkwitz's, with the time around the head.",
        ["frequency": 700, "separation": 3, "delay": 0.0003]),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let separation: ParameterSignal
    let delay: ParameterSignal

    var isConstant: Bool {
      @_noLocks get { frequency.isConstant && separation.isConstant && delay.isConstant }
    }
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Crossfeed.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Crossfeed.self)?.pointee.reset() })

  private static let longestTime = 0.001
  private static var chunk: Int { @_noLocks get { 64 } }

  /// Of both filters.
  private struct Coefficients: BitwiseCopyable {
    let far: Float
    let farLevel: Float
    let near: Float
    let nearLoss: Float
    let level: Float

    // MARK: - Realtime

    @_noLocks
    init(frequency: Double, separation: Double, sampleRate: Double) {
      let farDecibels = -5.0 / 6 * separation - 3
      let far = Math.amplitude(decibels: farDecibels)
      let loss = 1 - Math.amplitude(decibels: separation / 6 - 3)
      let ratio = Math.exp2((farDecibels - Math.decibels(amplitude: loss)) / 12)
      self.far = Coefficients.share(frequency, sampleRate)
      near = Coefficients.share(frequency * ratio, sampleRate)
      farLevel = Float(far)
      nearLoss = Float(loss)
      level = Float(1 / (1 - loss + far))
    }

    /// Of a one-pole low-pass.
    @_noLocks
    private static func share(_ frequency: Double, _ sampleRate: Double) -> Float {
      Float(1 - Math.exp(-2 * Double.pi * frequency / sampleRate))
    }
  }

  private let sampleRate: Double
  private let maximum: Int
  private let table = SincTable(isPassive: false)
  private let copy: SampleBuffer
  private let input: SampleBuffer
  private var line: DelayLine
  /// Left and right: the low-passed near and far sides.
  private let near: SampleBuffer
  private let far: SampleBuffer
  private var coefficients = Coefficients(frequency: 700, separation: 4.5, sampleRate: 48000)
  private var frequency: Float = -1
  private var separation: Float = -1

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    maximum = Self.maximum(preparation)
    copy = SampleBuffer(count: 2 * SincTable.reach)
    input = SampleBuffer(count: Self.chunk)
    line = DelayLine(
      channelCount: 2, maximumDelay: maximum + SincTable.reach, maximumFrameCount: Self.chunk)
    near = SampleBuffer(count: 2)
    far = SampleBuffer(count: 2)
  }

  private static func maximum(_ preparation: Preparation) -> Int {
    Int(longestTime * preparation.sampleRate) + 2 * SincTable.reach + 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let longest = maximum(preparation) + SincTable.reach
    return UnitTraits(
      latency: SincTable.reach, tail: .frames(longest + Int(0.02 * preparation.sampleRate)),
      memory: SincTable.byteCount() + SampleBuffer.byteCount(count: 2 * SincTable.reach)
        + SampleBuffer.byteCount(count: chunk) + 2 * SampleBuffer.byteCount(count: 2)
        + DelayLine.byteCount(channelCount: 2, maximumDelay: longest, maximumFrameCount: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Self.chunk)
      for channel in 0..<2 {
        let source = block.inputs[channel] + frame
        for index in 0..<count { input.samples[index] = source[index].finiteSample }
        line.write(input.samples, channel: channel, frameCount: count)
      }
      for index in 0..<count { process(block, parameters, frame &+ index, at: index) }
      line.advance(count)
      frame &+= count
    }
  }

  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, _ frame: Int, at index: Int
  ) {
    if parameters.frequency[frame] != frequency || parameters.separation[frame] != separation {
      frequency = parameters.frequency[frame]
      separation = parameters.separation[frame]
      coefficients = Coefficients(
        frequency: Double(frequency), separation: Double(separation), sampleRate: sampleRate)
    }
    let late = FractionalDelay(
      frames: Double(SincTable.reach) + Double(parameters.delay[frame]) * sampleRate,
      atLeast: SincTable.reach, atMost: maximum)
    for channel in 0..<2 {
      let sample = line.sample(channel: channel, frame: index, delay: SincTable.reach)
      let other = line.sinc(
        channel: 1 &- channel, frame: index, delay: late, table: table, copy: copy.samples)
      near.samples[channel] += coefficients.near * (sample - near.samples[channel])
      far.samples[channel] += coefficients.far * (other - far.samples[channel])
      block.outputs[channel][frame] =
        coefficients.level
        * (sample - coefficients.nearLoss * near.samples[channel]
          + coefficients.farLevel * far.samples[channel])
    }
  }

  @_noLocks
  package mutating func reset() {
    line.clear()
    near.clear()
    far.clear()
    frequency = -1
    separation = -1
  }
}
