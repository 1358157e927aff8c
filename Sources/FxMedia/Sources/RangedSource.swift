package import FxAudio

/// A part of another source: `duration` frames, starting at `start`.
package final class RangedSource: ChangedSource {
  package let source: any AudioSource
  package var frameCount: Int? {
    let rest = source.frameCount.map { max($0 - start, 0) }
    guard let duration else { return rest }
    return rest.map { min($0, duration) }
  }

  private let start: Int
  private let duration: Int?
  private var position = 0

  /// Seeks to the first frame of the range at once. Throws if the source ends before it.
  package init(_ source: any AudioSource, start: Int, duration: Int? = nil) throws(Failure) {
    self.source = source
    self.start = max(start, 0)
    self.duration = duration.map { max($0, 0) }
    if let length = source.frameCount, self.start > 0, self.start >= length {
      throw Failure(
        .outOfRange, name,
        "the start lies behind its end; it lasts \(clockSeconds(length, format.sampleRate))")
    }
    if self.start > 0 { try source.seek(toFrame: self.start) }
  }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = min(frameCount, duration.map { $0 - position } ?? frameCount)
    guard count > 0 else { return 0 }
    let got = try source.read(into: channels, frameCount: count)
    if got == 0, position == 0, start > 0 {
      // The length of a pipe is known at its end.
      throw Failure(
        .outOfRange, name, "ends before the start at \(clockSeconds(start, format.sampleRate))")
    }
    position += got
    return got
  }

  package func seek(toFrame frame: Int) throws(Failure) {
    let target = min(max(frame, 0), duration ?? Int.max)
    let (absolute, overflow) = start.addingReportingOverflow(target)
    try source.seek(toFrame: overflow ? Int.max : absolute)
    position = target
  }
}
