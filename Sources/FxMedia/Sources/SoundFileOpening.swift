import FxAudio

extension SoundFileSource {
  /// Opens a file with libsndfile, or with the program ffmpeg if its coding is unknown to the
  /// library.
  ///
  /// - Parameters:
  ///   - demuxer: ffmpeg's name of the container.
  ///   - container: for messages: `WAV`.
  static func open(
    _ reader: ByteReader, demuxer: String, container: String
  ) throws(Failure) -> any AudioSource {
    do throws(Failure) {
      return try SoundFileSource(reader)
    } catch  where error.code == .unsupportedFormat || error.code == .damaged {
      guard reader.seek(to: 0), let header = PCMHeader(seeking: reader),
        !["PCM", "A-law", "µ-law"].contains(header.codec), reader.seek(to: 0)
      else { throw error }
      return try FFmpegSource(
        reader, demuxer: demuxer, description: "\(container) with \(header.codec)")
    }
  }
}
