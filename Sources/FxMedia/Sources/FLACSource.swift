import CFLAC
import FxAudio

/// FLAC, native or in Ogg, decoded by libFLAC.
///
/// Every frame has a fixed position in the sound. Missing frames become silence, so that everything
/// after them keeps its position.
final class FLACSource: AudioSource {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  var warnings: [String] { (headerWarning.map { [$0] } ?? []) + frames.losses.warnings }
  var isSeekable: Bool { reader.isSeekable }
  private let reader: ByteReader
  private let frames: FLACFrames
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  private var isAtEnd = false
  private var headerWarning: String?

  @Sendable
  static func open(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    try JoinedSource.open(reader, FLACBoundary.self) { reader throws(Failure) in
      try FLACSource(reader)
    }
  }

  init(_ reader: ByteReader, isOgg: Bool = false) throws(Failure) {
    self.reader = reader
    name = reader.name
    let length = isOgg ? nil : try FLACLength(reader)
    headerWarning = length?.warning
    frames = FLACFrames(reader, total: length?.frameCount)
    guard let decoder = FLAC__stream_decoder_new() else {
      throw Failure(.outOfMemory, reader.name, "no memory for a FLAC decoder")
    }
    self.decoder = decoder
    do throws(Failure) {
      format = try frames.start(decoder, isOgg: isOgg)
    } catch {
      FLAC__stream_decoder_delete(decoder)
      throw error
    }
    frameCount = frames.total > 0 ? frames.total : nil
  }

  deinit {
    FLAC__stream_decoder_finish(decoder)
    FLAC__stream_decoder_delete(decoder)
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    guard frameCount > 0 else { return 0 }
    while true {
      let count = frames.take(into: channels, frameCount)
      if count > 0 { return count }
      guard !isAtEnd else { return 0 }
      let isGoing = FLAC__stream_decoder_process_single(decoder) != 0
      let state = FLAC__stream_decoder_get_state(decoder)
      guard isGoing, state != FLAC__STREAM_DECODER_END_OF_STREAM else {
        isAtEnd = true
        if reader.hasFailed { throw reader.error }
        frames.end()
        if let declared = self.frameCount, frames.position > declared, headerWarning == nil {
          headerWarning = LossLog.goesOn(behind: declared, format.sampleRate)
        }
        self.frameCount = frames.position
        continue
      }
    }
  }

  func seek(toFrame frame: Int) throws(Failure) {
    guard reader.isSeekable else {
      return try skip(to: frame, from: frames.position)
    }
    let target = max(frame, 0)
    isAtEnd = false
    if frames.total > 0, target >= frames.total {
      frames.go(to: frames.total)
      isAtEnd = true
      return
    }
    frames.go(to: target)
    if FLAC__stream_decoder_seek_absolute(decoder, UInt64(frames.origin + target)) != 0 { return }
    if reader.hasFailed { throw reader.error }
    // Damage prevents the seek: decode from the beginning.
    guard FLAC__stream_decoder_reset(decoder) != 0,
      FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
    else {
      throw Failure(.damaged, name, "cannot seek to \(clockSeconds(frame, format.sampleRate))")
    }
    frames.go(to: 0)
    try skip(target)
  }

  func interrupt() { reader.interrupt() }
}

/// The frames that libFLAC returns, at their positions.
private final class FLACFrames {
  /// The length of the sound in frames, from the header; 0 if unknown.
  private(set) var total = 0
  /// The next frame to return.
  private(set) var position = 0
  /// The number of the first frame. It is not 0 if reading begins in the middle of a stream.
  private(set) var origin = 0
  var losses = LossLog(sampleRate: 1)
  private let reader: ByteReader
  /// The real length, or nil to believe the header.
  private let known: Int?
  private var format: StreamFormat?
  private var block = PlanarBuffer(channelCount: 0, frameCount: 0)
  private var blockStart = 0
  private var blockEnd = 0
  private var silenceLeft = 0
  private var hasStarted = false
  private var hasError = false
  private var isZeroed = false
  /// The longest silence, in seconds, that is inserted into a sound of unknown length.
  private static let longestGap = 600.0

