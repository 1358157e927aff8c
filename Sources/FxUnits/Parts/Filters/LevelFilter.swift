import FxAudio

/// A peak or a shelf whose level changes at each frame.
///
/// Render thread.
///
/// The structure and the designs are those of `FilterSection`: at a constant level it has the
/// response of the filters `peak`, `lowShelf` and `highShelf`. But a chunk's designs are computed
/// together, and only the part that depends on the level. A level of 0 passes every sample
/// unchanged. A sample that is not a number, or beyond 1e18, counts as silence.
struct LevelFilter: ~Copyable {
  /// Frequency and damping, constant within a chunk.
  struct Tuning: BitwiseCopyable {
    let g: Double
    let damping: Double

    // MARK: - Realtime

    @_noLocks
    package init(frequency: Double, quality: Double, sampleRate: Double) {
      let highest = 0.49 * sampleRate
      let lowest = 1e-6 * sampleRate
      let hertz = frequency < highest ? (frequency > lowest ? frequency : lowest) : highest
      g = Math.tan(Double.pi * hertz / sampleRate)
      damping = 1 / (quality > 0.01 ? quality : 0.01)
    }
  }

  private enum Kind: BitwiseCopyable { case peak, lowShelf, highShelf }

  private let kind: Kind
  private let channelCount: Int
  private let maximumFrameCount: Int
  /// Six rows: `a1`, `a2`, `a3`, `m0`, `m1`, `m2`.
  private let rows: UnsafeMutablePointer<Double>
  /// Channel pairs × two states.
  private let states: UnsafeMutablePointer<SIMD2<Double>>

  private static var rowCount: Int { @_noLocks get { 6 } }

  /// - Parameter shape: `lowShelf` or `highShelf`; every other shape counts as a peak.
  package init(_ shape: FilterShape, channelCount: Int, maximumFrameCount: Int) {
    switch shape {
    case .lowShelf: kind = .lowShelf
    case .highShelf: kind = .highShelf
    default: kind = .peak
    }
    self.channelCount = channelCount
    self.maximumFrameCount = maximumFrameCount
    rows = .allocate(capacity: max(1, Self.rowCount * maximumFrameCount))
    rows.initialize(repeating: 0, count: Self.rowCount * maximumFrameCount)
    let stateCount = (channelCount + 1) / 2 * 2
    states = .allocate(capacity: max(1, stateCount))
    states.initialize(repeating: .zero, count: stateCount)
  }

  package static func byteCount(channelCount: Int, maximumFrameCount: Int) -> Int {
    max(1, rowCount * maximumFrameCount) * MemoryLayout<Double>.stride
      + max(1, (channelCount + 1) / 2 * 2) * MemoryLayout<SIMD2<Double>>.stride
  }

  deinit {
    rows.deallocate()
    states.deallocate()
  }

  // MARK: - Realtime

  /// Designs the filter for the frames that `process` will filter.
  ///
  /// - Parameter levels: The level at each frame, in octaves of amplitude.
  @_noLocks
  package func design(_ levels: UnsafePointer<Float>, count: Int, tuning: Tuning) {
    let (a1, a2, a3) = (row(0), row(1), row(2))
    let (m0, m1, m2) = (row(3), row(4), row(5))
    let damping = tuning.damping
    switch kind {
    case .peak:
      for index in 0..<count {
        let root = Double(Math.exp2(0.5 * levels[index]))
        let inverse = Double(Math.exp2(-0.5 * levels[index]))
        let g = tuning.g
        let first = 1 / (1 + g * (g + damping * inverse))
        a1[index] = first
        a2[index] = g * first
        a3[index] = g * g * first
        m0[index] = 1
        m1[index] = damping * (root - inverse)
        m2[index] = 0
      }
    case .lowShelf:
      for index in 0..<count {
        let fourth = Double(Math.exp2(0.25 * levels[index]))
        let root = fourth * fourth
        let g = tuning.g / fourth
        let first = 1 / (1 + g * (g + damping))
        a1[index] = first
        a2[index] = g * first
        a3[index] = g * g * first
        m0[index] = 1
        m1[index] = damping * (root - 1)
        m2[index] = root * root - 1
      }
    case .highShelf:
      for index in 0..<count {
        let fourth = Double(Math.exp2(0.25 * levels[index]))
        let root = fourth * fourth
        let g = tuning.g * fourth
        let first = 1 / (1 + g * (g + damping))
        a1[index] = first
        a2[index] = g * first
        a3[index] = g * g * first
        m0[index] = root * root
        m1[index] = damping * (1 - root) * root
        m2[index] = 1 - root * root
      }
    }
  }

