/// Samples with their rate, as in a WAV file.
struct Sound: Equatable {
  var rate: Int
  var channels: [[Float]]
  /// Bits of a sample in the file that it was read from.
  var bits = 32

  var frameCount: Int { channels.first?.count ?? 0 }

  init(_ channels: [[Float]], rate: Int = 44100) {
    self.rate = rate
    self.channels = channels
  }

  /// Reads a WAV file of 16 or 24 bits or 32-bit floats. A file from a pipe has no length.
  init(wave bytes: [UInt8]) throws {
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    func tag(_ offset: Int) -> String {
      String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }
    guard bytes.count >= 12, tag(0) == "RIFF", tag(8) == "WAVE" else {
      throw ProgramFailure("not a WAV file: \(bytes.count) bytes")
    }
    var (offset, width, isFloat) = (12, 0, false)
    (rate, channels, bits) = (0, [], 0)
    while offset + 8 <= bytes.count {
      let (size, start) = (number(offset + 4, 4), offset + 8)
      if tag(offset) == "fmt " {
        let kind = number(start, 2) == 0xfffe ? number(start + 24, 2) : number(start, 2)
        isFloat = kind == 3
        width = number(start + 2, 2)
        rate = number(start + 4, 4)
        bits = number(start + 14, 2)
      } else if tag(offset) == "data" {
        let data = bytes[start..<min(bytes.count, start + size)]
        channels = Sound.samples(Array(data), width, bits, isFloat)
        return
      }
      offset = start + size + size & 1
    }
    throw ProgramFailure("a WAV file without data")
  }

  private static func samples(
    _ data: [UInt8], _ width: Int, _ bits: Int, _ isFloat: Bool
  ) -> [[Float]] {
    let size = bits / 8
    guard width > 0, size > 0 else { return [] }
    let count = data.count / (size * width)
    return data.withUnsafeBytes { raw in
      (0..<width).map { channel in
        (0..<count).map { frame in
          let at = (frame * width + channel) * size
          switch (size, isFloat) {
          case (4, true): return raw.loadUnaligned(fromByteOffset: at, as: Float.self)
          case (2, _):
            return Float(raw.loadUnaligned(fromByteOffset: at, as: Int16.self)) / 32768
          case (3, _):
            let low = Int32(raw.loadUnaligned(fromByteOffset: at, as: UInt16.self))
            return Float(Int32(Int8(bitPattern: raw[at + 2])) << 16 | low) / 8_388_608
          default: return .nan
          }
        }
      }
    }
  }

  /// The bytes of a WAV file, of 32-bit floats or of 16 bits.
  func wave(bits: Int = 32) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let (width, size) = (channels.count, bits / 8)
    var data: [UInt8] = []
    data.reserveCapacity(frameCount * width * size)
    for frame in 0..<frameCount {
      for channel in channels {
        let sample = channel[frame]
        if bits == 32 {
          withUnsafeBytes(of: sample.bitPattern.littleEndian) { data += $0 }
        } else {
          let rounded = Int16(max(-32768, min(32767, (sample * 32768).rounded())))
          withUnsafeBytes(of: rounded.littleEndian) { data += $0 }
        }
      }
    }
    let format =
      bytes(bits == 32 ? 3 : 1, 2) + bytes(width, 2) + bytes(rate, 4)
      + bytes(rate * width * size, 4) + bytes(width * size, 2) + bytes(bits, 2)
    return Array("RIFF".utf8) + bytes(36 + data.count, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
      + format + Array("data".utf8) + bytes(data.count, 4) + data
  }

  /// The largest difference of any two samples; infinite when the shapes differ.
  func distance(to other: Sound) -> Float {
    guard channels.map(\.count) == other.channels.map(\.count) else { return .infinity }
    var largest: Float = 0
    for (left, right) in zip(channels, other.channels) {
      for (a, b) in zip(left, right) { largest = max(largest, abs(a - b)) }
    }
    return largest
  }

  func prefix(_ count: Int) -> Sound {
    var sound = self
    sound.channels = channels.map { Array($0.prefix(count)) }
    return sound
  }
}
