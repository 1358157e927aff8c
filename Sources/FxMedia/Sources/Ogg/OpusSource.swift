import COpusFile
import FxAudio

/// Opus in Ogg, decoded by libopusfile. The sample rate is that of the encoded sound if Opus
/// supports it, otherwise 48 kHz.
enum OpusSource {
  /// libopusfile decodes no more.
  static let mostChannels = 8

  @Sendable
  static func open(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    // The libraries would seek to the end first.
    if reader.isCostly { reader.readForwardOnly() }
    let bytes = OggBytes(reader)
    var encodedRate = 0
    let source = try OggSource(reader, bytes) { () throws(Failure) in
      let decoder = try OpusDecoder(reader, bytes)
      encodedRate = decoder.encodedRate
      return decoder
    }
    guard [8000, 12000, 16000, 24000].contains(encodedRate) else { return source }
    return try ResampledSource(source, to: Double(encodedRate))
  }
}

private final class OpusDecoder: OggDecoder {
  let format: StreamFormat
  private let order: ChannelOrder
  /// The sample rate of the encoded sound.
  let encodedRate: Int
  private let preSkip: Int
  private let file: OpaquePointer
  private let bytes: OggBytes
  private let frames: UnsafeMutablePointer<Float>
  /// Samples of the longest packet with the most channels.
  private static let capacity = 5760 * 255

  init(_ reader: ByteReader, _ bytes: OggBytes) throws(Failure) {
    self.bytes = bytes
    var file = OpusDecoder.open(bytes, isSeekable: reader.isSeekable)
    if file == nil, reader.isSeekable, reader.seek(to: 0) {
      // If the end is damaged, the beginning can still be played.
      file = OpusDecoder.open(bytes, isSeekable: false)
    }
    guard let file, let head = op_head(file, -1) else { throw bytes.openingError("Opus") }
    self.file = file
    encodedRate = Int(head.pointee.input_sample_rate)
    preSkip = Int(head.pointee.pre_skip)
    // The other mapping families have no channel names.
    let channelCount = Int(head.pointee.channel_count)
    order =
      head.pointee.mapping_family < 2
      ? .vorbis(channelCount) : ChannelOrder(.discrete(channelCount))
    format = StreamFormat(sampleRate: 48000, layout: order.layout)
    frames = .allocate(capacity: OpusDecoder.capacity)
  }

  deinit {
    op_free(file)
    frames.deallocate()
  }

  var frameCount: Int? {
    guard op_seekable(file) != 0 else { return nil }
    let total = Int(op_pcm_total(file, -1))
    return total > 0 ? total : nil
  }

  func decode(into block: PlanarBuffer) -> OggStep {
    let count = Int(op_read_float(file, frames, Int32(OpusDecoder.capacity), nil))
    guard count != 0 else { return .end }
    let width = format.channelCount
    // Damage can hide the beginning of another sound from everyone but the library.
    guard count > 0, Int(op_channel_count(file, -1)) == width else { return .hole }
    for channel in 0..<block.channelCount {
      let target = block[channel]
      let source = frames + order.places[channel]
      for frame in 0..<count { target[frame] = source[frame * width] }
    }
    return .sound(count: count, start: Int(op_pcm_tell(file)) - count)
  }

  let longestPacket = 5760

  func frameCount(upTo granule: Int) -> Int { granule - preSkip }

  /// The decoder has a state that fades over time. So a pre-roll is decoded and not played, until
  /// the samples are the same as in continuous playback. Its length depends on the sound. It is
  /// long enough when twice the length gives the same samples.
  func seek(to frame: Int) -> Bool {
    var preRoll = OpusDecoder.shortestPreRoll
    var former: [Float] = []
    while true {
      let start = max(0, frame - preRoll)
      guard op_pcm_seek(file, ogg_int64_t(start)) == 0 else { return false }
      // Damage prevents the pre-roll.
      guard let last = decodeUnheard(frame - start) else {
        return op_pcm_seek(file, ogg_int64_t(frame)) == 0
      }
      if start == 0 || last == former || preRoll >= OpusDecoder.longestPreRoll { return true }
      former = last
      preRoll *= 2
    }
  }

  /// Decodes this many frames. Returns the samples of the last ones; nil if there are fewer frames.
  private func decodeUnheard(_ frameCount: Int) -> [Float]? {
    var last: [Float] = []
    var left = frameCount
    while left > 0 {
      let wanted = Int32(min(left, 5760) * format.channelCount)
      let count = Int(op_read_float(file, frames, wanted, nil))
      if count == Int(OP_HOLE) { continue }
      guard count > 0, Int(op_channel_count(file, -1)) == format.channelCount else { return nil }
      left -= count
      guard left < OpusDecoder.comparedFrameCount else { continue }
      let width = format.channelCount
      let kept = min(count, OpusDecoder.comparedFrameCount - left)
      last.append(
        contentsOf: UnsafeBufferPointer(start: frames + (count - kept) * width, count: kept * width)
      )
    }
    return last
  }

  /// In frames at 48 kHz. For speech at 24 kbit/s, one second is too short for one seek in five,
  /// and two seconds for one in thirty. One and two seconds may give the same wrong samples.
  private static let shortestPreRoll = 96000
  private static let longestPreRoll = 60 * 48000
  private static let comparedFrameCount = 12000

  private static func open(_ bytes: OggBytes, isSeekable: Bool) -> OpaquePointer? {
    var callbacks = OpusFileCallbacks(
      read: { context, target, count in
        guard let bytes = OggBytes.from(context), let target else { return -1 }
        return Int32(bytes.read(target, Int(count)))
      },
      seek: isSeekable ? { OggBytes.from($0)?.seek(Int($1), $2) ?? -1 } : nil,
      tell: isSeekable ? { opus_int64(OggBytes.from($0)?.offset ?? -1) } : nil,
      close: nil)
    var code: Int32 = 0
    return op_open_callbacks(
      Unmanaged.passUnretained(bytes).toOpaque(), &callbacks, nil, 0, &code)
  }
}
