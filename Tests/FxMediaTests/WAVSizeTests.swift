import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

/// WAV headers whose size is smaller than the sound.
struct WAVSizeTests {
  private let folder = TemporaryFolder()
  /// Three seconds.
  private let frameCount = 24000

  private func samples(_ count: Int) -> [UInt8] {
    (0..<count * 2).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
  }

  private func wave(
    _ id: String = "RIFF", riff: Int, data: Int, ds64: [Int]? = nil, _ more: [UInt8] = []
  ) -> String {
    func number(_ value: Int, _ width: Int) -> [UInt8] { FilePatch.little(0, value, width).bytes }
    var bytes = Array(id.utf8) + number(riff, 4) + Array("WAVE".utf8)
    if let ds64 {
      bytes += Array("ds64".utf8) + number(28, 4) + ds64.flatMap { number($0, 8) } + number(0, 4)
    }
    bytes += Array("fmt ".utf8) + number(16, 4) + number(1, 2) + number(1, 2) + number(8000, 4)
    bytes += number(16000, 4) + number(2, 2) + number(16, 2)
    bytes += Array("data".utf8) + number(data, 4) + more
    return folder.write("a.wav", bytes)
  }

  private func expectWhole(_ path: String, _ start: String) throws {
    let source = try FileSource.open(path)
    #expect(source.frameCount == frameCount)
    #expect(source.warnings == ["\(start); reading to the end of the file, 3.00 s"])
    #expect(try readAll(source)[0].count == frameCount)
    try source.seek(toFrame: 23000)
    #expect(try readAll(source)[0].count == 1000)
  }

  @Test func `a size of 0 is read to the end of the file`() throws {
    try expectWhole(
      wave(riff: 36, data: 0, samples(frameCount)),
      "the header says that there is no sound, as that of a recording that was cut short")
    try expectWhole(
      wave("RF64", riff: 0xffff_ffff, data: 0xffff_ffff, ds64: [0, 0, 0], samples(frameCount)),
      "the header says that there is no sound, as that of a recording that was cut short")
  }

  @Test(arguments: [0xffff_ffff, 0x7fff_ff00])
  func `a size that its writer did not know is not reported as truncated`(_ size: Int) throws {
    try expectWhole(
      wave(riff: 0xffff_ffff, data: size, samples(frameCount)),
      "the header does not say how long the sound is")
  }

  @Test func `BW64 is read as RF64 is`() throws {
    let sizes = [72 + 2 * frameCount, 2 * frameCount, frameCount]
    let path = wave(
      "BW64", riff: 0xffff_ffff, data: 0xffff_ffff, ds64: sizes, samples(frameCount))
    let source = try FileSource.open(path)
    #expect(source.frameCount == frameCount)
    #expect(source.warnings == [])
    let sound = try readAll(source)
    let same = wave(
      "RF64", riff: 0xffff_ffff, data: 0xffff_ffff, ds64: sizes, samples(frameCount))
    #expect(try sound == readAll(FileSource.open(same)))
    try expectWhole(
      wave("BW64", riff: 0xffff_ffff, data: 0xffff_ffff, ds64: [0, 0, 0], samples(frameCount)),
      "the header says that there is no sound, as that of a recording that was cut short")
  }

  @Test func `a header with an outdated size is not trusted`() throws {
    try expectWhole(
      wave(riff: 36 + 16000, data: 16000, samples(frameCount)),
      "the sound goes on behind the 1.00 s that the header says")
    try expectWhole(
      wave(
        "RF64", riff: 0xffff_ffff, data: 0xffff_ffff, ds64: [72 + 16000, 16000, 8000],
        samples(frameCount)),
      "the sound goes on behind the 1.00 s that the header says")
  }

  @Test func `chunks that the header places after the sound are not read as sound`() throws {
    let list = Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
    let tag = Array("TAG".utf8) + [UInt8](repeating: 65, count: 125)
    for (data, more) in [
      (0, list), (16000, samples(8000) + list), (16000, samples(8000) + tag),
      (16000, samples(8000) + [UInt8](repeating: 0, count: 512)),
    ] {
      let source = try FileSource.open(wave(riff: 36 + data + more.count, data: data, more))
      #expect(source.frameCount == data / 2)
      #expect(source.warnings == [])
    }
  }

  @Test func `more than 4 GB after a plain header are read`() throws {
    let path = wave(riff: 36, data: 0)
    let frames = 2_500_000_000
    #expect(truncate(path, off_t(44 + frames * 2)) == 0)
    let source = try FileSource.open(path)
    #expect(source.frameCount == frames)
    try source.seek(toFrame: frames - 1000)
    #expect(try readAll(source)[0].count == 1000)
    #expect(source.warnings.first?.contains("reading to the end of the file") == true)
  }

  @Test(arguments: ["aiff", "w64", "au"])
  func `other formats with a size of 0 are read to their end too`(_ end: String) throws {
    let path = folder.file("b.\(end)")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 48000, channelCount: 2),
      encoding: FileEncoding(depth: .int16))
    try writeAll(tones([440, 550], frameCount: 4800), to: sink)
    try sink.finish()
    let descriptor = open(path, O_RDWR)
    let layout = try #require(FileBytes(descriptor).flatMap { SoundLayout($0) })
    for patch in layout.patches(0) { #expect(patch.write(to: descriptor)) }
    close(descriptor)
    let source = try FileSource.open(path)
    #expect(try readAll(source)[0].count == 4800)
    #expect(source.warnings.first?.contains("the header says that there is no sound") == true)
  }

  @Test func `a file of empty chunks is refused at once`() {
    let path = folder.write(
      "a.wav",
      Array("RIFF".utf8) + [0, 0, 0, 1] + Array("WAVE".utf8) + [UInt8](repeating: 0, count: 8 << 20)
    )
    let start = ContinuousClock.now
    let error = ioError { _ = try FileSource.open(path) }
    #expect(error?.message.hasPrefix("no sound within the first 4096 chunks of the file") == true)
    #expect(ContinuousClock.now - start < .seconds(3))
  }
}
