import FxAudio

/// How one sample is stored: little-endian, with full scale at ±1 or at the largest number.
public enum SampleCoding: String, Sendable, Hashable, Codable, CaseIterable {
  case int16
  /// Three bytes.
  case int24
  case int32
  case float32
  case float64

  /// Bytes of a sample.
  public var byteCount: Int { stored.byteCount }

  var layout: SampleLayout {
    switch self {
    case .int16: .int16
    case .int24: .int24Packed
    case .int32: .int32
    case .float32: .float32
    case .float64: .float64
    }
  }

  var stored: StoredSample { StoredSample(layout) }
}
