package import FxAudio
import Glibc
import Synchronization

/// The facts about a sound file that a schedule needs.
package struct RegionFile: Sendable, Hashable {
  package let layout: ChannelLayout
  package let sampleRate: Double
  package let frameCount: Int

  package init(layout: ChannelLayout, sampleRate: Double, frameCount: Int) {
    self.layout = layout
    self.sampleRate = sampleRate
    self.frameCount = frameCount
  }

  /// From an open source. A source of unknown length is read to its end.
  package init(_ source: any AudioSource) throws(Failure) {
    let frameCount = try source.countFrames()
    guard frameCount > 0 else {
      throw Failure(.empty, source.name, "there is no sound in it")
    }
    self.init(
      layout: source.format.layout, sampleRate: source.format.sampleRate, frameCount: frameCount)
  }

  /// Reads a regular file. The result is cached as long as the file does not change.
  package static func read(
    _ path: String, raw: RawFormat? = nil, _ monitor: OpeningMonitor? = nil
  ) throws(Failure) -> RegionFile {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else {
      throw Failure.reading(path, errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(.unreadable, path, "this is no regular file, which can be read again")
    }
    let state = FileStamp(status)
    let key = Key(path: path, raw: raw)
    if let known = known.withLock({ $0[key] }), known.state == state { return known.file }
    let file = try RegionFile(try FileSource.open(path, raw: raw, monitor))
    known.withLock { known in
      if known.count >= 20_000 { known.removeAll() }
      known[key] = (state, file)
    }
    return file
  }

  private struct Key: Sendable, Hashable {
    let path: String
    let raw: RawFormat?
  }

  private static let known = Mutex<[Key: (state: FileStamp, file: RegionFile)]>([:])
}
