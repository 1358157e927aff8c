import FxAudio

/// Sounds that follow each other in one stream, as one sound in the format of the first: a chained
/// Ogg stream, or joined FLAC files.
///
/// In a file all sounds are found when it is opened. In a pipe, and from a server, each is found at
/// the end of the one before.
final class JoinedSource: AudioSource {
  typealias Opener = @Sendable (ByteReader) throws(Failure) -> any AudioSource

  private struct Link {
    /// Its bytes in the stream; the end is nil until it was found.
    let start: Int
    var end: Int?
    /// The first frame in the whole sound.
    let frame: Int
  }

  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  var isSeekable: Bool { source.isSeekable }
  private let reader: ByteReader
  /// The next bytes, if the sounds are found by reading.
  private let window: ByteWindow?
  private let makeBoundary: @Sendable () -> any SoundBoundary
  private let openLink: Opener
  private var links: [Link]
  private var current = 0
  private var source: any AudioSource
  /// The current bytes, if their end is found by reading.
  private var stream: LinkStream?
  private var position = 0
  private var isAtEnd = false
  /// Warnings of the links that were read, by their number.
  private var notes: [Int: [String]] = [:]
  private var ending: String?

  /// Opens the sounds of a stream. A single sound of a file is opened without a wrapper.
  static func open<Boundary: SoundBoundary>(
    _ reader: ByteReader, _ boundary: Boundary.Type, _ openLink: @escaping Opener
  ) throws(Failure) -> any AudioSource {
    guard reader.isLocal else {
      return try JoinedSource(discovering: reader, { Boundary() }, openLink)
    }
    let ranges = Boundary.ranges(reader)
    if reader.hasFailed { throw reader.error }
    guard reader.seek(to: 0) else { throw reader.error }
    guard ranges.count > 1 else { return try openLink(reader) }
    return try JoinedSource(reader, ranges, { Boundary() }, openLink)
  }

  /// - Parameter ranges: the bytes of all sounds.
  private init(
    _ reader: ByteReader, _ ranges: [Range<Int>],
    _ makeBoundary: @escaping @Sendable () -> any SoundBoundary,
    _ openLink: @escaping Opener
  ) throws(Failure) {
    self.reader = reader
    window = nil
    self.makeBoundary = makeBoundary
    self.openLink = openLink
    name = reader.name
    let first = try openLink(ByteReader(SlicedStream(reader, ranges[0])))
    format = first.format
    source = first
    links = [Link(start: ranges[0].lowerBound, end: ranges[0].upperBound, frame: 0)]
    var frame = try first.countFrames()
    for range in ranges.dropFirst() {
      do throws(Failure) {
        let other = try openLink(ByteReader(SlicedStream(reader, range))).fitted(to: format)
        links.append(Link(start: range.lowerBound, end: range.upperBound, frame: frame))
        frame += try other.countFrames()
      } catch {
        if reader.hasFailed { throw error }
        ending = JoinedSource.words(for: error, at: frame, format)
        break
      }
    }
    frameCount = frame
    try activate(0)
  }

  private init(
    discovering reader: ByteReader, _ makeBoundary: @escaping @Sendable () -> any SoundBoundary,
    _ openLink: @escaping Opener
  ) throws(Failure) {
    self.reader = reader
    self.makeBoundary = makeBoundary
    self.openLink = openLink
    name = reader.name
    let window = ByteWindow(reader)
    self.window = window
    let stream = LinkStream(reader, window, makeBoundary(), isSeekable: reader.isSeekable)
    self.stream = stream
    source = try openLink(ByteReader(stream))
    format = source.format
    frameCount = source.frameCount
    links = [Link(start: 0, end: nil, frame: 0)]
  }

  var warnings: [String] {
    var notes = notes
    notes[current] = source.warnings
    return notes.sorted { $0.key < $1.key }.flatMap { number, warnings in
      number == 0
        ? warnings
        : warnings.map {
          "\($0) (in the sound that begins at \(clockSeconds(links[number].frame, format.sampleRate)))"
        }
    } + (ending.map { [$0] } ?? [])
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    while !isAtEnd, frameCount > 0 {
      let count = try source.read(into: channels, frameCount: frameCount)
      position += count
      if count > 0 { return count }
      try advance()
    }
    return 0
  }

  func seek(toFrame frame: Int) throws(Failure) {
    let target = max(frame, 0)
    isAtEnd = false
    guard isSeekable else {
      return try skip(to: target, from: position)
    }
    let index = links.lastIndex { $0.frame <= target } ?? 0
    if index != current { try activate(index) }
    let inside = target - links[index].frame
    guard links[index].end == nil, let length = source.frameCount, inside >= length else {
      try source.seek(toFrame: inside)
      position = target
      return
    }
    // Its header may be wrong, and the sounds after it are not known yet.
    try source.seek(toFrame: max(length - 1, 0))
    position = links[index].frame + max(length - 1, 0)
    try skip(target - position)
  }

  func interrupt() { reader.interrupt() }

  /// Continues with the next sound.
  private func advance() throws(Failure) {
    if let end = stream?.end, links[current].end == nil {
      links[current].end = end
      links.append(Link(start: end, end: nil, frame: position))
    }
    guard current + 1 < links.count else {
      isAtEnd = true
      if let declared = frameCount, stream != nil, position > declared, ending == nil {
        ending = LossLog.goesOn(behind: declared, format.sampleRate)
      }
      frameCount = position
      return
    }
    do throws(Failure) {
      try activate(current + 1)
    } catch {
      if reader.hasFailed { throw error }
      links.removeLast()
      isAtEnd = true
      ending = JoinedSource.words(for: error, at: position, format)
      frameCount = position
    }
  }

  private func activate(_ index: Int) throws(Failure) {
    notes[current] = source.warnings
    let link = links[index]
    if let window {
      guard window.offset == link.start || window.resume(at: link.start) else { throw reader.error }
      let next = LinkStream(reader, window, makeBoundary(), isSeekable: reader.isSeekable)
      stream = next
      source = try openLink(ByteReader(next)).fitted(to: format)
    } else {
      let range = link.start..<(link.end ?? link.start)
      source = try openLink(ByteReader(SlicedStream(reader, range))).fitted(to: format)
    }
    current = index
  }

  private static func words(
    for error: Failure, at frame: Int, _ format: StreamFormat
  ) -> String {
    "another sound begins at \(clockSeconds(frame, format.sampleRate)) and cannot be read: "
      + error.message
  }
}
