import CSndFile
import FxAudio
import Glibc

/// A file that libsndfile reads: WAV, FLAC, Ogg Vorbis and Opus, AIFF, CAF, AU and more.
final class SoundFileSource: AudioSource {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  private(set) var warnings: [String] = []
  private let stream: ByteReader
  private let file: OpaquePointer
  private let order: ChannelOrder
  private let frames: UnsafeMutablePointer<Float>
  /// Decodes samples that need no library; nil for any other.
  private let decoder: SampleDecoder?
  private var position = 0
  private static let blockFrameCount = 4096

  init(_ stream: ByteReader) throws(Failure) {
    self.stream = stream
    name = stream.name
    let layout = stream.isSeekable ? stream.file.flatMap { SoundLayout($0) } : nil
    let correction = layout.flatMap { layout in
      stream.file.flatMap { SizeCorrection(layout, $0) }
    }
    var patches = correction?.patches ?? []
    if let correction { warnings.append(correction.warning) }
    guard stream.seek(to: 0) else { throw stream.error }
    // The library does not know BW64 (ITU-R BS.2088), whose sizes are those of RF64.
    if try stream.peek(4).elementsEqual("BW64".utf8) { patches.append(FilePatch(0, "RF64")) }
    stream.patch(patches)
    var info = SF_INFO()
    var callbacks = SoundFileSource.callbacks
    let context = Unmanaged.passUnretained(stream).toOpaque()
    guard let file = sf_open_virtual(&callbacks, Int32(SFM_READ), &info, context) else {
      throw SoundFileSource.openingError(stream)
    }
    do throws(Failure) {
      try SoundFileSource.check(info, stream)
    } catch {
      sf_close(file)
      throw error
    }
    self.file = file
    order = SoundFileChannels.order(of: file, channelCount: Int(info.channels))
    format = StreamFormat(sampleRate: Double(info.samplerate), layout: order.layout)
    frameCount = info.frames >= 0 && info.frames < Int64.max ? Int(info.frames) : nil
    frames = .allocate(capacity: SoundFileSource.blockFrameCount * format.channelCount)
    decoder = order.isStraight ? SoundFileSource.decoder(of: info, file) : nil
    if correction == nil { try limitToDeclared(info, layout) }
    if correction == nil, SoundFileSource.dataIsCutShort(file, stream) {
      // If this throws, `deinit` releases what was set so far.
      guard frameCount != 0 else {
        throw Failure(
          .truncated, stream.name,
          "the file ends right after its header, without any sound; fetch it again")
      }
      warnings.append("truncated: the file ends before its header says; reading what is there")
    }
  }

  deinit {
    sf_close(file)
    frames.deallocate()
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let left = self.frameCount.map { $0 - position } ?? Int.max
    let wanted = min(frameCount, SoundFileSource.blockFrameCount, left)
    guard wanted > 0 else { return 0 }
    let count = readBlock(into: channels, wanted)
    if count > 0 {
      position += count
      return count
    }
    if stream.hasFailed { throw stream.error }
    if let expected = self.frameCount, position < expected { try endEarly(expected) }
    return 0
  }

  /// Ends where the header says, also for W64, which the library reads to the end of the file.
  /// Reports other sounds behind the end.
  private func limitToDeclared(_ info: SF_INFO, _ layout: SoundLayout?) throws(Failure) {
    if let file = stream.file, let layout, layout.header.dataByteCount != nil,
      let end = layout.declaredEnd
    {
      let trailing = TrailingBytes(
        file.bytes(at: end, TrailingBytes.wantedByteCount), isBig: layout.header.isBig)
      if let warning = trailing.warning { warnings.append(warning) }
    }
    let plain = [
      SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT,
      SF_FORMAT_DOUBLE,
    ]
    guard Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_W64,
      plain.contains(Int(info.format) & SF_FORMAT_SUBMASK), case let place = stream.offset,
      let header = layout?.header ?? PCMHeader(seeking: stream), stream.seek(to: place)
    else { return }
    let declared = header.dataByteCount.map { $0 / max(header.frameByteCount, 1) } ?? Int.max
    frameCount = min(frameCount ?? Int.max, declared)
  }

  private func readBlock(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ wanted: Int
  ) -> Int {
    guard let decoder else {
      let count = Int(sf_readf_float(file, frames, sf_count_t(wanted)))
      if count > 0 { Interleaving.split(frames, order, frameCount: count, into: channels) }
      return count
    }
    let width = format.channelCount
    let frameByteCount = width * decoder.sample.byteCount
    let count = Int(sf_read_raw(file, frames, sf_count_t(wanted * frameByteCount))) / frameByteCount
    decoder.decode(frames, frameCount: count, into: channels, width: width, offset: 0)
    return count
  }

  func seek(toFrame frame: Int) throws(Failure) {
    let target = min(max(frame, 0), frameCount ?? Int.max)
    guard sf_seek(file, sf_count_t(target), SEEK_SET) >= 0 else {
      throw Failure(
        .damaged, name, "cannot seek to \(at(frame)): \(String(cString: sf_strerror(file)))")
    }
    position = target
  }

  func interrupt() { stream.interrupt() }

