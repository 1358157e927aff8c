package import FxAudio

/// An input of audio: a file, a pipe, or another source with changes.
///
/// Used by one thread at a time.
package protocol AudioSource: AnyObject {
  /// For messages: the path as the user wrote it.
  var name: String { get }
  var format: StreamFormat { get }
  /// The total number of frames; nil if it is only known at the end.
  var frameCount: Int? { get }
  /// Warnings for the user that do not stop reading, such as a truncated file.
  var warnings: [String] { get }
  /// Reads up to `frameCount` frames into one buffer per channel. Returns the number read; 0 at the
  /// end.
  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int
  /// True if all of it is silent.
  var isSilence: Bool { get }
  /// False for a pipe, which cannot seek back.
  var isSeekable: Bool { get }
  /// Sets the next frame to read.
  func seek(toFrame frame: Int) throws(Failure)
  /// True if the sound is downloaded while it plays, or if entries of a playlist are opened
  /// meanwhile.
  var isStreamed: Bool { get }
  /// True for a radio station, which has no end: its sound is complete wherever reading stops.
  var isUnending: Bool { get }
  /// The board of a player, which receives queued regions; nil for any other source.
  var regions: PlayerBoard? { get }
  /// Begins the regions that are to sound at once, also in frames that were read already: it adds them to
  /// the frames of the ring from `lead` frames behind the consumer on. Called by the thread that reads.
  func beginUrgentRegions(in ring: PlanarRing, lead: Int)
  /// The part that repeats; nil without a loop.
  var loop: SourceLoop? { get }
  /// Frames of the source without its loop.
  var wholeFrameCount: Int? { get }
  /// Sets the next frame to read, and the part that repeats from then on.
  func go(to frame: Int, _ loop: SourceLoop?) throws(Failure)
  /// Permanently ends a read that waits for a pipe. From any thread.
  func interrupt()
  /// A second reader of the same sound for another thread. Both give the same samples from any
  /// frame. nil if this is impossible, or if decoding is too fast to need it.
  func fork() -> (any AudioSource)?
}

extension AudioSource {
  package var warnings: [String] { [] }
  package var isSilence: Bool { false }
  package var regions: PlayerBoard? { nil }
  package func beginUrgentRegions(in ring: PlanarRing, lead: Int) {}
  package var isSeekable: Bool { true }
  package var isStreamed: Bool { false }
  package var isUnending: Bool { false }
  package var loop: SourceLoop? { nil }
  package var wholeFrameCount: Int? { frameCount }
  package func go(to frame: Int, _ loop: SourceLoop?) throws(Failure) { try seek(toFrame: frame) }
  package func interrupt() {}
  package func fork() -> (any AudioSource)? { nil }

  /// Reads and discards frames; for sources that cannot seek.
  func skip(_ frameCount: Int) throws(Failure) {
    let scratch = PlanarBuffer(channelCount: format.channelCount, atMost: 4096)
    var left = frameCount
    while left > 0 {
      let count = try read(into: scratch.channels, frameCount: min(left, scratch.frameCount))
      if count == 0 { return }
      left -= count
    }
  }
}
