package import FxAudio

extension AudioSource {
  /// Reads frames into places `start..<end` of a block, until they are filled or the sound ends. Returns how many.
  func fill(_ block: PlanarBuffer, from start: Int = 0, to end: Int) throws(Failure) -> Int {
    let places = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(block.channelCount, 1))
    defer { places.deallocate() }
    var place = start
    while place < end {
      for channel in 0..<block.channelCount {
        (places + channel).initialize(to: block[channel] + place)
      }
      let count = try read(into: UnsafePointer(places), frameCount: end - place)
      if count == 0 { break }
      place += count
    }
    return place - start
  }

  /// Reads to the end in blocks, or until `take` returns false.
  package func readBlocks(
    _ take: (_ block: PlanarBuffer, _ frameCount: Int) throws(Failure) -> Bool
  ) throws(Failure) {
    let block = PlanarBuffer(channelCount: format.channelCount, atMost: 4096)
    while case let count = try read(into: block.channels, frameCount: block.frameCount), count > 0 {
      guard try take(block, count) else { return }
    }
  }

  /// The sound in the format of another one.
  func fitted(to format: StreamFormat) throws(Failure) -> any AudioSource {
    var source: any AudioSource = self
    if source.format.channelCount != format.channelCount {
      source = WidthSource(source, channelCount: format.channelCount)
    }
    guard source.format.sampleRate != format.sampleRate else { return source }
    return try ResampledSource(source, to: format.sampleRate)
  }

  /// Reads ahead to a frame; for sources that cannot seek.
  ///
  /// - Parameter position: the next frame.
  func skip(to frame: Int, from position: Int) throws(Failure) {
    guard frame >= position else {
      throw Failure(.unreadable, name, "cannot seek back in a pipe")
    }
    try skip(frame - position)
  }

  /// The number of frames. If it is not known, the sound is read to its end.
  func countFrames() throws(Failure) -> Int {
    if let frameCount { return frameCount }
    var count = 0
    try readBlocks {
      count += $1
      return true
    }
    return count
  }
}

/// A source that changes the sound of another one. What the change does not concern is that of the other one.
package protocol ChangedSource: AudioSource {
  var source: any AudioSource { get }
}

extension ChangedSource {
  package var name: String { source.name }
  package var format: StreamFormat { source.format }
  package var frameCount: Int? { source.frameCount }
  package var warnings: [String] { source.warnings }
  package var isSeekable: Bool { source.isSeekable }
  package func seek(toFrame frame: Int) throws(Failure) { try source.seek(toFrame: frame) }
  package func interrupt() { source.interrupt() }
}
