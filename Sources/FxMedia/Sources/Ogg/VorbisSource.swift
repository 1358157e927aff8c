import CVorbisFile
import FxAudio

/// Ogg Vorbis, decoded by libvorbisfile.
enum VorbisSource {
  @Sendable
  static func open(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    // The libraries would seek to the end first.
    if reader.isCostly { reader.readForwardOnly() }
    let bytes = OggBytes(reader)
    return try OggSource(reader, bytes) { () throws(Failure) in try VorbisDecoder(reader, bytes) }
  }
}

private final class VorbisDecoder: OggDecoder {
  private(set) var format: StreamFormat
  private var order = ChannelOrder.vorbis(1)
  private let file: UnsafeMutablePointer<OggVorbis_File>
  private let bytes: OggBytes

  init(_ reader: ByteReader, _ bytes: OggBytes) throws(Failure) {
    self.bytes = bytes
    file = .allocate(capacity: 1)
    format = StreamFormat(sampleRate: 1, channelCount: 1)
    var status = VorbisDecoder.open(file, bytes, isSeekable: reader.isSeekable)
    if status != 0, reader.isSeekable, reader.seek(to: 0) {
      // If the end is damaged, the beginning can still be played.
      status = VorbisDecoder.open(file, bytes, isSeekable: false)
    }
    guard status == 0, let info = ov_info(file, -1), info.pointee.rate > 0,
      info.pointee.channels > 0
    else {
      if status == 0 { ov_clear(file) }
      file.deallocate()
      isOpen = false
      throw bytes.openingError("Vorbis")
    }
    order = .vorbis(Int(info.pointee.channels))
    format = StreamFormat(sampleRate: Double(info.pointee.rate), layout: order.layout)
  }

  private var isOpen = true

  deinit {
    guard isOpen else { return }
    ov_clear(file)
    file.deallocate()
  }

  var frameCount: Int? {
    guard ov_seekable(file) != 0 else { return nil }
    let total = Int(ov_pcm_total(file, -1))
    return total > 0 ? total : nil
  }

  func decode(into block: PlanarBuffer) -> OggStep {
    var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    let count = Int(ov_read_float(file, &channels, Int32(OggSource.blockFrameCount), nil))
    guard count != 0 else { return .end }
    // Damage can hide the beginning of another sound from everyone but the library.
    guard count > 0, let channels, let info = ov_info(file, -1),
      Int(info.pointee.channels) == format.channelCount,
      Double(info.pointee.rate) == format.sampleRate
    else { return .hole }
    for channel in 0..<block.channelCount {
      guard let source = channels[order.places[channel]] else { continue }
      block[channel].update(from: source, count: count)
    }
    return .sound(count: count, start: Int(ov_pcm_tell(file)) - count)
  }

  let longestPacket = 8192

  func frameCount(upTo granule: Int) -> Int { granule }

  func seek(to frame: Int) -> Bool { ov_pcm_seek(file, ogg_int64_t(frame)) == 0 }

  private static func open(
    _ file: UnsafeMutablePointer<OggVorbis_File>, _ bytes: OggBytes, isSeekable: Bool
  ) -> Int32 {
    let callbacks = ov_callbacks(
      read_func: { target, size, count, context in
        guard let bytes = OggBytes.from(context), let target else { return 0 }
        return max(bytes.read(target, size * count), 0) / max(size, 1)
      },
      seek_func: isSeekable ? { OggBytes.from($0)?.seek(Int($1), $2) ?? -1 } : nil,
      close_func: nil,
      tell_func: isSeekable ? { OggBytes.from($0)?.offset ?? -1 } : nil)
    return ov_open_callbacks(Unmanaged.passUnretained(bytes).toOpaque(), file, nil, 0, callbacks)
  }
}
