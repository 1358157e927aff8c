import CMPG123
import FxAudio

/// libmpg123 as a decoder of single frames. It receives only complete frames of one kind, so it
/// never has to search for frames, measure the length or report damage.
final class MPEGDecoder {
  private let name: String
  private let handle: OpaquePointer
  private static let initialised: Int32 = mpg123_init()

  init(name: String) throws(Failure) {
    self.name = name
    var code: Int32 = MPEGDecoder.initialised
    guard code == MPG123_OK.rawValue, let handle = mpg123_new(nil, &code) else {
      throw Failure(.unreadable, name, String(cString: mpg123_plain_strerror(code)))
    }
    self.handle = handle
    let flags =
      MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | MPG123_NO_READAHEAD.rawValue
      | MPG123_IGNORE_INFOFRAME.rawValue | MPG123_IGNORE_STREAMLENGTH.rawValue
    mpg123_param2(handle, MPG123_FLAGS.intValue, Int(flags), 0)
    mpg123_param2(handle, MPG123_INDEX_SIZE.intValue, 0, 0)
  }

  deinit { mpg123_delete(handle) }

  /// Resets the decoder for frames of this kind.
  func restart(_ kind: MPEGFramer.Kind) throws(Failure) {
    let header = kind.header
    mpg123_param2(
      handle, MPG123_FREEFORMAT_SIZE.intValue,
      kind.freeByteCount > 0 ? kind.freeByteCount - 4 : -1, 0)
    mpg123_format_none(handle)
    guard
      mpg123_format(
        handle, header.sampleRate, Int32(header.channelCount),
        Int32(MPG123_ENC_FLOAT_32.rawValue)) == MPG123_OK.rawValue,
      mpg123_open_feed(handle) == MPG123_OK.rawValue
    else {
      throw Failure(.unreadable, name, String(cString: mpg123_strerror(handle)))
    }
  }

  /// The interleaved samples of a frame, valid until the next call; nil if it cannot be decoded.
  func decode(
    _ frame: UnsafeBufferPointer<UInt8>, sampleCount: Int
  ) -> UnsafePointer<Float>? {
    guard mpg123_feed(handle, frame.baseAddress, frame.count) == MPG123_OK.rawValue else {
      return nil
    }
    var number: off_t = 0
    var audio: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    var status = mpg123_decode_frame(handle, &number, &audio, &byteCount)
    // The first call only reports the format.
    if status == MPG123_NEW_FORMAT.rawValue {
      status = mpg123_decode_frame(handle, &number, &audio, &byteCount)
    }
    guard status == MPG123_OK.rawValue, let audio,
      byteCount == sampleCount * MemoryLayout<Float>.size
    else { return nil }
    return UnsafeRawPointer(audio).assumingMemoryBound(to: Float.self)
  }
}

// Converts the library's enumerations, because its functions take an `int`.
extension mpg123_parms { fileprivate var intValue: Int32 { Int32(rawValue) } }
