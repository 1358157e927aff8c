private import CKernels

/// All-passes in series with a moving gain. They spread a signal over time and keep its spectrum.
///
/// Used on the render thread.
///
/// Source: M. R. Schroeder, "Natural sounding artificial reverberation", J. Audio Eng. Soc. 10
/// (1962).
struct Diffuser: ~Copyable {
  private struct Stage: BitwiseCopyable {
    let samples: UnsafeMutablePointer<Float>
    let length: Int
    let gain: Float
    var position = 0
  }

  private let buffer: SampleBuffer
  private let stages: UnsafeMutablePointer<Stage>
  private let stageCount: Int

  /// Lengths in frames, and the gain of each all-pass at full diffusion.
  package init(lengths: [Int], gains: [Float]) {
    stageCount = min(lengths.count, gains.count)
    buffer = SampleBuffer(count: lengths.reduce(0, +))
    stages = .allocate(capacity: max(stageCount, 1))
    var offset = 0
    for index in 0..<stageCount {
      (stages + index).initialize(
        to: Stage(samples: buffer.samples + offset, length: lengths[index], gain: gains[index]))
      offset += lengths[index]
    }
  }

  /// The bytes that a diffuser of these lengths allocates.
  package static func byteCount(lengths: [Int]) -> Int {
    SampleBuffer.byteCount(count: lengths.reduce(0, +))
      + lengths.count * MemoryLayout<Stage>.stride
  }

  deinit {
    stages.deallocate()
  }

  // MARK: - Realtime

  /// Diffuses samples in place. The diffusion scales every gain. It is `diffusion` at a point
  /// `place` frames before the first sample, and changes by `step` per frame.
  @_noLocks
  package func process(
    _ samples: UnsafeMutablePointer<Float>, count: Int, diffusion: Float, step: Float, place: Int
  ) {
    for index in 0..<stageCount {
      let stage = stages[index]
      stages[index].position = fx_allpass(
        fx_vector_level(), stage.samples, stage.length, stage.position, stage.gain * diffusion,
        stage.gain * step,
        place, samples, count)
    }
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`.
  package var isAtRest: Bool {
    @_noLocks get {
      for index in 0..<stageCount
      where fx_is_silent(stages[index].samples, stages[index].length) == 0 {
        return false
      }
      return true
    }
  }

  @_noLocks
  package func clear() {
    buffer.clear()
    for index in 0..<stageCount { stages[index].position = 0 }
  }
}
