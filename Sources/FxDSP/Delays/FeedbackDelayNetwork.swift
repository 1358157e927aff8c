private import CKernels

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
  /// What the lines give, one stretch of `stride` frames a line.
  private let outputs: SampleBuffer
  private let stride: Int
  private let lines: UnsafeMutablePointer<Line>
  /// Where each line is read and written next.
  private let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let sampleRate: Double
  /// Three rows of a number a line: what each low pass takes and keeps, and what it holds.
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

  /// What a network of these lengths allocates.
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
    locate()
    let lowPasses = lowPasses.samples
    UnsafeMutableRawPointer(lowPasses).storeBytes(of: damping.feed, as: SIMD8<Float>.self)
    UnsafeMutableRawPointer(lowPasses + 8).storeBytes(of: damping.keep, as: SIMD8<Float>.self)
    fx_eight_lines_read(
      fx_vector_level(),
      UnsafeRawPointer(places).assumingMemoryBound(to: UnsafePointer<Float>.self),
      lowPasses, lowPasses + 8, lowPasses + 16, outputs.samples, stride, frameCount)
  }

  /// Writes what one side hears of the stretch that was read, even lines (0) or odd ones (1), each
  /// pattern from 0 to 3 with the lines in other polarities.
  @_noLocks
  package func sum(
    side: Int, pattern: Int, into output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    fx_eight_lines_sum(
      fx_vector_level(), self.output(side), stride, pattern, output, frameCount)
  }

  /// Mixes the outputs, adds the input and writes the sums to the lines.
  ///
  /// The left goes to the lines of even index, the right to the others.
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
