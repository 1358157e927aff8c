import CSndFile
import FxGraph

/// How hard an encoder tries, in the terms of libsndfile.
struct EncoderSettings {
  private let encoding: FileEncoding
  private let container: Int
  private let sampleRate: Double
  private let isOpus: Bool

  init(_ encoding: FileEncoding, code: Int, sampleRate: Double) {
    self.encoding = encoding
    self.sampleRate = sampleRate
    container = code & SF_FORMAT_TYPEMASK
    isOpus = code & SF_FORMAT_SUBMASK == SF_FORMAT_OPUS
  }

  func apply(to file: OpaquePointer?) {
    switch container {
    case SF_FORMAT_MPEG: applyMPEG(file)
    case SF_FORMAT_OGG where isOpus:
      // The library's scale goes from 6 to 256 kbit/s a channel pair.
      if let kilobits = encoding.kilobits {
        set(SFC_SET_COMPRESSION_LEVEL, 1 - (Double(kilobits) - 6) / 250, file)
      }
    case SF_FORMAT_OGG: set(SFC_SET_VBR_ENCODING_QUALITY, encoding.quality ?? 0.6, file)
    case SF_FORMAT_FLAC:
      if let compression = encoding.compression {
        set(SFC_SET_COMPRESSION_LEVEL, Double(compression) / 8, file)
      }
    default: break
    }
  }

  private func applyMPEG(_ file: OpaquePointer?) {
    if let kilobits = encoding.kilobits {
      setMode(SF_BITRATE_MODE_CONSTANT, file)
      let range = sampleRate >= 32000 ? (320.0, 288.0) : sampleRate >= 16000 ? (160, 152) : (64, 56)
      set(SFC_SET_COMPRESSION_LEVEL, (range.0 - Double(kilobits)) / range.1, file)
    } else {
      setMode(SF_BITRATE_MODE_VARIABLE, file)
      set(SFC_SET_COMPRESSION_LEVEL, 1 - (encoding.quality ?? 0.6), file)
    }
  }

  private func setMode(_ mode: Int, _ file: OpaquePointer?) {
    var mode = Int32(mode)
    sf_command(file, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
  }

  private func set(_ command: Int, _ value: Double, _ file: OpaquePointer?) {
    var value = min(max(value, 0), 1)
    sf_command(file, Int32(command), &value, Int32(MemoryLayout<Double>.size))
  }
}
