import FxAudio
public import FxMedia
import Synchronization

extension SoundParser {
  /// Seeks to a frame: audio continues exactly there, and packets are not reported any more.
  ///
  /// - Returns: the offset of the next bytes to parse. A format may need bytes from several
  ///   offsets: after each piece, `nextOffset` has the next one.
  /// - Throws: `ChainFailure` of kind `request` for a frame outside the sound, of kind `input` if the stream's length is not
  ///   known or the header cannot be read.
  public func seek(
    toFrame frame: Int, _ handle: (Event) -> Void = { _ in }
  ) throws(ChainFailure) -> Int {
    try seek(toFrame: frame, precision: .exact, handle).offset
  }

  /// Seeks to a frame. Packets are not reported any more.
  ///
  /// With `.estimate`, audio continues at the first offset. Where the place of the frame is not known, the offset follows from
  /// the places in the header, from the bit rate, or from the packets so far. This is possible in MPEG audio, FLAC, Ogg
  /// Vorbis and Opus whose first packets were parsed; other formats are exact.
  ///
  /// - Returns: the offset of the next bytes, the frame, and whether the offset is exact.
  /// - Throws: `ChainFailure` of kind `request` for a frame outside the sound, of kind `input` if the stream's length is not
  ///   known or the header cannot be read.
  public func seek(
    toFrame frame: Int, precision: Precision, _ handle: (Event) -> Void = { _ in }
  ) throws(ChainFailure) -> Seek {
    try alone { () throws(ChainFailure) in
      guard byteCount != nil else {
        throw ChainFailure(
          Failure(.unreadable, name, "cannot seek in a stream whose length is not known"), .input)
      }
      let (known, map) = facts.withLock { ($0.properties, $0.map) }
      let length = known?.frameCount.flatMap { $0.certainty == .estimated ? nil : $0.count }
      guard frame >= 0, frame <= length ?? SoundParser.mostFrames else {
        throw ChainFailure(
          .request, code: .outOfRange,
          "frame \(frame) is outside the sound" + (length.map { ", which has \($0) frames" } ?? ""),
          path: name)
      }
      return try restart(
        SeekTarget(
          frame: frame, isEstimate: precision == .estimate, places: map, properties: known),
        handle)
    }
  }

  /// More frames than any sound has.
  private static let mostFrames = 1 << 48
}