  @_noLocks
  private func row(_ index: Int) -> UnsafeMutablePointer<Double> {
    rows + index &* maximumFrameCount
  }

  /// Filters the frames for which `design` was called, in a block's first channels.
  ///
  /// - Parameter readsOutputs: True to filter the outputs in place, instead of the inputs.
  @_noLocks
  package mutating func process(
    _ block: RenderBlock, readsOutputs: Bool = false, at frame: Int, count: Int
  ) {
    var left = 0
    while left < channelCount {
      // A channel without a partner is filtered twice, with the same result.
      let right = left &+ 1 < channelCount ? left &+ 1 : left
      let outputs = (block.outputs[left] + frame, block.outputs[right] + frame)
      let inputs =
        readsOutputs
        ? (UnsafePointer(outputs.0), UnsafePointer(outputs.1))
        : (block.inputs[left] + frame, block.inputs[right] + frame)
      process(
        inputs, into: outputs, states: states + left, at: block.frame &+ frame, count: count)
      left &+= 2
    }
  }

  @_noLocks
  private func process(
    _ inputs: (UnsafePointer<Float>, UnsafePointer<Float>),
    into outputs: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>),
    states: UnsafeMutablePointer<SIMD2<Double>>, at frame: Int, count: Int
  ) {
    var start = 0
    while start < count {
      let left = InaudibleState.frameCount(from: frame &+ start)
      let end = left < count &- start ? start &+ left : count
      process(inputs, into: outputs, states: states, from: start, to: end)
      if left == end &- start { Self.forgetInaudible(states) }
      start = end
    }
  }

  @_noLocks
  private static func forgetInaudible(_ states: UnsafeMutablePointer<SIMD2<Double>>) {
    for index in 0..<2 {
      for lane in 0..<2 where abs(states[index][lane]) >= InaudibleState.limit { return }
    }
    (states[0], states[1]) = (.zero, .zero)
  }

  @_noLocks
  private func process(
    _ inputs: (UnsafePointer<Float>, UnsafePointer<Float>),
    into outputs: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>),
    states: UnsafeMutablePointer<SIMD2<Double>>, from start: Int, to end: Int
  ) {
    let (a1, a2, a3) = (row(0), row(1), row(2))
    let (m0, m1, m2) = (row(3), row(4), row(5))
    var (first, second) = (states[0], states[1])
    for index in start..<end {
      let input = SIMD2(
        Double(inputs.0[index].finiteSample), Double(inputs.1[index].finiteSample))
      let rest = input - second
      let band = a1[index] * first + a2[index] * rest
      let low = second + a2[index] * first + a3[index] * rest
      first = 2 * band - first
      second = 2 * low - second
      let output = m0[index] * input + m1[index] * band + m2[index] * low
      outputs.0[index] = Float(output.x)
      outputs.1[index] = Float(output.y)
    }
    (states[0], states[1]) = (first, second)
  }

  /// True when silence in gives silence out, as long as the level does not change.
  package var isAtRest: Bool {
    @_noLocks get {
      for index in 0..<(channelCount + 1) / 2 * 2 where states[index] != .zero { return false }
      return true
    }
  }

  /// Clears the state.
  @_noLocks
  package mutating func clear() {
    states.update(repeating: .zero, count: (channelCount + 1) / 2 * 2)
  }
}
