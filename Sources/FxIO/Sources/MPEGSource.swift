import CMPG123
import FxAudio
import Glibc

/// MPEG audio decoded by libmpg123 to 32-bit floats, without the encoder's delay and padding.
final class MPEGSource: AudioSource {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  private(set) var warnings: [String] = []
  var isSeekable: Bool { stream.isSeekable }
  private let stream: ByteStream
  private let decoder: OpaquePointer
  private let frames: UnsafeMutablePointer<Float>
  private var position = 0
  private var isAtEnd = false
  private static let blockFrameCount = 4608

  /// Looks for the first frame; throws `notAudio` when there is none.
  init(_ stream: ByteStream) throws(IOError) {
    self.stream = stream
    name = stream.name
    decoder = try MPEGSource.makeDecoder(stream)
    do throws(IOError) {
      format = try MPEGSource.start(decoder, stream)
    } catch {
      mpg123_delete(decoder)
      throw error
    }
    frames = .allocate(capacity: MPEGSource.blockFrameCount * format.channelCount)
    if stream.isSeekable { measure() }
  }

  deinit {
    mpg123_close(decoder)
    mpg123_delete(decoder)
    frames.deallocate()
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(IOError) -> Int {
    guard !isAtEnd, frameCount > 0 else { return 0 }
    let wanted = min(frameCount, MPEGSource.blockFrameCount)
    let width = format.channelCount
    var byteCount = 0
    while true {
      let status = mpg123_read(
        decoder, frames, wanted * width * MemoryLayout<Float>.size, &byteCount)
      let count = byteCount / (width * MemoryLayout<Float>.size)
      if count > 0 {
        Interleaving.split(frames, channelCount: width, frameCount: count, into: channels)
        position += count
        return count
      }
      switch status {
      case MPG123_OK.rawValue, MPG123_NEW_FORMAT.rawValue: continue
      default:
        try end(status)
        return 0
      }
    }
  }

  func seek(toFrame frame: Int) throws(IOError) {
    guard stream.isSeekable else {
      guard frame >= position else {
        throw IOError(.unreadable, name, "cannot go back in a pipe")
      }
      return try skip(frame - position)
    }
    let reached = mpg123_seek(decoder, off_t(max(frame, 0)), SEEK_SET)
    guard reached >= 0 else {
      throw IOError(
        .damaged, name, "cannot go to \(at(frame)): \(MPEGSource.message(decoder))")
    }
    position = Int(reached)
    isAtEnd = false
    // The decoder goes to a frame of its own where the index is not exact.
    if position < frame { try skip(frame - position) }
  }

  func interrupt() { stream.interrupt() }

  /// Judges the end: the file's, damage, or a failed read.
  private func end(_ status: Int32) throws(IOError) {
    isAtEnd = true
    if stream.failure != nil || stream.wasInterrupted { throw stream.error }
    if status != MPG123_DONE.rawValue, mpg123_errcode(decoder) != MPG123_RESYNC_FAIL.rawValue {
      throw IOError(
        .damaged, name, "damaged at \(at(position)): \(MPEGSource.message(decoder))")
    }
    if let expected = frameCount, position < expected { frameCount = position }
  }

  /// Finds out the length: from the tag, or, without one, by going through all frame headers.
  private func measure() {
    guard hasTag else {
      if mpg123_scan(decoder) == MPG123_OK.rawValue { takeLength(mpg123_length(decoder)) }
      return
    }
    takeLength(mpg123_length(decoder))
    let here = stream.seek(0, SEEK_CUR)
    defer { _ = stream.seek(here, SEEK_SET) }
    guard let size = stream.byteCount, let tag = MPEGTag(stream),
      let missing = tag.missingByteCount(of: size)
    else { return }
    let share = Double(size) / Double(size + missing)
    warnings.append(
      "truncated: only \(Int(share * 1000) / 10) % of the file is there; decoding what is")
    takeLength(lengthWithoutTag())
  }

  private func takeLength(_ length: off_t) {
    frameCount = length >= 0 ? Int(length) : nil
  }

  /// What a file cut short will give: its frames less the delays in front. Counted by a decoder of
  /// its own, because one that has counted no longer believes the tag about those.
  private func lengthWithoutTag() -> off_t {
    guard stream.seek(0, SEEK_SET) == 0, let counter = try? MPEGSource.makeDecoder(stream) else {
      return -1
    }
    defer { mpg123_delete(counter) }
    guard (try? MPEGSource.start(counter, stream)) != nil,
      mpg123_scan(counter) == MPG123_OK.rawValue
    else { return -1 }
    var delay = 0
    var decoderDelay = 0
    mpg123_getstate2(decoder, MPG123_ENC_DELAY.intValue, &delay, nil)
    mpg123_getstate2(decoder, MPG123_DEC_DELAY.intValue, &decoderDelay, nil)
    let skipped = delay >= 0 ? delay + max(decoderDelay, 0) : 0
    return max(0, mpg123_framelength(counter) * off_t(mpg123_spf(decoder)) - off_t(skipped))
  }

  private var hasTag: Bool {
    var info = mpg123_frameinfo2()
    var delay = -1
    mpg123_getstate2(decoder, MPG123_ENC_DELAY.intValue, &delay, nil)
    mpg123_info2(decoder, &info)
    return delay >= 0 || info.vbr != MPG123_CBR.intValue
  }

  private func at(_ frame: Int) -> String {
    let tenths = Int(Double(frame) / format.sampleRate * 10)
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private static func message(_ decoder: OpaquePointer) -> String {
    String(cString: mpg123_strerror(decoder))
  }
}

extension MPEGSource {
  private static let initialised: Int32 = mpg123_init()

  private static func makeDecoder(_ stream: ByteStream) throws(IOError) -> OpaquePointer {
    var code: Int32 = initialised
    guard code == MPG123_OK.rawValue, let decoder = mpg123_new(nil, &code) else {
      throw IOError(.unreadable, stream.name, String(cString: mpg123_plain_strerror(code)))
    }
    let flags =
      MPG123_QUIET.rawValue | MPG123_GAPLESS.rawValue | MPG123_FORCE_FLOAT.rawValue
      | MPG123_SKIP_ID3V2.rawValue | MPG123_SEEKBUFFER.rawValue
    mpg123_param2(decoder, MPG123_FLAGS.intValue, Int(flags), 0)
    mpg123_param2(decoder, MPG123_RESYNC_LIMIT.intValue, 65536, 0)
    // After a jump so many frames are decoded unheard: a frame of low rate borrows bits from as many
    // before it, and the samples are to be those of playing there.
    mpg123_param2(decoder, MPG123_PREFRAMES.intValue, 32, 0)
    // -1 lets the seek index grow with the file.
    mpg123_param2(decoder, MPG123_INDEX_SIZE.intValue, -1, 0)
    return decoder
  }

  /// Opens the stream and decides the format, which is then the output's to the end, whatever
  /// comes: a file stitched together from several changes neither rate nor channels on the way.
  private static func start(
    _ decoder: OpaquePointer, _ stream: ByteStream
  ) throws(IOError) -> StreamFormat {
    mpg123_replace_reader_handle(
      decoder,
      { handle, target, count in
        guard let handle, let target else { return -1 }
        return Unmanaged<ByteStream>.fromOpaque(handle).takeUnretainedValue().read(target, count)
      },
      { handle, offset, origin in
        guard let handle else { return -1 }
        return off_t(
          Unmanaged<ByteStream>.fromOpaque(handle).takeUnretainedValue().seek(Int(offset), origin))
      }, nil)
    var rate = 0
    var channelCount: Int32 = 0
    var encoding: Int32 = 0
    let handle = Unmanaged.passUnretained(stream).toOpaque()
    guard mpg123_open_handle(decoder, handle) == MPG123_OK.rawValue,
      mpg123_getformat(decoder, &rate, &channelCount, &encoding) == MPG123_OK.rawValue,
      rate > 0, channelCount > 0
    else {
      if stream.failure != nil || stream.wasInterrupted { throw stream.error }
      if let size = stream.byteCount, size < 1024 {
        throw IOError(
          .truncated, stream.name,
          "the file ends within its header after \(size) bytes; fetch it again")
      }
      throw IOError(
        .notAudio, stream.name, "no audio in it that fxrun can read (no MPEG frame found)")
    }
    mpg123_format_none(decoder)
    mpg123_format(decoder, rate, channelCount, Int32(MPG123_ENC_FLOAT_32.rawValue))
    // Once it is known to be audio, damage is passed over however long.
    mpg123_param2(decoder, MPG123_RESYNC_LIMIT.intValue, -1, 0)
    return StreamFormat(sampleRate: Double(rate), channelCount: Int(channelCount))
  }
}

// The library's enumerations where its functions take an `int`.
extension mpg123_parms { fileprivate var intValue: Int32 { Int32(rawValue) } }
extension mpg123_state { fileprivate var intValue: Int32 { Int32(rawValue) } }
extension mpg123_vbr { fileprivate var intValue: Int32 { Int32(rawValue) } }
