import FxAudio

/// Delays both sides of a reverb's input.
struct ReverbPreDelay: ~Copyable {
  private let sampleRate: Double
  private let maximum: Int
  private let delays: UnsafeMutablePointer<FractionalDelay>
  private var line: DelayLine

  init(sampleRate: Double, maximumFrameCount: Int) {
    self.sampleRate = sampleRate
    maximum = Self.maximum(sampleRate: sampleRate)
    delays = .allocate(capacity: maximumFrameCount)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: 0, atMost: maximum), count: maximumFrameCount)
    line = DelayLine(
      channelCount: 2, maximumDelay: maximum + 2, maximumFrameCount: maximumFrameCount)
  }

  /// The longest delay in frames.
  static func maximum(sampleRate: Double) -> Int { Int(0.25 * sampleRate) + 1 }

  static func byteCount(sampleRate: Double, maximumFrameCount: Int) -> Int {
    maximumFrameCount * MemoryLayout<FractionalDelay>.stride
      + DelayLine.byteCount(
        channelCount: 2, maximumDelay: maximum(sampleRate: sampleRate) + 2,
        maximumFrameCount: maximumFrameCount)
  }

  deinit { delays.deallocate() }

  // MARK: - Realtime

  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    time: ParameterSignal, from frame: Int, count: Int
  ) {
    line.write(left, channel: 0, frameCount: count)
    line.write(right, channel: 1, frameCount: count)
    let first = delay(of: time.value)
    if time.isConstant && first.fraction == 0 {
      line.read(into: left, channel: 0, delay: first.frames, frameCount: count)
      line.read(into: right, channel: 1, delay: first.frames, frameCount: count)
    } else {
      for index in 0..<count {
        delays[index] = time.isConstant ? first : delay(of: time[frame &+ index])
      }
      line.readLinear(into: left, channel: 0, delays: delays, frameCount: count)
      line.readLinear(into: right, channel: 1, delays: delays, frameCount: count)
    }
    line.advance(count)
  }

  @_noLocks
  private func delay(of time: Float) -> FractionalDelay {
    FractionalDelay(frames: Double(time) * sampleRate, atLeast: 0, atMost: maximum)
  }

  var isSilent: Bool { @_noLocks get { line.isSilent } }

  @_noLocks
  mutating func clear() { line.clear() }
}