  /// A limit above what the format can hold: a frame of 65,535 samples has at least ten bytes.
  private static let mostFramesPerByte = 10_000

  init(_ reader: ByteReader, total: Int?) {
    self.reader = reader
    known = total
  }

  func start(
    _ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>, isOgg: Bool
  ) throws(Failure) -> StreamFormat {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let canSeek = reader.isSeekable
    FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
    let status =
      isOgg
      ? FLAC__stream_decoder_init_ogg_stream(
        decoder, FLACFrames.read, canSeek ? FLACFrames.seek : nil, canSeek ? FLACFrames.tell : nil,
        canSeek ? FLACFrames.length : nil, canSeek ? FLACFrames.isAtEnd : nil, FLACFrames.write,
        FLACFrames.metadata, FLACFrames.error, context)
      : FLAC__stream_decoder_init_stream(
        decoder, FLACFrames.read, canSeek ? FLACFrames.seek : nil, canSeek ? FLACFrames.tell : nil,
        canSeek ? FLACFrames.length : nil, canSeek ? FLACFrames.isAtEnd : nil, FLACFrames.write,
        FLACFrames.metadata, FLACFrames.error, context)
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
      throw Failure(.unsupportedFormat, reader.name, "no decoder for this kind of FLAC")
    }
    _ = FLAC__stream_decoder_process_until_end_of_metadata(decoder)
    if reader.hasFailed { throw reader.error }
    guard let format else {
      if let size = reader.byteCount, size >= 128 {
        throw Failure(.damaged, reader.name, "the header is damaged: the format is missing")
      }
      throw .cutHeader(reader.name, reader.offset)
    }
    return format
  }

  /// Returns decoded frames or inserted silence.
  func take(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int) -> Int {
    let width = format?.channelCount ?? 0
    let silent = min(silenceLeft, frameCount)
    if silent > 0 {
      for channel in 0..<width { channels[channel].update(repeating: 0, count: silent) }
      silenceLeft -= silent
      position += silent
      return silent
    }
    let count = min(blockEnd - blockStart, frameCount)
    guard count > 0 else { return 0 }
    for channel in 0..<width {
      channels[channel].update(from: block[channel] + blockStart, count: count)
    }
    blockStart += count
    position += count
    return count
  }

  func go(to frame: Int) {
    position = frame
    blockStart = 0
    blockEnd = 0
    silenceLeft = 0
    isZeroed = false
  }

  func end() {
    if total > position { losses.add(.missingEnd(total), at: Int.max, frame: position) }
  }

  private func note(_ info: FLAC__StreamMetadata_StreamInfo) {
    guard format == nil, info.sample_rate > 0, info.channels > 0 else { return }
    format = StreamFormat(
      sampleRate: Double(info.sample_rate), layout: .flac(Int(info.channels)))
    total = known ?? Int(clamping: info.total_samples)
    // A length that does not fit the file size is treated as unknown.
    if let size = reader.byteCount, total / FLACFrames.mostFramesPerByte > size { total = 0 }
    losses = LossLog(sampleRate: Double(info.sample_rate))
  }

  /// Reads the comment that declares a channel layout other than FLAC's default.
  private func note(_ comments: FLAC__StreamMetadata_VorbisComment) {
    let key = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK="
    guard let format, format.channelCount > 1, let list = comments.comments else { return }
    for index in 0..<Int(comments.num_comments) {
      guard let entry = list[index].entry else { continue }
      let bytes = UnsafeBufferPointer(start: entry, count: Int(list[index].length))
      let text = String(decoding: bytes, as: UTF8.self).uppercased()
      guard text.hasPrefix(key) else { continue }
      let digits = text.dropFirst(key.count)
      let mask =
        digits.hasPrefix("0X") ? UInt32(digits.dropFirst(2), radix: 16) : UInt32(digits)
      guard let mask else { continue }
      self.format?.layout =
        mask == 0
        ? .discrete(format.channelCount)
        : ChannelLayout(mask: mask, channelCount: format.channelCount)
    }
  }

  private func put(
    _ header: FLAC__FrameHeader, _ samples: UnsafePointer<UnsafePointer<Int32>?>
  ) {
    let count = Int(header.blocksize)
    let start = Int(clamping: header.number.sample_number)
    guard let format, Int(header.channels) == format.channelCount,
      Double(header.sample_rate) == format.sampleRate
    else {
      hasError = true
      return
    }
    if !hasStarted, !hasError, start > 0, position == 0 { origin = start }
    if origin > 0, !hasStarted, total > 0 { total = max(0, total - origin) }
    hasStarted = true
    let place = start - origin
    let limit =
      total > position ? total : position + Int(FLACFrames.longestGap * format.sampleRate)
    guard place <= limit, place + count > position else {
      hasError = true
      return
    }
    let missing = max(0, place - position)
    if missing > 0 {
      losses.add(
        .damage(byteCount: 0, missing: 0, silenced: missing), at: position, frame: position)
    }
    if isZeroed {
      losses.add(.damage(byteCount: 0, missing: 0, silenced: count), at: place, frame: place)
    }
    hasError = false
    isZeroed = false
    silenceLeft = missing
    if block.frameCount < count {
      block = PlanarBuffer(channelCount: format.channelCount, frameCount: count)
    }
    let scale = 1 / Float(1 << (max(header.bits_per_sample, 1) - 1))
    for channel in 0..<format.channelCount {
      guard let source = samples[channel] else { continue }
      let target = block[channel]
      for frame in 0..<count { target[frame] = Float(source[frame]) * scale }
    }
    blockStart = max(0, position - place)
    blockEnd = count
  }

  private static func frames(_ context: UnsafeMutableRawPointer?) -> FLACFrames? {
    context.map { Unmanaged<FLACFrames>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let read: FLAC__StreamDecoderReadCallback = { _, target, count, context in
    guard let frames = frames(context), let target, let count else {
      return FLAC__STREAM_DECODER_READ_STATUS_ABORT
    }
    let got = frames.reader.read(target, count.pointee)
    count.pointee = max(got, 0)
    if got < 0 { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
    return got == 0
      ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
  }

  private static let seek: FLAC__StreamDecoderSeekCallback = { _, offset, context in
    frames(context)?.reader.seek(to: Int(clamping: offset)) == true
      ? FLAC__STREAM_DECODER_SEEK_STATUS_OK : FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
  }

  private static let tell: FLAC__StreamDecoderTellCallback = { _, offset, context in
    offset?.pointee = UInt64(frames(context)?.reader.offset ?? 0)
    return FLAC__STREAM_DECODER_TELL_STATUS_OK
  }

  private static let length: FLAC__StreamDecoderLengthCallback = { _, length, context in
    length?.pointee = UInt64(frames(context)?.reader.byteCount ?? 0)
    return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
  }

  private static let isAtEnd: FLAC__StreamDecoderEofCallback = { _, context in
    guard let reader = frames(context)?.reader, let size = reader.byteCount else { return 1 }
    return reader.offset >= size ? 1 : 0
  }

  private static let write: FLAC__StreamDecoderWriteCallback = { _, frame, samples, context in
    guard let frames = frames(context), let frame, let samples else {
      return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
    }
    frames.put(frame.pointee.header, samples)
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
  }

  private static let metadata: FLAC__StreamDecoderMetadataCallback = { _, block, context in
    guard let block else { return }
    switch block.pointee.type {
    case FLAC__METADATA_TYPE_STREAMINFO: frames(context)?.note(block.pointee.data.stream_info)
    case FLAC__METADATA_TYPE_VORBIS_COMMENT:
      frames(context)?.note(block.pointee.data.vorbis_comment)
    default: break
    }
  }

  private static let error: FLAC__StreamDecoderErrorCallback = { _, status, context in
    guard let frames = frames(context) else { return }
    frames.hasError = true
    // The library has replaced this frame with silence.
    if status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH { frames.isZeroed = true }
  }
}
