private import CKernels

/// Eight delay lines that feed each other through an orthogonal matrix: the late part of a reverb.
///
/// Used on the render thread.
///
/// Source: J.-M. Jot and A. Chaigne, "Digital delay networks for designing artificial
/// reverberators", AES 90th Convention (1991). The matrix is a Hadamard matrix, which mixes every
/// line into every other in equal shares. Each line has its own gain and low-pass, so that all
/// lines lose the same level per second.
struct FeedbackDelayNetwork: ~Copyable {
  package static var lineCount: Int {
    @_noLocks get { 8 }
  }

  /// The losses of the lines.
  struct Damping: BitwiseCopyable {
    /// A line's low-pass is `y = feed * x + keep * y`.
    var feed = SIMD8<Float>.zero
    var keep = SIMD8<Float>.zero
    /// The share of the power that a line passes at 0 Hz, as a mean over the lines.
    package internal(set) var meanPower: Float = 0

    @_noLocks package init() {}
  }

  private struct Line: BitwiseCopyable {
    let samples: UnsafeMutablePointer<Float>
    let length: Int
    var position = 0
  }

  /// The longest stretch of one call: no line is shorter.
  package let maximumFrameCount: Int
  private let buffer: SampleBuffer
  /// The outputs of the lines: lines × `stride` frames.
  private let outputs: SampleBuffer
  private let stride: Int
  private let lines: UnsafeMutablePointer<Line>
  /// The next read and write address of each line.
  private let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let sampleRate: Double
  /// Three rows with a value per line: the low-pass coefficients `feed` and `keep`, and its state.
  private let lowPasses = SampleBuffer(count: 3 * Self.lineCount)

  /// Eight lengths in frames.
  package init(lengths: [Int], sampleRate: Double, maximumFrameCount: Int) {
    let count = Self.lineCount
    let lengths = (0..<count).map { $0 < lengths.count ? max(lengths[$0], 1) : 1 }
    self.maximumFrameCount = min(maximumFrameCount, lengths.min() ?? 1)
    self.sampleRate = sampleRate
    buffer = SampleBuffer(count: lengths.reduce(0, +))
    stride = self.maximumFrameCount
    outputs = SampleBuffer(count: count * stride)
    lines = .allocate(capacity: count)
    places = .allocate(capacity: count)
    places.initialize(repeating: buffer.samples, count: count)
    var offset = 0
    for index in 0..<count {
      (lines + index).initialize(
        to: Line(samples: buffer.samples + offset, length: lengths[index]))
      offset += lengths[index]
    }
  }

  /// The bytes that a network of these lengths allocates.
  package static func byteCount(lengths: [Int], maximumFrameCount: Int) -> Int {
    SampleBuffer.byteCount(count: lengths.reduce(0, +))
      + SampleBuffer.byteCount(count: lineCount * maximumFrameCount)
      + SampleBuffer.byteCount(count: 3 * lineCount)
      + lineCount * (MemoryLayout<Line>.stride + MemoryLayout<UnsafeMutablePointer<Float>>.stride)
  }

  deinit {
    lines.deallocate()
    places.deallocate()
  }

  // MARK: - Realtime

  /// The output of a line for the stretch that was read last.
  @_noLocks
  package func output(_ line: Int) -> UnsafePointer<Float> {
    UnsafePointer(outputs.samples + line &* stride)
  }

  /// The length of a line in frames.
  @_noLocks
  func length(_ line: Int) -> Int { lines[line].length }

  /// The frames, at most `frameCount`, until the first line wraps around.
  @_noLocks
  package func stretch(_ frameCount: Int) -> Int {
    var stretch = frameCount
    for index in 0..<Self.lineCount {
      let rest = lines[index].length &- lines[index].position
      stretch = rest < stretch ? rest : stretch
    }
    return stretch
  }

  /// Reads a stretch of every line through its damping; `output` returns the result.
  @_noLocks
  package mutating func read(frameCount: Int, damping: Damping) {
    locate()
    let lowPasses = lowPasses.samples
    UnsafeMutableRawPointer(lowPasses).storeBytes(of: damping.feed, as: SIMD8<Float>.self)
    UnsafeMutableRawPointer(lowPasses + 8).storeBytes(of: damping.keep, as: SIMD8<Float>.self)
    fx_eight_lines_read(
      fx_vector_level(),
      UnsafeRawPointer(places).assumingMemoryBound(to: UnsafePointer<Float>.self),
      lowPasses, lowPasses + 8, lowPasses + 16, outputs.samples, stride, frameCount)
  }

  /// Writes the output of one side for the stretch that was read: the sum of the even lines (side
  /// 0) or of the odd lines (side 1). The pattern, 0...3, selects the polarities of the lines.
  @_noLocks
  package func sum(
    side: Int, pattern: Int, into output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    fx_eight_lines_sum(
      fx_vector_level(), self.output(side), stride, pattern, output, frameCount)
  }

  /// Mixes the outputs, adds the input and writes the sums to the lines.
  ///
  /// The left input goes to the even lines, the right input to the odd ones.
  @_noLocks
  package func write(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount: Int
  ) {
    locate()
    fx_eight_lines_write(
      fx_vector_level(), outputs.samples, stride, left, right, places, frameCount)
    for index in 0..<Self.lineCount {
      let position = lines[index].position &+ frameCount
      lines[index].position = position == lines[index].length ? 0 : position
    }
  }

  @_noLocks
  private func locate() {
    for index in 0..<Self.lineCount {
      places[index] = lines[index].samples + lines[index].position
    }
  }

  @_noLocks
  package mutating func clear() {
    buffer.clear()
    lowPasses.clear()
    for index in 0..<Self.lineCount { lines[index].position = 0 }
  }
}
