import CALSA
import FxAudio

/// A sample format of devices: the layout and the byte order of its samples.
struct ALSAFormat: BitwiseCopyable, Sendable, Hashable {
  let layout: SampleLayout
  let isBigEndian: Bool
  /// alsa-lib's number.
  let code: Int32

  private init(_ format: snd_pcm_format_t, _ layout: SampleLayout, isBigEndian: Bool = false) {
    self.layout = layout
    self.isBigEndian = isBigEndian
    code = format.rawValue
  }

  var format: snd_pcm_format_t { snd_pcm_format_t(rawValue: code) }

  /// alsa-lib's name: `S24_3LE`.
  var name: String { snd_pcm_format_name(format).map { String(cString: $0) } ?? "?" }

  var bitsPerSample: Int {
    switch layout {
    case .uint8, .int8High: 8
    case .int16: 16
    case .int24Packed, .int24Low, .int24High: 24
    case .int32, .float32: 32
    case .float64: 64
    }
  }

  var isFloat: Bool { if case .float32 = layout { true } else { false } }

  /// The formats to try, best first: 24 bits or more before 16 bits, then the processor's byte
  /// order before the other.
  static let candidates = [
    ALSAFormat(SND_PCM_FORMAT_FLOAT_LE, .float32),
    ALSAFormat(SND_PCM_FORMAT_S32_LE, .int32),
    ALSAFormat(SND_PCM_FORMAT_S24_LE, .int24Low),
    ALSAFormat(SND_PCM_FORMAT_S24_3LE, .int24Packed),
    ALSAFormat(SND_PCM_FORMAT_FLOAT_BE, .float32, isBigEndian: true),
    ALSAFormat(SND_PCM_FORMAT_S32_BE, .int32, isBigEndian: true),
    ALSAFormat(SND_PCM_FORMAT_S24_BE, .int24Low, isBigEndian: true),
    ALSAFormat(SND_PCM_FORMAT_S24_3BE, .int24Packed, isBigEndian: true),
    ALSAFormat(SND_PCM_FORMAT_S16_LE, .int16),
    ALSAFormat(SND_PCM_FORMAT_S16_BE, .int16, isBigEndian: true),
  ]

  // MARK: - Realtime

  /// Swaps the byte order of samples in place.
  @_noLocks
  func swapBytes(_ samples: UnsafeMutableRawPointer, count: Int) {
    let width = layout.byteCount
    let bytes = samples.assumingMemoryBound(to: UInt8.self)
    for sample in 0..<count {
      let first = bytes + sample &* width
      for index in 0..<width / 2 {
        let kept = first[index]
        first[index] = first[width &- 1 &- index]
        first[width &- 1 &- index] = kept
      }
    }
  }
}
