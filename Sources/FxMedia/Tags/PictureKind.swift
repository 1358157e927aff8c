/// A format of pictures that tags hold.
package enum PictureKind: String {
  case jpeg = "JPEG"
  case png = "PNG"
  case gif = "GIF"
  case webP = "WebP"

  /// The format that a file begins with; nil for another file.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]) {
      self = .png
    } else if bytes.starts(with: "GIF8".utf8) {
      self = .gif
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webP
    } else {
      return nil
    }
  }

  package var mimeType: String { "image/\(rawValue.lowercased())" }

  /// True if the file has all parts that its structure declares, up to the end mark. The picture
  /// itself is not decoded; bytes after the end do no harm.
  package func isWhole(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .jpeg: Self.isWholeJPEG(bytes)
    case .png: Self.isWholePNG(bytes)
    case .gif: Self.isWholeGIF(bytes)
    case .webP:
      // The header declares the rest, and a picture has at least one chunk.
      bytes.count >= 20 && (12...bytes.count - 8).contains(bytes.little(4, 4))
    }
  }

  /// Segments with their lengths; after a start of scan (0xda), coded data up to the next marker.
  private static func isWholeJPEG(_ bytes: [UInt8]) -> Bool {
    var place = 2
    var hasScan = false
    while place + 1 < bytes.count {
      guard bytes[place] == 0xff else {
        guard hasScan else { return false }
        place += 1
        continue
      }
      switch bytes[place + 1] {
      case 0xd9: return hasScan
      // A zero belongs to the data, other values are padding or marks without a length.
      case 0, 1, 0xd0...0xd8: place += 2
      case 0xff: place += 1
      case let marker:
        let length = bytes.big(place + 2, 2)
        guard length >= 2 else { return false }
        hasScan = hasScan || marker == 0xda
        place += 2 + length
      }
    }
    return false
  }

  private static func isWholePNG(_ bytes: [UInt8]) -> Bool {
    var place = 8
    var hasData = false
    while place + 12 <= bytes.count {
      let length = bytes.big(place, 4)
      guard length <= bytes.count - place - 12 else { return false }
      let name = bytes[place + 4..<place + 8]
      hasData = hasData || name.elementsEqual("IDAT".utf8)
      if name.elementsEqual("IEND".utf8) { return hasData }
      place += 12 + length
    }
    return false
  }

  /// A header, a table of colours, and blocks: pictures (0x2c), extensions (0x21), the end (0x3b).
  private static func isWholeGIF(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 13 else { return false }
    var place = 13 + colourBytes(bytes[10])
    var hasPicture = false
    while place < bytes.count {
      switch bytes[place] {
      case 0x3b: return hasPicture
      case 0x2c:
        guard place + 10 < bytes.count else { return false }
        hasPicture = true
        // A position and a size, a table of colours, and the width of codes.
        place += 11 + colourBytes(bytes[place + 9])
      case 0x21: place += 2
      default: return false
      }
      // Pieces with their lengths; an empty one ends the block.
      while place < bytes.count, bytes[place] > 0 { place += 1 + Int(bytes[place]) }
      place += 1
    }
    return false
  }

  private static func colourBytes(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }
}
