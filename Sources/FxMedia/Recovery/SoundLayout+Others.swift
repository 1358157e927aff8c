extension SoundLayout {
  static func aiff(_ file: FileBytes) -> SoundLayout? {
    let form = file.text(8)
    guard form == "AIFF" || form == "AIFC" else { return nil }
    var offset = 12
    var common: (offset: Int, frame: Int, rate: Double)?
    for _ in 0..<chunkLimit {
      guard let size = file.big(offset + 4, 4) else { return nil }
      let content = offset + 8
      switch file.text(offset) {
      case "COMM":
        guard let channels = file.big(content, 2), let bits = file.big(content + 6, 2),
          let rate = extended(file, content + 8),
          form == "AIFF"
            || ["NONE", "sowt", "twos", "in24", "in32", "fl32", "FL32", "fl64", "FL64"]
              .contains(file.text(content + 18))
        else { return nil }
        common = (content, channels * ((bits + 7) / 8), rate)
      case "SSND":
        guard let common, let start = file.big(content, 4) else { return nil }
        return SoundLayout(
          sampleRate: common.rate, frameByteCount: common.frame, dataOffset: content + 8 + start,
          declared: .bytes(max(size - 8 - start, 0)), fileByteCount: file.count
        ) { data in
          [
            .big(4, content + 8 + start + data + data % 2 - 8, 4),
            .big(common.offset + 2, data / max(common.frame, 1), 4),
            .big(offset + 4, 8 + start + data, 4),
          ]
        }
      default: break
      }
      offset = content + size + size % 2
    }
    return nil
  }

  static func caf(_ file: FileBytes) -> SoundLayout? {
    var offset = 8
    var description: (frame: Int, rate: Double)?
    for _ in 0..<chunkLimit {
      guard let size = file.big(offset + 4, 8) else { return nil }
      let content = offset + 12
      switch file.text(offset) {
      case "desc":
        guard let rate = file.big(content, 8), file.text(content + 8) == "lpcm",
          let frame = file.big(content + 16, 4)
        else { return nil }
        description = (frame, Double(bitPattern: UInt64(bitPattern: Int64(rate))))
      case "data":
        guard let description else { return nil }
        return SoundLayout(
          sampleRate: description.rate, frameByteCount: description.frame, dataOffset: content + 4,
          // The format allows -1: up to the end of the file.
          declared: size == -1 ? .bytes(file.count - content - 4) : .bytes(max(size, 4) - 4),
          fileByteCount: file.count
        ) { data in [.big(offset + 4, data + 4, 8)] }
      default: break
      }
      guard size >= 0, size < file.count else { return nil }
      offset = content + size
    }
    return nil
  }

  static func w64(_ file: FileBytes) -> SoundLayout? {
    var offset = 40
    var format: (frame: Int, rate: Int)?
    var fact: Int?
    for _ in 0..<chunkLimit {
      guard let size = file.little(offset + 16, 8) else { return nil }
      let content = offset + 24
      switch file.text(offset) {
      case "fmt ":
        guard let rate = file.little(content + 4, 4), let frame = file.little(content + 12, 2)
        else { return nil }
        format = (frame, rate)
      case "fact": fact = content
      case "data":
        guard let format else { return nil }
        return SoundLayout(
          sampleRate: Double(format.rate), frameByteCount: format.frame, dataOffset: content,
          declared: .bytes(max(size, 24) - 24), fileByteCount: file.count
        ) { data in
          [.little(16, content + data, 8), .little(offset + 16, data + 24, 8)]
            + (fact.map { [.little($0, data / max(format.frame, 1), 8)] } ?? [])
        }
      default: break
      }
      guard size >= 24, size < file.count else { return nil }
      offset += (size + 7) / 8 * 8
    }
    return nil
  }

  static func au(_ file: FileBytes) -> SoundLayout? {
    guard let start = file.big(4, 4), let size = file.big(8, 4), let encoding = file.big(12, 4),
      let rate = file.big(16, 4), let channels = file.big(20, 4)
    else { return nil }
    // G.711, 8 to 32 bits, floats of 4 and 8 bytes.
    let widths = [1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1]
    guard let width = widths[encoding] else { return nil }
    return SoundLayout(
      sampleRate: Double(rate), frameByteCount: width * channels, dataOffset: start,
      // The format allows all ones: up to the end of the file.
      declared: size == 0xffff_ffff ? .bytes(file.count - start) : .bytes(size),
      fileByteCount: file.count
    ) { data in [.big(8, min(data, 0xffff_ffff), 4)] }
  }

  /// A number with 80 bits (IEEE 754, extended precision).
  private static func extended(_ file: FileBytes, _ offset: Int) -> Double? {
    guard let head = file.big(offset, 2), let fraction = file.big(offset + 2, 8) else { return nil }
    let value = Double(UInt64(bitPattern: Int64(fraction)))
    return Double(sign: .plus, exponent: (head & 0x7fff) - 16383 - 63, significand: value)
  }
}
