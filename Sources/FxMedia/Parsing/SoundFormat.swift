/// A format in which a stream can be decoded.
public struct SoundFormat: Sendable, Hashable, Codable {
  /// The coding: `MP3`, `AAC`, `HE-AAC`, `HE-AAC v2`.
  public var codec: String
  /// In Hz.
  public var sampleRate: Double
  public var channelCount: Int
  /// Frames of each packet; nil if packets differ.
  public var framesPerPacket: Int?
  /// False if the header does not say whether the stream has this format: AAC in ADTS at a low rate may be HE-AAC.
  public var isCertain: Bool
}

extension SoundProperties {
  /// The formats in which the stream can be decoded, with the plainest first. HE-AAC has two or three; other streams have one.
  public var formats: [SoundFormat] {
    guard let sampleRate, let channelCount else { return [] }
    let plain = SoundFormat(
      codec: codec ?? container, sampleRate: sampleRate, channelCount: channelCount,
      framesPerPacket: framesPerPacket, isCertain: true)
    return [plain] + richerFormats
  }

  /// The same with the stream's size, and with a length and a bit rate that follow from it.
  func completed(byteCount size: Int?) -> SoundProperties {
    var properties = self
    properties.byteCount = byteCount ?? size
    guard let size = properties.byteCount, let dataOffset, size > dataOffset, let sampleRate else {
      return properties
    }
    let bits = 8 * Double(size - dataOffset)
    if let frameCount, frameCount.certainty != .estimated {
      if bitRate == nil, frameCount.count > 0 {
        properties.bitRate = .init(
          value: bits * sampleRate / Double(frameCount.count), kind: .estimated)
      }
    } else if let bitRate, bitRate.value > 0 {
      let count = bits / bitRate.value * sampleRate
      properties.frameCount = .init(
        count: Int(min(count.rounded(), 1e15)), certainty: .estimated)
    }
    return properties
  }

  /// True if more is known than before. A new estimate counts if it differs by one percent.
  func differs(from other: SoundProperties) -> Bool {
    var other = other
    func isNear(_ value: Double, _ old: Double) -> Bool { abs(value - old) <= abs(old) / 100 }
    if let now = bitRate, let old = other.bitRate, now.kind == .estimated, old.kind == .estimated,
      isNear(now.value, old.value)
    {
      other.bitRate = bitRate
    }
    for path in [\SoundProperties.frameCount, \.packetCount] {
      if let now = self[keyPath: path], let old = other[keyPath: path],
        now.certainty == .estimated, old.certainty == .estimated,
        isNear(Double(now.count), Double(old.count))
      {
        other[keyPath: path] = now
      }
    }
    return self != other
  }
}
