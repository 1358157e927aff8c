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
  /// What the lines give, one stretch of `maximumFrameCount` a line.
  private let outputs: SampleBuffer
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
    outputs = SampleBuffer(count: count * self.maximumFrameCount)
    lines = .allocate(capacity: count)
    var offset = 0
    for index in 0..<count {
      (lines + index).initialize(
        to: Line(samples: buffer.samples + offset, length: lengths[index]))
      offset += lengths[index]
    }
  }

  deinit {
    lines.deallocate()
  }

  // MARK: - Realtime

  /// The output of a line over the stretch that was read.
  @_noLocks
  package func output(_ line: Int) -> UnsafePointer<Float> {
    UnsafePointer(outputs.samples + line &* maximumFrameCount)
  }

  /// The length of a line in frames.
  @_noLocks
  func length(_ line: Int) -> Int { lines[line].length }

  /// Reads every line through its damping; `output` gives the result.
  @_noLocks
  package mutating func read(frameCount: Int, damping: Damping) {
    let outputs = outputs.samples
    for index in 0..<Self.lineCount {
      let line = lines[index]
      let output = outputs + index &* maximumFrameCount
      let first = min(frameCount, line.length &- line.position)
      let gain = damping.feed[index]
      let tail = line.samples + line.position
      for frame in 0..<first { output[frame] = gain * tail[frame] }
      for frame in first..<frameCount { output[frame] = gain * line.samples[frame &- first] }
    }
    var (s0, s1, s2, s3) = (smoothed[0], smoothed[1], smoothed[2], smoothed[3])
    var (s4, s5, s6, s7) = (smoothed[4], smoothed[5], smoothed[6], smoothed[7])
    let keep = damping.keep
    let stride = maximumFrameCount
    for frame in 0..<frameCount {
      let at = outputs + frame
      s0 = at[0] + keep[0] * s0
      s1 = at[stride] + keep[1] * s1
      s2 = at[2 &* stride] + keep[2] * s2
      s3 = at[3 &* stride] + keep[3] * s3
      s4 = at[4 &* stride] + keep[4] * s4
      s5 = at[5 &* stride] + keep[5] * s5
      s6 = at[6 &* stride] + keep[6] * s6
      s7 = at[7 &* stride] + keep[7] * s7
      at[0] = s0
      at[stride] = s1
      at[2 &* stride] = s2
      at[3 &* stride] = s3
      at[4 &* stride] = s4
      at[5 &* stride] = s5
      at[6 &* stride] = s6
      at[7 &* stride] = s7
    }
    smoothed = SIMD8(s0, s1, s2, s3, s4, s5, s6, s7)
  }

  /// Mixes the outputs, adds the input (the left to lines of even index, the right to the others)
  /// and writes the sums to the lines.
  ///
  /// The outputs are used up.
  @_noLocks
  package func write(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount: Int
  ) {
    mix(frameCount: frameCount)
    for index in 0..<Self.lineCount {
      let line = lines[index]
      let mixed = output(index)
      let input = index & 1 == 0 ? left : right
      let first = min(frameCount, line.length &- line.position)
      let tail = line.samples + line.position
      for frame in 0..<first { tail[frame] = Self.share * mixed[frame] + input[frame] }
      for frame in first..<frameCount {
        line.samples[frame &- first] = Self.share * mixed[frame] + input[frame]
      }
      let position = line.position &+ frameCount
      lines[index].position = position >= line.length ? position &- line.length : position
    }
  }

  /// What makes eight sums and differences orthogonal: 1 / sqrt(8).
  private static var share: Float {
    @_noLocks get { 0.353_553_39 }
  }

  /// Hadamard's matrix, as three rounds of sums and differences.
  @_noLocks
  private func mix(frameCount: Int) {
    var distance = 1
    while distance < Self.lineCount {
      for index in 0..<Self.lineCount where index & distance == 0 {
        let a = outputs.samples + index &* maximumFrameCount
        let b = outputs.samples + (index &+ distance) &* maximumFrameCount
        for frame in 0..<frameCount {
          let (x, y) = (a[frame], b[frame])
          a[frame] = x + y
          b[frame] = x - y
        }
      }
      distance &*= 2
    }
  }

  @_noLocks
  package mutating func clear() {
    buffer.clear()
    smoothed = .zero
    for index in 0..<Self.lineCount { lines[index].position = 0 }
  }
}
