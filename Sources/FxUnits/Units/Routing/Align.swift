import FxAudio

/// Delays the signal by whole frames, for microphones and loudspeakers at different distances.
///
/// Unlike the latency of other units, this delay is intended, so the chain does not compensate for
/// it. While the time is constant, the samples are unchanged to the bit.
struct Align: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "align", name: "Align", summary: "Delays the signal by whole frames.", category: "routing",
    parameters: [
      ParameterSpec(
        "time", "The delay, to the nearest frame; a change is crossfaded.", .seconds, 0...10,
        default: 0, smoothing: .none)
    ],
    options: [
      OptionSpec(
        "frames", "A delay of any length, added to the time.", .integer(0...100_000_000),
        default: .number(0)),
      OptionSpec(
        "distance", "The way of the sound in air in metres, added at 343 m/s.",
        .number(.none, 0...10000), default: .number(0)),
    ])

  package struct Parameters: BitwiseCopyable {
    let time: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Align.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Align.self)?.pointee.reset() })

  /// Frames that are processed together.
  private static let chunk = 256
  private static let longestTime = 10.0
  /// In seconds.
  private static let fade = 0.02

  private let sampleRate: Double
  private let channelCount: Int
  /// The delay from the options.
  private let fixed: Int
  private let fadeLength: Int
  private let scratch = SampleBuffer(count: Align.chunk)
  private var line: DelayLine
  /// The current delay and the target; -1 before the first frame.
  private var current = -1
  private var target = -1
  /// Elapsed frames of a crossfade; 0 between crossfades.
  private var progress = 0

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    fixed = Self.fixed(preparation)
    fadeLength = max(1, Int(Self.fade * sampleRate))
    line = DelayLine(
      channelCount: channelCount, maximumDelay: Self.longest(preparation),
      maximumFrameCount: Self.chunk)
  }

  private static func fixed(_ preparation: Preparation) -> Int {
    let frames = min(max(preparation.number("frames") ?? 0, 0), 100_000_000)
    let metres = min(max(preparation.number("distance") ?? 0, 0), 10000)
    return Int(frames) + Int((metres / 343 * preparation.sampleRate).rounded())
  }

  private static func longest(_ preparation: Preparation) -> Int {
    fixed(preparation) + Int(longestTime * preparation.sampleRate) + 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let time = min(max(preparation.parameters.first ?? 0, 0), longestTime)
    return UnitTraits(
      tail: .frames(fixed(preparation) + Int((time * preparation.sampleRate).rounded())),
      recall: longest(preparation),
      memory: SampleBuffer.byteCount(count: chunk)
        + DelayLine.byteCount(
          channelCount: preparation.channelCount, maximumDelay: longest(preparation),
          maximumFrameCount: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let time = block.parameterStorage.load(as: Parameters.self).time
    var frame = 0
    while frame < block.frameCount {
      begin(time[frame])
      let count = pieceLength(time, from: frame, to: block.frameCount)
      for channel in 0..<channelCount {
        let output = block.outputs[channel] + frame
        line.write(block.inputs[channel] + frame, channel: channel, frameCount: count)
        line.read(into: output, channel: channel, delay: current, frameCount: count)
        if progress > 0 { lead(output, channel: channel, count: count) }
      }
      line.advance(count)
      if progress > 0 { progress &+= count }
      if progress > fadeLength {
        current = target
        progress = 0
      }
      frame &+= count
    }
  }

  /// Sets the delay at the first frame, or starts a crossfade to a new one.
  @_noLocks
  private mutating func begin(_ time: Float) {
    guard progress == 0 else { return }
    let wanted = frames(time)
    if current < 0 { current = wanted }
    guard wanted != current else { return }
    target = wanted
    progress = 1
  }

  @_noLocks
  private func frames(_ time: Float) -> Int {
    let seconds = time > 0 ? Double(time) : 0
    let bounded = seconds < Self.longestTime ? seconds : Self.longestTime
    return fixed &+ Int(bounded * sampleRate + 0.5)
  }

  /// Frames to the end of the crossfade, to a change of the time, or to the end.
  @_noLocks
  private func pieceLength(_ time: ParameterSignal, from frame: Int, to end: Int) -> Int {
    let rest = end &- frame
    let longest = rest < Self.chunk ? rest : Self.chunk
    if progress > 0 {
      let left = fadeLength &- progress &+ 1
      return left < longest ? left : longest
    }
    guard !time.isConstant else { return longest }
    var count = 1
    while count < longest && frames(time[frame &+ count]) == current { count &+= 1 }
    return count
  }

  /// Crossfades a channel to the target.
  @_noLocks
  private func lead(_ output: UnsafeMutablePointer<Float>, channel: Int, count: Int) {
    let next = scratch.samples
    line.read(into: next, channel: channel, delay: target, frameCount: count)
    let length = Double(fadeLength &+ 1)
    for index in 0..<count {
      let share = Float(SmoothStep.share(Double(progress &+ index) / length))
      output[index] += share * (next[index] - output[index])
    }
  }

  @_noLocks
  package mutating func reset() {
    line.clear()
    current = -1
    target = -1
    progress = 0
  }
}
