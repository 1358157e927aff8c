import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

/// The one reader of Ogg pages, of FLAC's header, of frames in ADTS and of tags at the end.
struct PageAndFrameTests {
  private let folder = TemporaryFolder()

  private func sound(_ end: String, frameCount: Int = 20_000) throws -> [UInt8] {
    var maker = SoundMaker(seed: 5)
    return try maker.sound(end, frameCount: frameCount)
  }

  @Test(arguments: ["ogg", "opus"])
  func `the pages of a stream follow each other, and each has the right checksum`(
    _ end: String
  ) throws {
    let bytes = try sound(end)
    bytes.withUnsafeBufferPointer { bytes in
      var place = 0
      var pages: [OggPage] = []
      while let page = OggPage(UnsafeBufferPointer(rebasing: bytes[place...])) {
        let rest = UnsafeBufferPointer(rebasing: bytes[place...])
        #expect(page.isWhole(rest))
        #expect(page.pieces(rest).count == page.packetCount(rest) + (page.endsOpen ? 1 : 0))
        pages.append(page)
        place += page.byteCount
      }
      #expect(place == bytes.count)
      #expect(pages.map(\.isFirst) == pages.indices.map { $0 == 0 })
      #expect(pages.map(\.isLast) == pages.indices.map { $0 == pages.count - 1 })
      #expect(Set(pages.map(\.serial)).count == 1)
      // From the end back, the same pages are found.
      var limit = bytes.count
      var count = 0
      while let (_, offset) = OggPage.last(in: bytes, before: limit) {
        limit = offset
        count += 1
      }
      #expect(limit == 0 && count == pages.count)
    }
  }

  @Test func `a changed page has the checksum that belongs to it, and a damaged one has not`()
    throws
  {
    var page = try #require(OggPages.split(try sound("ogg")).first)
    OggPage.change(&page, serial: [1, 2, 3, 4], isLast: true)
    page.withUnsafeBufferPointer { bytes in
      let found = OggPage(bytes)
      #expect(
        found?.serial == 0x0403_0201 && found?.isLast == true && found?.isWhole(bytes) == true)
    }
    for place in [5, 10, 22, 27, page.count - 1] {
      var damaged = page
      damaged[place] ^= 1
      damaged.withUnsafeBufferPointer { bytes in
        #expect(OggPage(bytes)?.isWhole(bytes) != true)
      }
    }
    for count in 0..<page.count {
      page[..<count].withUnsafeBufferPointer { #expect(OggPage($0) == nil) }
    }
  }

  @Test func `the length in FLAC's header is replaced, and nothing else`() throws {
    let bytes = try sound("flac", frameCount: 5000)
    let header = try FLACHeader(HeaderBytes(bytes))
    #expect(header.info.sampleCount == 5000)
    #expect(header.info.channelCount == 2 && header.info.bitsPerSample == 16)
    for count in [0, 5000, 1 << 32, 1 << 36 - 1] {
      let patch = header.patch(frameCount: count)
      var changed = bytes
      changed.replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
      #expect(FLACHeader(start: changed)?.info.sampleCount == count)
      if count == 5000 { #expect(changed == bytes) }
    }
    bytes[header.audioOffset...].withUnsafeBufferPointer { frame in
      #expect(FLACFrameHeader(frame)?.start(in: header.info) == 0)
    }
  }

  @Test func `tags at the end of FLAC are not part of its last frame`() throws {
    let bytes = try sound("flac", frameCount: 9000)
    func mark(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8)
        + [2000, 40 + 32, 1, flags].flatMap { FilePatch.little(0, $0, 4).bytes }
        + [UInt8](repeating: 0, count: 8)
    }
    let item = [UInt8](repeating: 0x41, count: 40)
    let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    for (name, tag) in [
      ("ID3v1", old), ("APE", item + mark(0)),
      ("APE with a header", mark(Int(UInt32(0xa000_0000))) + item + mark(0x8000_0000)),
      ("APE, then ID3v1", item + mark(0) + old),
    ] {
      #expect(AppendedTag.byteCount(atEndOf: bytes + tag) == tag.count, "\(name)")
      let path = folder.write("tagged.flac", bytes + tag)
      let descriptor = open(path, O_RDONLY)
      defer { close(descriptor) }
      let tail = try #require(FileBytes(descriptor).flatMap { FLACTail($0) })
      #expect(tail.byteCount == bytes.count && tail.frameCount == 9000, "\(name)")
    }
  }

  @Test func `a frame in ADTS is recognized by all its fields`() {
    // AAC LC, 44.1 kHz, stereo, 371 bytes.
    let frame: [UInt8] = [0xff, 0xf1, 0x50, 0x80, 0x2e, 0x7f, 0xfc]
    let header = ADTSHeader(frame)
    #expect(header?.sampleRate == 44100 && header?.channelCount == 2)
    #expect(header?.byteCount == 371 && header?.frameCount == 1024)
    // MPEG audio, and a rate that is not assigned.
    for (place, byte) in [(1, UInt8(0xfb)), (2, 0x74)] {
      var other = frame
      other[place] = byte
      #expect(!ADTSHeader.mayBegin(other))
    }
  }
}
