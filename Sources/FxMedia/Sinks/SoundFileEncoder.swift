import CSndFile
import FxAudio
import Glibc

/// Encodes with libsndfile: FLAC, Ogg Vorbis and Opus, AIFF, CAF, W64, RF64.
final class SoundFileEncoder: SampleEncoder {
  private(set) var failureMessage: String?
  private let drain: ByteDrain
  private let output: EncodedOutput
  private let format: StreamFormat
  private var file: OpaquePointer?
  /// False for stream formats, whose parts can be read without declared sizes.
  private let hasSizes: Bool
  private var converter: SampleConverter
  private let block: UnsafeMutableRawPointer
  private static let blockFrameCount = 4096

  /// The channel mask that the header of a FLAC file does not contain yet.
  private var mask: FLACChannelMask?
  /// The channel order in the file.
  private let order: ChannelOrder

  /// `code` is the library's code of container and encoding.
  init(
    _ drain: ByteDrain, _ format: StreamFormat, _ converter: SampleConverter, code: Int,
    _ encoding: FileEncoding = FileEncoding()
  ) throws(Failure) {
    self.drain = drain
    self.format = format
    self.converter = converter
    let container = code & SF_FORMAT_TYPEMASK
    order = container == SF_FORMAT_OGG ? .vorbis(format.channelCount) : ChannelOrder(format.layout)
    hasSizes = ![SF_FORMAT_FLAC, SF_FORMAT_OGG, SF_FORMAT_RAW].contains(container)
    output = EncodedOutput(drain, pages: container == SF_FORMAT_OGG ? OggPageStamp() : nil)
    block = .allocate(
      byteCount: SoundFileEncoder.blockFrameCount * format.channelCount * 8, alignment: 64)
    var info = SF_INFO()
    info.samplerate = Int32(max(1, min(format.sampleRate.rounded(), 2_147_483_647)))
    info.channels = Int32(clamping: format.channelCount)
    info.format = Int32(code)
    guard sf_format_check(&info) != 0 else {
      throw Failure(
        .unsupportedFormat, drain.name,
        "this format takes neither \(format.channelCount) channels nor \(info.samplerate) Hz "
          + "with these bits, or not together; use .wav")
    }
    var callbacks = EncodedOutput.callbacks
    file = sf_open_virtual(
      &callbacks, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(output).toOpaque())
    guard file != nil else {
      if drain.failure != nil { throw drain.error }
      throw Failure(
        .unsupportedFormat, drain.name,
        "cannot be encoded: \(String(cString: sf_strerror(nil))); use .wav")
    }
    switch container {
    case SF_FORMAT_OGG, SF_FORMAT_RAW: break
    case SF_FORMAT_FLAC:
      mask = FLACChannelMask(format.layout, of: file)
      guard mask == nil || drain.isSeekable else {
        throw Failure(
          .unsupportedFormat, drain.name,
          "FLAC in a pipe cannot say that its channels are \(format.layout); use wav")
      }
    // RF64 has a channel mask.
    case SF_FORMAT_RF64: SoundFileChannels.write(format.layout, to: file)
    default: SoundFileChannels.write(format.layout.withBackSurround, to: file)
    }
    // The peak chunk contains the time of day. Without it equal renders make equal files.
    sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    // The header with this chunk is already in the file. A few samples would not overwrite all of
    // it.
    let headerEnd = drain.seek(0, SEEK_CUR)
    if headerEnd > 0 { ftruncate(drain.descriptor, headerEnd) }
    EncoderSettings(encoding, code: code, format: format).apply(to: file)
  }

  deinit {
    if let file { sf_close(file) }
    block.deallocate()
  }

  func write(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) -> Bool {
    guard let file else { return false }
    var done = 0
    return withUnsafeTemporaryAllocation(
      of: UnsafePointer<Float>.self, capacity: format.channelCount
    ) { views in
      guard let table = views.baseAddress else { return false }
      while done < frameCount {
        let count = min(frameCount - done, SoundFileEncoder.blockFrameCount)
        for channel in 0..<format.channelCount {
          (table + order.places[channel]).initialize(to: channels[channel] + done)
        }
        converter.convert(table, frameCount: count, to: block)
        let written =
          switch converter.layout {
          case .int16:
            sf_writef_short(
              file, block.assumingMemoryBound(to: Int16.self), sf_count_t(count))
          case .float32:
            sf_writef_float(
              file, block.assumingMemoryBound(to: Float.self), sf_count_t(count))
          case .float64:
            sf_writef_double(
              file, block.assumingMemoryBound(to: Double.self), sf_count_t(count))
          default:
            sf_writef_int(file, block.assumingMemoryBound(to: Int32.self), sf_count_t(count))
          }
        guard written == count, drain.failure == nil else {
          failureMessage = String(cString: sf_strerror(file))
          return false
        }
        done += count
        mask?.write(to: drain)
        mask = nil
      }
      return true
    }
  }

  func finish() -> Bool {
    guard let file else { return false }
    self.file = nil
    sf_close(file)
    return output.finish() && drain.flush()
  }

  func refresh() -> Bool {
    guard let file else { return false }
    if hasSizes { sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
    return drain.flush()
  }

  /// The file is truncated after its last complete frame, which needs no disk space.
  func salvage() -> Bool {
    guard drain.forgive() != nil else { return false }
    drain.close()
    if let file { sf_close(file) }
    file = nil
    guard case .sound = SoundRepair.repair(drain.descriptor) else { return false }
    return true
  }
}