  /// Handles an end before the declared one. A truncated file is read up to its end; a decoding
  /// error in the middle is thrown.
  private func endEarly(_ expected: Int) throws(Failure) {
    let code = sf_error(file)
    let isAtEndOfFile = stream.offset >= (stream.byteCount ?? 0)
    guard code == SF_ERR_NO_ERROR || isAtEndOfFile else {
      throw Failure(
        .damaged, name, "damaged at \(at(position)): \(String(cString: sf_error_number(code)))")
    }
    frameCount = position
    warnings.append(
      "truncated: the file ends at \(at(position)) of \(at(expected)); the rest is missing")
  }

  private func at(_ frame: Int) -> String {
    let milliseconds = Int(Double(frame) / format.sampleRate * 1000)
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    return "\(milliseconds / 1000).\(fraction) s"
  }
}

extension SoundFileSource {
  private static let callbacks = SF_VIRTUAL_IO(
    get_filelen: { sf_count_t(reader($0)?.byteCount ?? -1) },
    seek: { sf_count_t(reader($2)?.seek(Int($0), $1) ?? -1) },
    read: { target, count, context in
      guard let stream = reader(context), let target else { return 0 }
      return sf_count_t(max(stream.readFully(target, Int(count)), 0))
    },
    write: { _, _, _ in 0 },
    tell: { sf_count_t(reader($0)?.offset ?? -1) })

  /// A decoder for 16 or 24-bit integers, little-endian, as in most WAV files.
  private static func decoder(of info: SF_INFO, _ file: OpaquePointer) -> SampleDecoder? {
    let containers = [SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64]
    guard containers.contains(Int(info.format) & SF_FORMAT_TYPEMASK),
      sf_command(file, Int32(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) == SF_FALSE
    else { return nil }
    let sample: StoredSample
    switch Int(info.format) & SF_FORMAT_SUBMASK {
    case SF_FORMAT_PCM_16: sample = .int16
    case SF_FORMAT_PCM_24: sample = .int24Packed
    default: return nil
    }
    return SampleDecoder(sample, channelCount: Int(info.channels), silencesNonFinite: false)
  }

  private static func reader(_ context: UnsafeMutableRawPointer?) -> ByteReader? {
    context.map { Unmanaged<ByteReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func check(_ info: SF_INFO, _ stream: ByteReader) throws(Failure) {
    if Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_MPEG {
      // The library has found this after bytes that are not MPEG audio; the MPEG decoder decides
      // better.
      throw Failure(.notAudio, stream.name, "no audio in it that fxrun can read")
    }
    guard info.channels > 0, (100...3_072_000).contains(info.samplerate) else {
      throw Failure(
        .unsupportedFormat, stream.name,
        "\(info.channels) channels at \(info.samplerate) Hz cannot be rendered")
    }
  }

  private static func openingError(_ stream: ByteReader) -> Failure {
    let code = Int(sf_error(nil))
    let message = String(cString: sf_strerror(nil))
    stream.seek(to: 0)
    let start = (try? stream.peek(DecoderKind.probeLength)) ?? []
    let size = stream.byteCount ?? 0
    let isWAV = DecoderCatalogue.kind(of: start)?.name == "WAV"
    if DecoderCatalogue.isUnknown(start) {
      return Failure(.notAudio, stream.name, words(forUnknown: start))
    }
    if isWAV, code == Int(SF_ERR_UNSUPPORTED_ENCODING) {
      return Failure(.unsupportedFormat, stream.name, "WAV in an encoding that is not known")
    }
    if size < 128 || isWAV && start.little(4, 4) + 8 > size { return .cutHeader(stream.name, size) }
    return Failure(.damaged, stream.name, "the header is damaged: \(message)")
  }

  private static func words(forUnknown start: [UInt8]) -> String {
    if start.starts(with: "version https://git-lfs.github.com/spec/".utf8) {
      return "this is a pointer of Git LFS, not the audio itself; 'git lfs pull' fetches that"
    }
    return start.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || (9...13).contains($0) }
      ? "this is a text, not audio"
      : "no audio in it that fxrun can read (MP3, WAV, FLAC, Ogg, AIFF, CAF, AU …); samples without a header need --raw"
  }

  /// The library accepts a data chunk that is longer than the file, and reports this only in its
  /// log.
  private static func dataIsCutShort(_ file: OpaquePointer, _ stream: ByteReader) -> Bool {
    var log = [CChar](repeating: 0, count: 4096)
    let count = sf_command(file, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
    guard count > 0, strstr(log, "should be") != nil, let end = log.firstIndex(of: 0) else {
      return false
    }
    let text = String(decoding: log[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: "\n").contains { line in
      guard line.contains("should be") else { return false }
      if ["data :", "SSND", "Data Size"].contains(where: { line.contains($0) }) { return true }
      // W64 and RF64 are checked by the size of the whole file. Some writers count the padding
      // wrongly.
      guard line.hasPrefix("riff :") || line.contains("Riff size") else { return false }
      let sizes = line.split { !$0.isNumber }.compactMap { Int($0) }
      return sizes.count == 2 && sizes[0] > sizes[1] && sizes[0] - sizes[1] > 16
    }
  }
}
