import FxAudio
import FxUnits

/// A source played faster or slower at its original pitch.
///
/// The output depends on the last seek: reading from the middle gives other phases than reading
/// from the beginning.
final class StretchedSource: ChangedSource {
  let source: any AudioSource
  private let speed: Double
  private var stretcher: TimeStretcher
  /// The frames around the middle of the next piece.
  private let piece: PlanarBuffer
  private var hasBegun = false
  /// The next frame to read, and the source frames read so far.
  private var position = 0
  private var inputCount = 0
  /// The length of the source in frames, once it has ended.
  private var inputEnd: Int?

  init(_ source: any AudioSource, speed: Double) {
    self.source = source
    self.speed = speed
    let format = source.format
    stretcher = TimeStretcher(
      channelCount: format.channelCount, sampleRate: format.sampleRate, speed: speed)
    piece = PlanarBuffer(channelCount: format.channelCount, frameCount: stretcher.length)
  }

  /// The number of frames after stretching.
  static func frameCount(_ count: Int, speed: Double) -> Int {
    Int(min((Double(count) / speed).rounded(), 1e15))
  }

  var frameCount: Int? {
    (inputEnd ?? source.frameCount).map { Self.frameCount($0, speed: speed) }
  }

  func seek(toFrame frame: Int) throws(Failure) {
    position = max(frame, 0)
    hasBegun = false
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    if !hasBegun { try begin() }
    var done = 0
    while done < frameCount {
      if let end = inputEnd, position >= Self.frameCount(end, speed: speed) { break }
      while stretcher.completeEnd <= position { try advance() }
      var count = min(frameCount - done, stretcher.completeEnd - position)
      if let end = inputEnd { count = min(count, Self.frameCount(end, speed: speed) - position) }
      guard count > 0 else { break }
      for channel in 0..<format.channelCount {
        stretcher.copy(
          from: position, count: count, channel: channel, to: channels[channel] + done)
      }
      position += count
      done += count
    }
    return done
  }

  /// Fills the first piece that contributes to the position.
  private func begin() throws(Failure) {
    hasBegun = true
    let first = stretcher.piece(before: position)
    stretcher.begin(at: first)
    let start = first * stretcher.hop - stretcher.past
    let silent = max(-start, 0)
    inputCount = max(start, 0)
    if inputCount > 0 || source.isSeekable { try source.seek(toFrame: inputCount) }
    for channel in 0..<format.channelCount {
      piece[channel].update(repeating: 0, count: silent)
    }
    try fill(from: silent)
    stretcher.add(piece.channels)
  }

  private func advance() throws(Failure) {
    let kept = stretcher.length - stretcher.hop
    for channel in 0..<format.channelCount {
      piece[channel].update(from: piece[channel] + stretcher.hop, count: kept)
    }
    try fill(from: kept)
    stretcher.add(piece.channels)
  }

  /// Reads the rest of the piece. Silence follows the end of the source.
  private func fill(from start: Int) throws(Failure) {
    var place = start
    if inputEnd == nil || inputCount < inputEnd ?? 0 {
      let count = try source.fill(piece, from: start, to: stretcher.length)
      place += count
      inputCount += count
      if place < stretcher.length { inputEnd = inputCount }
    }
    for channel in 0..<format.channelCount {
      (piece[channel] + place).update(repeating: 0, count: stretcher.length - place)
    }
  }
}
