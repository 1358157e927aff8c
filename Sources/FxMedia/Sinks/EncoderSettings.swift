import CSndFile
import FxAudio

/// Quality and bit rate of an encoder, in the terms of libsndfile.
struct EncoderSettings {
  private let encoding: FileEncoding
  private let container: Int
  private let format: StreamFormat
  private let isOpus: Bool

  init(_ encoding: FileEncoding, code: Int, format: StreamFormat) {
    self.encoding = encoding
    self.format = format
    container = code & SF_FORMAT_TYPEMASK
    isOpus = code & SF_FORMAT_SUBMASK == SF_FORMAT_OPUS
  }

  func apply(to file: OpaquePointer?) {
    switch container {
    case SF_FORMAT_OGG where isOpus:
      if let kilobits = encoding.kilobits {
        setBitRate(kilobits, of: EncoderSettings.bitRates(.opus, format), file)
      }
    case SF_FORMAT_OGG: set(SFC_SET_VBR_ENCODING_QUALITY, encoding.quality ?? 0.6, file)
    case SF_FORMAT_FLAC:
      if let compression = encoding.compression {
        set(SFC_SET_COMPRESSION_LEVEL, Double(compression) / 8, file)
      }
    default: break
    }
  }

  /// The bit rates in kbit/s that a format supports. Those of Opus are the two ends of the library's
  /// scale.
  static func bitRates(_ fileFormat: FileFormat, _ format: StreamFormat) -> ClosedRange<Int>? {
    switch fileFormat {
    // MPEG 1, 2 or 2.5, depending on the sample rate.
    case .mp3: format.sampleRate >= 32000 ? 32...320 : format.sampleRate >= 16000 ? 8...160 : 8...64
    case .opus: 6 * format.channelCount...256 * format.channelCount
    default: nil
    }
  }

  private func setBitRate(_ kilobits: Int, of range: ClosedRange<Int>?, _ file: OpaquePointer?) {
    guard let range else { return }
    let place = Double(range.upperBound - kilobits) / Double(range.upperBound - range.lowerBound)
    set(SFC_SET_COMPRESSION_LEVEL, place, file)
  }

  private func set(_ command: Int, _ value: Double, _ file: OpaquePointer?) {
    var value = min(max(value, 0), 1)
    sf_command(file, Int32(command), &value, Int32(MemoryLayout<Double>.size))
  }
}
