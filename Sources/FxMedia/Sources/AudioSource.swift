package import FxAudio
package import FxFrames

/// Where audio comes from: a file, a pipe, another source changed on the way.
///
/// Used by one thread at a time.
package protocol AudioSource: AnyObject {
  /// For messages: the path as the user wrote it.
  var name: String { get }
  var format: StreamFormat { get }
  /// Frames from start to end; nil when that shows only at the end.
  var frameCount: Int? { get }
  /// What the listener should know although reading goes on: a file cut short, for one.
  var warnings: [String] { get }
  /// Reads up to `frameCount` frames into one buffer a channel. Returns how many; 0 is the end.
  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(IOError) -> Int
  /// True for what is silent from its start to its end.
  var isSilence: Bool { get }
  /// False for a pipe, which cannot go back.
  var isSeekable: Bool { get }
  /// Makes a frame the next to be read.
  func seek(toFrame frame: Int) throws(IOError)
  /// True for what is fetched while it plays, and for what opens the next entry of a list then.
  var isStreamed: Bool { get }
  /// True for a station, which sends as long as it likes: whenever it is left, it is whole.
  var isUnending: Bool { get }
  /// Which regions a schedule plays, and where queued ones go; nil for any other source.
  var regions: PlayerBoard? { get }
  /// The part that is played over and over; nil where nothing is.
  var loop: SourceLoop? { get }
  /// Frames of the source without its loop.
  var wholeFrameCount: Int? { get }
  /// Makes a frame the next to be read, from where `loop` is played over and over.
  func go(to frame: Int, _ loop: SourceLoop?) throws(IOError)
  /// Ends a read that waits for a pipe, now and for ever. From any thread.
  func interrupt()
  /// Another reader of the same sound for another thread, where both give the same samples from any
  /// frame on and decoding takes long enough; nil for any other source.
  func fork() -> (any AudioSource)?
}

extension AudioSource {
  package var warnings: [String] { [] }
  package var isSilence: Bool { false }
  package var regions: PlayerBoard? { nil }
  package var isSeekable: Bool { true }
  package var isStreamed: Bool { false }
  package var isUnending: Bool { false }
  package var loop: SourceLoop? { nil }
  package var wholeFrameCount: Int? { frameCount }
  package func go(to frame: Int, _ loop: SourceLoop?) throws(IOError) { try seek(toFrame: frame) }
  package func interrupt() {}
  package func fork() -> (any AudioSource)? { nil }

  /// Reads and drops; for sources that cannot seek.
  func skip(_ frameCount: Int) throws(IOError) {
    let scratch = PlanarBuffer(channelCount: format.channelCount, atMost: 4096)
    var left = frameCount
    while left > 0 {
      let count = try read(into: scratch.channels, frameCount: min(left, scratch.frameCount))
      if count == 0 { return }
      left -= count
    }
  }
}
