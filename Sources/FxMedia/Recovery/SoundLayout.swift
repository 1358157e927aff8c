/// The samples of a file, as its header declares them and as the file has them: WAV, RF64 and BW64,
/// AIFF, CAF, W64 and AU.
struct SoundLayout {
  let header: PCMHeader
  let fileByteCount: Int
  /// True if chunks or a tag may follow the samples, and do.
  let isFollowedByChunks: Bool

  /// nil for another format, for a damaged header, and for samples whose frames have no fixed size.
  init?(_ file: FileBytes) {
    guard let header = try? PCMHeader(HeaderBytes(file)) else { return nil }
    self.init(header, file)
  }

  /// - Parameter header: that of the file.
  init?(_ header: PCMHeader, _ file: FileBytes) {
    // The blocks of other codings in WAV have a fixed size too.
    guard header.isPlain || header.hasFormatStructure, header.frameByteCount > 0 else { return nil }
    self.header = header
    fileByteCount = file.count
    isFollowedByChunks = header.isRIFF && SoundLayout.isFollowedByChunks(file, header)
  }

  var frameByteCount: Int { header.frameByteCount }
  var dataOffset: Int { header.dataOffset }

  /// Whole frames between the header and the end of the file.
  var frameCount: Int { max(fileByteCount - dataOffset, 0) / frameByteCount }

  /// The size of these frames in bytes.
  var dataByteCount: Int { frameCount * frameByteCount }

  /// The declared size of the samples; nil if the writer did not know it.
  var declaredByteCount: Int? {
    switch header.declared {
    case .bytes(let size): size
    case .toEnd: max(fileByteCount - dataOffset, 0)
    case .unknown: nil
    }
  }

  /// The end of the declared samples, if the file reaches it.
  var declaredEnd: Int? {
    declaredByteCount.map { dataOffset + $0 }.flatMap { $0 <= fileByteCount ? $0 : nil }
  }

  /// True if chunks or a tag fill the rest of the file.
  private static func isFollowedByChunks(_ file: FileBytes, _ header: PCMHeader) -> Bool {
    guard case .bytes(let size) = header.declared, size <= file.count - header.dataOffset else {
      return false
    }
    let start = header.dataOffset + size + size % 2
    var chunks = Chunks(HeaderBytes(file), .riff(isBig: header.isBig), from: start)
    while file.count - chunks.offset >= 8 {
      if AppendedTag.begins(file.bytes(at: chunks.offset, 3)) { return true }
      guard Chunks.mayBegin(file.bytes(at: chunks.offset, 8), isBig: header.isBig),
        let chunk = try? chunks.next(), chunk.content + chunk.size <= file.count
      else { return false }
    }
    return chunks.offset > start
  }
}

// MARK: - Corrections

extension SoundLayout {
  /// Bytes that fill the chunk with the samples of a file that ends with them.
  var paddingByteCount: Int { ["CAF", "AU"].contains(header.container) ? 0 : dataByteCount % 2 }

  /// The header patches for this many bytes of samples.
  func patches(_ data: Int) -> [FilePatch] {
    let end = dataOffset + data
    let frames = data / frameByteCount
    let place = header.places
    func number(_ offset: Int, _ value: Int, _ width: Int) -> FilePatch {
      let value = width == 4 ? min(value, 0xffff_ffff) : value
      return header.isBig ? .big(offset, value, width) : .little(offset, value, width)
    }
    switch header.container {
    case "AIFF":
      return [number(4, end + data % 2 - 8, 4)]
        + (place.common.map { [number($0 + 2, frames, 4)] } ?? [])
        + [number(place.data + 4, end - place.data - 8, 4)]
    case "CAF": return [number(place.data + 4, data + 4, 8)]
    case "W64":
      return [number(16, end, 8), number(place.data + 16, data + 24, 8)]
        + (place.fact.map { [number($0, frames, 8)] } ?? [])
    case "AU": return [number(8, data, 4)]
    default: break
    }
    let whole = end + data % 2 - 8
    var patches: [FilePatch]
    if let sizes = place.sizes, header.container != "WAV" || whole > 0xffff_ffff {
      patches = [
        FilePatch(0, "RF64"), number(4, 0xffff_ffff, 4), FilePatch(12, "ds64"),
        number(sizes, whole, 8), number(sizes + 8, data, 8), number(sizes + 16, frames, 8),
        number(dataOffset - 4, 0xffff_ffff, 4),
      ]
    } else {
      patches = [number(4, whole, 4), number(dataOffset - 4, data, 4)]
    }
    if let fact = place.fact { patches.append(number(fact, frames, 4)) }
    return patches
  }
}
