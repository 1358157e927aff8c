import FxAudio

/// Widens a sound: one side is slightly delayed.
struct Haas: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "haas", name: "Haas effect", summary: "Widens a sound: one side hears it a little later.",
    category: "space",
    parameters: [
      ParameterSpec(
        "time",
        "How much later; below about 30 ms nobody hears two sounds.", .seconds, 0...longestTime,
        default: 0.015, smoothing: .glide(seconds: 0.05)),
      .gain("gain", "The level of the later side.", -24...12, default: 0),
    ],
    options: [
      OptionSpec(
        "later", "The side that is later.", .choice(["left", "right"]), default: .text("right"))
    ],
    inputs: [InputBusSpec("in", width: .upToOutput)],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)],
    presets: [
      UnitPreset("guitar", "One guitar as wide as two.", ["time": 0.018, "gain": -1]),
      UnitPreset(
        "placed", "To the left, and as loud on both sides.", ["time": 0.0006, "gain": 0]),
    ])

  package struct Parameters: BitwiseCopyable {
    let time: ParameterSignal
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Haas.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Haas.self)?.pointee.reset() })

  private static let longestTime = 0.05
  private static var chunk: Int { @_noLocks get { 64 } }

  private let sampleRate: Double
  private let later: Int
  private let maximum: Int
  private let table = SincTable(isPassive: false)
  private let copy: SampleBuffer
  private let mixed: SampleBuffer
  private let delays: UnsafeMutablePointer<FractionalDelay>
  private var line: DelayLine

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    later = preparation.text("later") == "left" ? 0 : 1
    maximum = Self.maximum(preparation)
    line = DelayLine(
      channelCount: 2, maximumDelay: maximum + SincTable.reach, maximumFrameCount: Self.chunk)
    copy = SampleBuffer(count: Self.chunk + 2 * SincTable.reach)
    mixed = SampleBuffer(count: Self.chunk)
    delays = .allocate(capacity: Self.chunk)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: 0, atMost: maximum), count: Self.chunk)
  }

  deinit { delays.deallocate() }

  private static func maximum(_ preparation: Preparation) -> Int {
    Int(longestTime * preparation.sampleRate) + 2 * SincTable.reach + 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let longest = maximum(preparation) + SincTable.reach
    return UnitTraits(
      latency: SincTable.reach, tail: .frames(longest), recall: longest,
      memory: SincTable.byteCount()
        + SampleBuffer.byteCount(count: chunk + 2 * SincTable.reach)
        + SampleBuffer.byteCount(count: chunk) + chunk * MemoryLayout<FractionalDelay>.stride
        + DelayLine.byteCount(channelCount: 2, maximumDelay: longest, maximumFrameCount: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Self.chunk)
      for channel in 0..<2 { write(block, channel, from: frame, count: count) }
      line.read(
        into: block.outputs[1 &- later] + frame, channel: 1 &- later, delay: SincTable.reach,
        frameCount: count)
      let output = block.outputs[later] + frame
      readLate(into: output, parameters.time, from: frame, count: count)
      let gain = parameters.gain
      if gain.isConstant {
        for index in 0..<count { output[index] *= gain.value }
      } else {
        for index in 0..<count { output[index] *= gain[frame &+ index] }
      }
      line.advance(count)
      frame &+= count
    }
  }

  @_noLocks
  private func readLate(
    into output: UnsafeMutablePointer<Float>, _ time: ParameterSignal, from frame: Int, count: Int
  ) {
    for index in 0..<(time.isConstant ? 1 : count) {
      delays[index] = FractionalDelay(
        frames: Double(time[frame &+ index]) * sampleRate + Double(SincTable.reach),
        atLeast: SincTable.reach, atMost: maximum)
    }
    line.readSinc(
      into: output, channel: later, delays: delays, isStill: time.isConstant, table: table,
      copy: copy.samples, frameCount: count)
  }

  @_noLocks
  private func write(_ block: RenderBlock, _ channel: Int, from frame: Int, count: Int) {
    guard block.inputCount > 0 else {
      for index in 0..<count { mixed.samples[index] = 0 }
      line.write(mixed.samples, channel: channel, frameCount: count)
      return
    }
    let input = block.inputs[block.inputCount > 1 ? channel : 0] + frame
    for index in 0..<count { mixed.samples[index] = input[index].finiteSample }
    line.write(mixed.samples, channel: channel, frameCount: count)
  }

  @_noLocks
  package mutating func reset() { line.clear() }
}
