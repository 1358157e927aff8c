import Glibc

/// The recorded output of a node: its channels one after another.
struct LintRecording {
  private let samples: [Float]
  private let frameCount: Int
  private let channelCount: Int

  /// nil if nothing was recorded.
  init?(_ outcome: LintProcess.Outcome?, _ task: LintTask, _ index: Int) {
    guard case .result(let result)? = outcome, result.runs.indices.contains(index) else {
      return nil
    }
    let run = result.runs[index]
    (channelCount, frameCount) = (run.recordedChannelCount, run.recordedFrameCount)
    let count = channelCount * frameCount
    guard count > 0, count < 1 << 30, let file = fopen(task.recordingPath(index), "re") else {
      return nil
    }
    defer { fclose(file) }
    var read = 0
    samples = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      read = fread(buffer.baseAddress, MemoryLayout<Float>.stride, count, file)
      initialized = read
    }
    guard read == count else { return nil }
  }

  /// The highest magnitude of the difference and the first frame that differs; nil if they are
  /// equal. The shorter one is extended with silence.
  func difference(from other: LintRecording) -> (peak: Double, frame: Int)? {
    var peak: Float = 0
    var first: Int?
    for channel in 0..<min(channelCount, other.channelCount) {
      for frame in 0..<min(frameCount, other.frameCount) {
        let one = samples[channel * frameCount + frame]
        let two = other.samples[channel * other.frameCount + frame]
        guard one.bitPattern != two.bitPattern else { continue }
        peak = max(peak, abs(one - two))
        first = min(first ?? frame, frame)
      }
    }
    return first.map { (Double(peak), $0) }
  }
}
