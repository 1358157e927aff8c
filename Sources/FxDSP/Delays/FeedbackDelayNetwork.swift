/// Eight delay lines that feed each other through an orthogonal matrix: the late part of a reverb.
///
/// Used on the render thread.
///
/// Source: J.-M. Jot and A. Chaigne, "Digital delay networks for designing artificial
/// reverberators", AES 90th Convention (1991). The matrix is Hadamard's, which mixes every line
/// into every other at equal shares; each line has a gain and a low pass of its own, such that all
/// of them lose as much in a second.
package struct FeedbackDelayNetwork: ~Copyable {
  package static var lineCount: Int {
    @_noLocks get { 8 }
  }

  /// How the lines lose their sound.
  package struct Damping: BitwiseCopyable {
    /// A line's low pass is `y = feed * x + keep * y`.
    var feed = SIMD8<Float>.zero
    var keep = SIMD8<Float>.zero
    /// The share of its power that a line passes at 0 Hz, in the mean.
    package internal(set) var meanPower: Float = 0

    @_noLocks package init() {}
  }

  private struct Line: BitwiseCopyable {
    let samples: UnsafeMutablePointer<Float>
    let length: Int
    var position = 0
  }

  /// The longest stretch that `render` takes: no line is shorter.
  package let maximumFrameCount: Int
  private let buffer: SampleBuffer
  /// What the lines give, one stretch of `stride` frames, whole vectors, a line.
  private let outputs: SampleBuffer
  private let stride: Int
  private let lines: UnsafeMutablePointer<Line>
  let sampleRate: Double
  private var smoothed = SIMD8<Float>.zero

  /// Eight lengths in frames.
  package init(lengths: [Int], sampleRate: Double, maximumFrameCount: Int) {
    let count = Self.lineCount
    let lengths = (0..<count).map { $0 < lengths.count ? max(lengths[$0], 1) : 1 }
    self.maximumFrameCount = min(maximumFrameCount, lengths.min() ?? 1)
    self.sampleRate = sampleRate
    buffer = SampleBuffer(count: lengths.reduce(0, +))
    stride = (self.maximumFrameCount + 3) & ~3
    outputs = SampleBuffer(count: count * stride)
    lines = .allocate(capacity: count)
    var offset = 0
    for index in 0..<count {
      (lines + index).initialize(
        to: Line(samples: buffer.samples + offset, length: lengths[index]))
      offset += lengths[index]
    }
  }

  /// What a network of these lengths allocates.
  package static func byteCount(lengths: [Int], maximumFrameCount: Int) -> Int {
    SampleBuffer.byteCount(count: lengths.reduce(0, +))
      + SampleBuffer.byteCount(count: lineCount * ((maximumFrameCount + 3) & ~3))
      + lineCount * MemoryLayout<Line>.stride
  }

  deinit {
    lines.deallocate()
  }

  // MARK: - Realtime

  /// The output of a line over the stretch that was read.
  @_noLocks
  package func output(_ line: Int) -> UnsafePointer<Float> {
    UnsafePointer(outputs.samples + line &* stride)
  }

  /// The length of a line in frames.
  @_noLocks
  func length(_ line: Int) -> Int { lines[line].length }

  /// Of so many frames those that lie in one piece in every line.
  @_noLocks
  package func stretch(_ frameCount: Int) -> Int {
    var stretch = frameCount
    for index in 0..<Self.lineCount {
      let rest = lines[index].length &- lines[index].position
      stretch = rest < stretch ? rest : stretch
    }
    return stretch
  }

  /// Reads a stretch of every line through its damping; `output` gives the result.
  @_noLocks
  package mutating func read(frameCount: Int, damping: Damping) {
    let stride = stride
    let (x0, x1, x2, x3) = (current(0), current(1), current(2), current(3))
    let (x4, x5, x6, x7) = (current(4), current(5), current(6), current(7))
    let feed = damping.feed
    let keep = damping.keep
    var smoothed = smoothed
    for frame in 0..<frameCount {
      let heard = SIMD8(
        x0[frame], x1[frame], x2[frame], x3[frame], x4[frame], x5[frame], x6[frame], x7[frame])
      smoothed = feed * heard + keep * smoothed
      let output = outputs.samples + frame
      output[0] = smoothed[0]
      output[stride] = smoothed[1]
      output[2 &* stride] = smoothed[2]
      output[3 &* stride] = smoothed[3]
      output[4 &* stride] = smoothed[4]
      output[5 &* stride] = smoothed[5]
      output[6 &* stride] = smoothed[6]
      output[7 &* stride] = smoothed[7]
    }
    self.smoothed = smoothed
  }

  /// Where a line is read and written next.
  @_noLocks @inline(__always)
  private func current(_ index: Int) -> UnsafeMutablePointer<Float> {
    lines[index].samples + lines[index].position
  }

  /// Mixes the outputs, adds the input and writes the sums to the lines.
  ///
  /// The left goes to the lines of even index, the right to the others. The inputs are whole
  /// vectors long: what lies behind `frameCount` is read and has no effect.
  @_noLocks
  package func write(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount: Int
  ) {
    let (x0, x1, x2, x3) = (current(0), current(1), current(2), current(3))
    let (x4, x5, x6, x7) = (current(4), current(5), current(6), current(7))
    let stride = stride
    var mixed = outputs.samples
    var frame = 0
    while frame < frameCount {
      // Hadamard's matrix, as three rounds of sums and differences.
      let (a0, a1) = (Self.vector(mixed), Self.vector(mixed + stride))
      let (a2, a3) = (Self.vector(mixed + 2 &* stride), Self.vector(mixed + 3 &* stride))
      let (a4, a5) = (Self.vector(mixed + 4 &* stride), Self.vector(mixed + 5 &* stride))
      let (a6, a7) = (Self.vector(mixed + 6 &* stride), Self.vector(mixed + 7 &* stride))
      let (b0, b1, b2, b3) = (a0 + a1, a0 - a1, a2 + a3, a2 - a3)
      let (b4, b5, b6, b7) = (a4 + a5, a4 - a5, a6 + a7, a6 - a7)
      let (c0, c1, c2, c3) = (b0 + b2, b1 + b3, b0 - b2, b1 - b3)
      let (c4, c5, c6, c7) = (b4 + b6, b5 + b7, b4 - b6, b5 - b7)
      let l = Self.vector(left + frame)
      let r = Self.vector(right + frame)
      let count = min(4, frameCount &- frame)
      Self.store(Self.share * (c0 + c4) + l, x0 + frame, count)
      Self.store(Self.share * (c1 + c5) + r, x1 + frame, count)
      Self.store(Self.share * (c2 + c6) + l, x2 + frame, count)
      Self.store(Self.share * (c3 + c7) + r, x3 + frame, count)
      Self.store(Self.share * (c0 - c4) + l, x4 + frame, count)
      Self.store(Self.share * (c1 - c5) + r, x5 + frame, count)
      Self.store(Self.share * (c2 - c6) + l, x6 + frame, count)
      Self.store(Self.share * (c3 - c7) + r, x7 + frame, count)
      frame &+= 4
      mixed += 4
    }
    for index in 0..<Self.lineCount {
      let position = lines[index].position &+ frameCount
      lines[index].position = position == lines[index].length ? 0 : position
    }
  }

  /// What makes eight sums and differences orthogonal: 1 / sqrt(8).
  private static var share: Float {
    @_noLocks get { 0.353_553_39 }
  }

  @_noLocks @inline(__always)
  private static func vector(_ samples: UnsafePointer<Float>) -> SIMD4<Float> {
    UnsafeRawPointer(samples).loadUnaligned(as: SIMD4<Float>.self)
  }

  @_noLocks @inline(__always)
  private static func store(
    _ values: SIMD4<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if count == 4 {
      UnsafeMutableRawPointer(target).storeBytes(of: values, as: SIMD4<Float>.self)
    } else {
      for lane in 0..<count { target[lane] = values[lane] }
    }
  }

  @_noLocks
  package mutating func clear() {
    buffer.clear()
    smoothed = .zero
    for index in 0..<Self.lineCount { lines[index].position = 0 }
  }
}
