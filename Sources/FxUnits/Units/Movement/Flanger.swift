package import FxAudio

/// A copy of a sound with a short, modulated delay, which makes moving notches together with the
/// sound.
///
/// The node's `wet` adds the dry signal. In through-zero mode the dry signal is delayed too, and
/// the copy moves past it.
package struct Flanger: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "flanger", name: "Flanger",
    summary: "Adds a copy that is a little late, so that notches move through the sound.",
    category: "movement",
    parameters: Swing.rate(0.25) + [
      ParameterSpec(
        "depth", "How far the delay time moves to either side.", .seconds, 0...longestDepth,
        default: 0.0015),
      ParameterSpec(
        "time", "The delay time in the middle; through zero it has no effect.", .seconds,
        0.0002...longestTime, default: 0.002, smoothing: .glide(seconds: 0.15)),
      ParameterSpec(
        "feedback", "How much of the copy is fed back; below 0 inverted.", .ratio,
        -0.95...0.95, default: 0.4),
      Swing.spread(0.25),
    ],
    options: [
      Swing.option,
      OptionSpec(
        "throughZero",
        "Whether the copy moves around the sound itself, as between two tape machines; adds 5 ms of "
          + "latency.", .flag, default: .flag(false)),
    ],
    presets: [
      UnitPreset(
        "jet", "A slow, deep sweep.",
        ["rate": 0.1, "depth": 0.003, "time": 0.0034, "feedback": 0.7]),
      UnitPreset(
        "tape", "Two machines that drift past each other.",
        ["rate": 0.15, "depth": 0.001, "feedback": 0],
        options: ["throughZero": .flag(true), "shape": .text("triangle")]),
    ],
    wet: 0.5)

  private static let longestDepth = 0.005
  private static let longestTime = 0.01

  package struct Parameters: BitwiseCopyable {
    let rate: ParameterSignal
    let period: ParameterSignal
    let depth: ParameterSignal
    let time: ParameterSignal
    let feedback: ParameterSignal
    let spread: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Flanger.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Flanger.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  /// Frames by which the dry signal is delayed in through-zero mode; 0 otherwise.
  private let latency: Int
  private let minimum: Int
  private let maximum: Int
  /// Frames that are processed together: the input of a copy must already be in the line.
  private let chunk: Int
  private let table = SincTable(isPassive: false)
  private let copy: SampleBuffer
  private let written: SampleBuffer
  /// Delays for the first channel and for the second.
  private let delays: UnsafeMutablePointer<FractionalDelay>
  private var line: DelayLine
  private var swing: Swing

  package init(_ preparation: Preparation) {
    let rate = preparation.sampleRate
    sampleRate = rate
    channelCount = preparation.channelCount
    latency = Self.latency(preparation)
    minimum = Self.minimum(rate)
    maximum = Self.maximum(rate)
    chunk = Self.chunk(rate)
    copy = SampleBuffer(count: chunk)
    written = SampleBuffer(count: chunk)
    delays = .allocate(capacity: 2 * Swing.chunk)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: minimum, atMost: maximum),
      count: 2 * Swing.chunk)
    line = DelayLine(
      channelCount: channelCount, maximumDelay: maximum + SincTable.reach,
      maximumFrameCount: chunk)
    swing = Swing(preparation)
  }

  deinit { delays.deallocate() }

  private static func latency(_ preparation: Preparation) -> Int {
    guard preparation.flag("throughZero") ?? false else { return 0 }
    return Int((longestDepth * preparation.sampleRate).rounded()) + minimum(preparation.sampleRate)
  }

  private static func minimum(_ sampleRate: Double) -> Int {
    max(SincTable.reach, Int(0.0002 * sampleRate))
  }
  private static func maximum(_ sampleRate: Double) -> Int {
    Int((longestTime + longestDepth) * sampleRate) + SincTable.reach + 1
  }
  private static func chunk(_ sampleRate: Double) -> Int {
    min(64, minimum(sampleRate) - SincTable.reach + 1)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let rate = preparation.sampleRate
    let (longest, chunk) = (maximum(rate) + SincTable.reach, chunk(rate))
    let feedback = min(abs(preparation.initial(4, of: spec)), 0.95)
    let loss = feedback > 0 ? -Math.decibels(amplitude: feedback) : 90
    let repeats = 1 + Int((90 / loss).rounded(.up))
    let reached = (preparation.initial(2, of: spec) + preparation.initial(3, of: spec)) * rate
    let delay = min(longest, Int(reached) + latency(preparation) + 2 * SincTable.reach)
    return UnitTraits(
      latency: latency(preparation), tail: .frames(delay * repeats), recall: longest,
      memory: SincTable.byteCount()
        + 2 * SampleBuffer.byteCount(count: chunk)
        + 2 * Swing.chunk * MemoryLayout<FractionalDelay>.stride + Swing.byteCount
        + DelayLine.byteCount(
          channelCount: preparation.channelCount, maximumDelay: longest, maximumFrameCount: chunk))
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
        place(side, parameters, from: frame, count: count)
      }
      var done = 0
      while done < count {
        let piece = min(count &- done, chunk)
        process(block, parameters, from: frame &+ done, offset: done, count: piece)
        done &+= piece
      }
      frame &+= count
    }
  }

  /// Renders frames whose delays are at `offset`.
  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, offset: Int, count: Int
  ) {
    for channel in 0..<channelCount {
      line.readSinc(
        into: copy.samples, channel: channel,
        delays: delays + ((channel & 1) &* Swing.chunk &+ offset), table: table, frameCount: count)
      let input = block.inputs[channel] + frame
      for index in 0..<count {
        written.samples[index] =
          input[index].finiteSample + parameters.feedback[frame &+ index] * copy.samples[index]
      }
      line.write(written.samples, channel: channel, frameCount: count)
      (block.outputs[channel] + frame).update(copying: copy.samples, count: count)
    }
    line.advance(count)
  }

  /// Sets the delays of a side.
  @_noLocks
  private func place(_ side: Int, _ parameters: Parameters, from frame: Int, count: Int) {
    let spread = side == 0 ? ParameterSignal(constant: 0) : parameters.spread
    swing.findValues(ahead: spread, from: frame, count: count)
    let values = swing.values.numbers
    for index in 0..<count {
      let now = frame &+ index
      let sway = Double(parameters.depth[now]) * values[index]
      values[index] =
        latency > 0
        ? Double(latency) + sway * sampleRate
        : (Double(parameters.time[now]) + sway) * sampleRate
    }
    FractionalDelay.set(
      delays + side &* Swing.chunk, to: values, count: count, atLeast: minimum, atMost: maximum)
  }

  @_noLocks
  package mutating func reset() {
    line.clear()
    swing.reset()
  }
}
