import FxAudio

/// A source of known length, reversed.
final class ReversedSource: AudioSource {
  private let source: any AudioSource
  private let length: Int
  private let chunk: PlanarBuffer
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var position = 0
  /// The frames in the chunk, counted in the reversed direction.
  private var held = 0..<0

  private static let chunkLength = 1 << 15

  init(_ source: any AudioSource) throws(Failure) {
    guard let length = source.frameCount else {
      throw Failure(
        .unsupportedFormat, source.name, "its length is not known: it cannot be played backwards")
    }
    self.source = source
    self.length = length
    chunk = PlanarBuffer(
      channelCount: source.format.channelCount, frameCount: min(Self.chunkLength, max(length, 1)))
    cursors = .allocate(capacity: max(source.format.channelCount, 1))
  }

  deinit { cursors.deallocate() }

  var name: String { source.name }
  var format: StreamFormat { source.format }
  var frameCount: Int? { length }
  var warnings: [String] { source.warnings }

  func interrupt() { source.interrupt() }

  func seek(toFrame frame: Int) throws(Failure) { position = max(frame, 0) }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    var done = 0
    while done < frameCount, position < length {
      if !held.contains(position) { try load() }
      let count = min(frameCount - done, held.upperBound - position)
      for channel in 0..<format.channelCount {
        let samples = chunk[channel] + (position - held.lowerBound)
        (channels[channel] + done).update(from: samples, count: count)
      }
      position += count
      done += count
    }
    return done
  }

  /// Decodes the chunk that contains the position. Chunks begin at multiples of their length.
  private func load() throws(Failure) {
    let begin = position / chunk.frameCount * chunk.frameCount
    let count = min(chunk.frameCount, length - begin)
    try source.seek(toFrame: length - begin - count)
    var done = 0
    while done < count {
      for channel in 0..<format.channelCount {
        (cursors + channel).initialize(to: chunk[channel] + done)
      }
      let got = try source.read(into: UnsafePointer(cursors), frameCount: count - done)
      if got == 0 { break }
      done += got
    }
    for channel in 0..<format.channelCount {
      (chunk[channel] + done).update(repeating: 0, count: count - done)
      var samples = UnsafeMutableBufferPointer(start: chunk[channel], count: count)
      samples.reverse()
    }
    held = begin..<begin + count
  }
}
