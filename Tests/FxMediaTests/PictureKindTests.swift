@testable import FxMedia
import Testing

/// Pictures for tags, the smallest of each kind.
@Suite struct PictureKindTests {
  private static let jpeg: [UInt8] =
    [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2]
    + [0xff, 0xda, 0, 3, 0, 0x11, 0xff, 0, 0x22, 0xff, 0xd0, 0x33, 0xff, 0xff, 0xd9]
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10] + [0, 0, 0, 1] + Array("IDAT".utf8) + [9, 1, 2, 3, 4]
    + [0, 0, 0, 0] + Array("IEND".utf8) + [1, 2, 3, 4]
  private static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 9, 9, 9]
    + [0x21, 0xf9, 4, 0, 0, 0, 0, 0] + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]
  private static let webP: [UInt8] =
    Array("RIFF".utf8) + [14, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [2, 0, 0, 0, 1, 2]

  @Test(arguments: [(PictureKind.jpeg, jpeg), (.png, png), (.gif, gif), (.webP, webP)])
  func `a whole picture is accepted, and every shorter one is refused`(
    _ kind: PictureKind, _ bytes: [UInt8]
  ) {
    #expect(PictureKind(bytes) == kind)
    #expect(kind.isWhole(bytes))
    #expect(kind.isWhole(bytes + [1, 2, 3]))
    for count in 0..<bytes.count {
      #expect(!kind.isWhole(Array(bytes.prefix(count))), "\(kind.rawValue) of \(count) bytes")
    }
  }

  @Test func `other files are no pictures`() {
    for bytes in [[], [0xff], Array("RIFF".utf8), Array("<svg/>".utf8)] as [[UInt8]] {
      #expect(PictureKind(bytes) == nil)
    }
  }
}
