import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

struct MPEGSourceTests {
  static let hasPlayer = system("command -v mpg123 >/dev/null 2>&1") == 0

  @Test func `the encoder's delay and padding are gone`() throws {
    let source = try FileSource.open(Fixture.audio("voice.mp3"))
    #expect(source.format == StreamFormat(sampleRate: 44100, channelCount: 2))
    #expect(source.frameCount == 555_660)
    #expect(source.warnings == [])
  }

  @Test(
    .enabled(if: hasPlayer, "mpg123 is not installed"),
    arguments: ["voice.mp3", "mono-vbr.mp3", "no-tag.mp3", "free-format.mp3"])
  func `decoding to 16 bits equals what mpg123 writes`(_ name: String) throws {
    let folder = TemporaryFolder()
    #expect(system("mpg123 -q -w '\(folder.file("theirs.wav"))' '\(Fixture.audio(name))'") == 0)
    let theirs = try readAll(try FileSource.open(folder.file("theirs.wav")))
    let ours = try readAll(try FileSource.open(Fixture.audio(name)))
    #expect(ours.count == theirs.count)
    #expect(ours[0].count == theirs[0].count)
    var worst: Float = 0
    for (mine, reference) in zip(ours, theirs) {
      for (a, b) in zip(mine, reference) {
        worst = max(worst, abs((a * 32768).rounded(.toNearestOrEven) - b * 32768))
      }
    }
    #expect(worst <= 1)
  }

  @Test(arguments: ["mono-vbr.mp3", "no-tag.mp3", "free-format.mp3"])
  func `the length is known beforehand and kept`(_ name: String) throws {
    let source = try FileSource.open(Fixture.audio(name))
    let promised = source.frameCount
    #expect(try readAll(source)[0].count == promised)
    #expect(source.warnings == [])
  }

  @Test func `a tag with a large picture in front changes nothing`() throws {
    let folder = TemporaryFolder()
    let size = 3_000_000
    let tag: [UInt8] =
      Array("ID3".utf8) + [3, 0, 0]
      + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7f) }
    // Bytes that look like frame headers here and there.
    let picture = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 509 == 0 ? 0xff : $0 &* 31) }
    let path = folder.write("cover.mp3", tag + picture + contents(Fixture.audio("mono-vbr.mp3")))
    let plain = try readAll(try FileSource.open(Fixture.audio("mono-vbr.mp3")))
    #expect(try readAll(try FileSource.open(path)) == plain)
  }

  @Test func `seeking gives the same samples as playing there`() throws {
    let all = try readAll(try FileSource.open(Fixture.audio("mono-vbr.mp3")))[0]
    let source = try FileSource.open(Fixture.audio("mono-vbr.mp3"))
    for frame in [20000, 1, 12345, 0] {
      try source.seek(toFrame: frame)
      let part = try readAll(source)[0]
      #expect(part.count == all.count - frame)
      #expect(part.elementsEqual(all[frame...]), "from \(frame)")
    }
  }

  @Test func `a truncated file gives its remaining frames with a warning`() throws {
    let folder = TemporaryFolder()
    let whole = contents(Fixture.audio("mono-vbr.mp3"))
    let path = folder.write("cut.mp3", Array(whole[0..<(whole.count / 2)]))
    let source = try FileSource.open(path)
    let promised = source.frameCount
    let sound = try readAll(source)[0]
    #expect(sound.count > 10000)
    #expect(sound.count == promised)
    #expect(source.warnings.count == 1)
    #expect(source.warnings.first?.hasPrefix("truncated: only 50") == true)
    let reference = try readAll(try FileSource.open(Fixture.audio("mono-vbr.mp3")))[0]
    #expect(sound == Array(reference[0..<sound.count]))
  }

  @Test func `damage in the middle is skipped`() throws {
    let folder = TemporaryFolder()
    var bytes = contents(Fixture.audio("no-tag.mp3"))
    for index in 2000..<3000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 7) }
    let path = folder.write("damaged.mp3", bytes)
    let sound = try readAll(try FileSource.open(path))
    #expect(sound[0].count > 15000)
    #expect(sound[0].allSatisfy { $0.isFinite })
  }

  @Test func `the name of a file does not decide its format`() throws {
    let folder = TemporaryFolder()
    let path = folder.write("really-mp3.wav", contents(Fixture.audio("mono-vbr.mp3")))
    #expect(try FileSource.open(path).format.sampleRate == 22050)
  }
}
