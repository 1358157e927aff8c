extension SoundLayout {
  static func wav(_ file: FileBytes) -> SoundLayout? {
    guard file.text(8) == "WAVE", let riff = file.little(4, 4) else { return nil }
    let isLong = file.text(0) != "RIFF"
    var offset = 12
    var format: (rate: Int, frame: Int)?
    var sizes: Int?
    var fact: Int?
    for _ in 0..<chunkLimit {
      guard let size = file.little(offset + 4, 4) else { return nil }
      let content = offset + 8
      switch file.text(offset) {
      case "fmt ":
        guard let rate = file.little(content + 4, 4), let frame = file.little(content + 12, 2)
        else { return nil }
        format = (rate, frame)
      // A placeholder for the sizes of RF64 is always the first chunk.
      case "ds64", "JUNK":
        if offset == 12, size >= 28 { sizes = content }
      case "fact": fact = content
      case "data":
        guard let format else { return nil }
        var declared = Declared.bytes(size)
        var end: Int? = riff + 8
        if isLong, let sizes, let whole = file.little(sizes, 8),
          let data = file.little(sizes + 8, 8)
        {
          declared = .bytes(size == 0xffff_ffff ? data : size)
          end = whole &+ 8
        } else if size >= 0x7fff_0000, content + size > file.count {
          // For a pipe, writers leave all ones or nearly the largest signed number.
          declared = .unknown
        }
        return SoundLayout(
          sampleRate: Double(format.rate), frameByteCount: format.frame, dataOffset: content,
          declared: declared, declaredEnd: end, fileByteCount: file.count,
          isFollowedByChunks: isFollowedByChunks(file, content, declared)
        ) { data in
          wavPatches(
            dataOffset: content, dataByteCount: data, frameByteCount: format.frame,
            sizes: sizes, fact: fact, isLong: isLong)
        }
      default: break
      }
      offset = content + size + size % 2
    }
    return nil
  }

  /// True if so many chunks precede the sound that searching them would take minutes.
  static func hasEndlessHeader(_ file: FileBytes) -> Bool {
    var offset = 12
    for _ in 0..<chunkLimit {
      guard file.text(offset) != "data", let size = file.little(offset + 4, 4) else { return false }
      offset += 8 + size + size % 2
    }
    return true
  }

  /// True if chunks or a tag fill the rest of the file.
  private static func isFollowedByChunks(
    _ file: FileBytes, _ dataOffset: Int, _ declared: Declared
  ) -> Bool {
    guard case .bytes(let size) = declared, size >= 0, size <= file.count - dataOffset else {
      return false
    }
    var offset = dataOffset + size + size % 2
    let start = offset
    for _ in 0..<chunkLimit where file.count - offset >= 8 {
      let id = file.bytes(at: offset, 4)
      if [Array("TAG".utf8), Array("ID3".utf8), Array("APE".utf8)].contains(Array(id.prefix(3))) {
        return true
      }
      guard id.allSatisfy({ (0x20...0x7e).contains($0) }), let size = file.little(offset + 4, 4),
        offset + 8 + size <= file.count
      else { return false }
      offset += 8 + size + size % 2
    }
    return offset > start && file.count - offset < 8
  }

  private static func wavPatches(
    dataOffset: Int, dataByteCount: Int, frameByteCount: Int, sizes: Int?, fact: Int?, isLong: Bool
  ) -> [FilePatch] {
    let most = 0xffff_ffff
    let riff = dataOffset + dataByteCount + dataByteCount % 2 - 8
    let frames = dataByteCount / frameByteCount
    var patches: [FilePatch] = []
    if let sizes, isLong || riff > most {
      patches = [
        FilePatch(0, "RF64"), .little(4, most, 4), FilePatch(12, "ds64"),
        .little(sizes, riff, 8), .little(sizes + 8, dataByteCount, 8),
        .little(sizes + 16, frames, 8),
        .little(dataOffset - 4, most, 4),
      ]
    } else {
      patches = [
        .little(4, min(riff, most), 4), .little(dataOffset - 4, min(dataByteCount, most), 4),
      ]
    }
    if let fact { patches.append(.little(fact, min(frames, most), 4)) }
    return patches
  }
}
