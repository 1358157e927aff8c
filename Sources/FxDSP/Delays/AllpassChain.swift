/// Delays in a row that smear a signal over time and leave its spectrum as it is.
///
/// Used on the render thread.
///
/// Source: M. R. Schroeder, "Natural sounding artificial reverberation", J. Audio Eng. Soc. 10
/// (1962).
package struct AllpassChain: ~Copyable {
  private struct Stage: BitwiseCopyable {
    let samples: UnsafeMutablePointer<Float>
    let length: Int
    let gain: Float
    var position = 0
  }

  /// The longest stretch that `process` takes: the shortest delay.
  package let maximumFrameCount: Int
  private let buffer: SampleBuffer
  private let stages: UnsafeMutablePointer<Stage>
  private let stageCount: Int

  /// Lengths in frames, 1 or more.
  package init(lengths: [Int], gains: [Float]) {
    let lengths = lengths.map { max($0, 1) }
    maximumFrameCount = lengths.min() ?? 1
    stageCount = min(lengths.count, gains.count)
    buffer = SampleBuffer(count: lengths.reduce(0, +))
    stages = .allocate(capacity: max(stageCount, 1))
    var offset = 0
    for index in 0..<stageCount {
      (stages + index).initialize(
        to: Stage(
          samples: buffer.samples + offset, length: lengths[index], gain: gains[index]))
      offset += lengths[index]
    }
  }

  /// What a chain of these lengths allocates.
  package static func byteCount(lengths: [Int]) -> Int {
    SampleBuffer.byteCount(count: lengths.reduce(0, +))
      + lengths.count * MemoryLayout<Stage>.stride
  }

  deinit {
    stages.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package func process(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<stageCount {
      let stage = stages[index]
      let first = min(count, stage.length &- stage.position)
      Self.pass(stage.samples + stage.position, samples, count: first, gain: stage.gain)
      Self.pass(stage.samples, samples + first, count: count &- first, gain: stage.gain)
      let position = stage.position &+ count
      stages[index].position = position >= stage.length ? position &- stage.length : position
    }
  }

  @_noLocks @inline(__always)
  private static func pass(
    _ ring: UnsafeMutablePointer<Float>, _ samples: UnsafeMutablePointer<Float>, count: Int,
    gain: Float
  ) {
    for index in 0..<count {
      let delayed = ring[index]
      let input = samples[index]
      let output = delayed - gain * input
      ring[index] = input + gain * output
      samples[index] = output
    }
  }

  @_noLocks
  package func clear() {
    buffer.clear()
    for index in 0..<stageCount { stages[index].position = 0 }
  }
}
