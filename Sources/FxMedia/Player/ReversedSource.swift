import FxAudio

/// A source of known length, reversed.
final class ReversedSource: ChangedSource {
  let source: any AudioSource
  private let length: Int
  private let chunk: PlanarBuffer
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
  }

  var frameCount: Int? { length }
  var isSeekable: Bool { true }

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
    let done = try source.fill(chunk, to: count)
    for channel in 0..<format.channelCount {
      (chunk[channel] + done).update(repeating: 0, count: count - done)
      var samples = UnsafeMutableBufferPointer(start: chunk[channel], count: count)
      samples.reverse()
    }
    held = begin..<begin + count
  }
}
