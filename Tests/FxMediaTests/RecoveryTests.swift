import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

/// Files whose writer was killed or had no space left.
struct RecoveryTests {
  private let folder = TemporaryFolder()
  private let stereo = StreamFormat(sampleRate: 48000, channelCount: 2)
  static let formats = ["wav", "flac", "aiff", "caf", "w64", "rf64", "au", "ogg", "opus"]

  private func whole(_ end: String, frameCount: Int = 48000) throws -> [UInt8] {
    let path = folder.file("whole.\(end)")
    let sink = try FileSink.create(path, format: stereo, encoding: FileEncoding(depth: .int16))
    try writeAll(noise(frameCount), to: sink)
    try sink.finish()
    defer { unlink(path) }
    return contents(path)
  }

  /// Noise, which no encoder compresses much.
  private func noise(_ frameCount: Int) -> [[Float]] {
    var seed: UInt32 = 7
    return (0..<2).map { _ in
      (0..<frameCount).map { _ in
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: seed)) / 4_294_967_296
      }
    }
  }

  /// No process has this number.
  private func leave(_ bytes: [UInt8], as name: String) {
    folder.write(".\(name).4194999", bytes)
  }

  @Test(arguments: formats, [0.4, 0.61803, 0.93])
  func `the frames of a killed process are kept, with a header that has their length`(
    _ end: String, _ share: Double
  ) throws {
    let bytes = try whole(end)
    let complete = try readAll(try FileSource.open(folder.write("a.\(end)", bytes)))
    leave(Array(bytes.prefix(Int(Double(bytes.count) * share))), as: "take.\(end)")
    let kept = FileSink.recover(folder.file("take.\(end)"))
    #expect(kept.map(\.path) == [folder.file("take.partial.\(end)")])
    #expect(folder.names == ["a.\(end)", "take.partial.\(end)"])
    let source = try FileSource.open(folder.file("take.partial.\(end)"))
    let frames = Int(((kept.first?.seconds ?? nil) ?? 0) * 48000 + 0.5)
    #expect(source.frameCount == frames)
    let sound = try readAll(source)
    #expect(source.warnings == [])
    #expect(sound[0].count == frames)
    #expect(frames > Int(Double(complete[0].count) * share) - 12000)
    // The last packets of a lossy encoder overlap.
    let same = end == "ogg" || end == "opus" ? max(frames - 5000, 0) : frames
    #expect(Array(sound[1].prefix(same)) == Array(complete[1].prefix(same)))
  }

  @Test(arguments: formats)
  func `a file can be read while it is written, up to the last half second`(_ end: String) throws {
    let sink = try FileSink.create(
      folder.file("take.\(end)"), format: stereo, encoding: FileEncoding(depth: .int16),
      isRecording: true)
    let sound = noise(48000)
    try writeAll(sound, to: sink)
    usleep(600_000)
    try writeAll(sound.map { Array($0.prefix(500)) }, to: sink)
    let hidden = try #require(folder.names.first { $0.hasPrefix(".take") })
    let source = try FileSource.open(folder.file(hidden))
    #expect(try readAll(source)[0].count > 40000)
    if !["flac", "ogg", "opus"].contains(end) { #expect(source.frameCount == 48500) }
    try sink.finish()
    let plain = try FileSink.create(
      folder.file("plain.\(end)"), format: stereo, encoding: FileEncoding(depth: .int16))
    try writeAll(sound.map { $0 + $0.prefix(500) }, to: plain)
    try plain.finish()
    if end == "ogg" || end == "opus" {
      // Each stream has a number of its own.
      #expect(try FileSource.open(folder.file("take.\(end)")).frameCount == 48500)
    } else {
      #expect(contents(folder.file("take.\(end)")) == contents(folder.file("plain.\(end)")))
    }
  }

  @Test func `no partial file is ever replaced by another`() throws {
    let bytes = try whole("wav")
    folder.write("take.partial.wav", [1, 2, 3])
    leave(bytes, as: "take.wav")
    #expect(
      FileSink.recover(folder.file("take.wav")).map(\.path) == [
        folder.file("take.partial-2.wav")
      ])
    let sink = try FileSink.create(folder.file("take.wav"), format: stereo)
    try writeAll(tones([440, 550], frameCount: 100), to: sink)
    #expect(try sink.abandon(keepingPartial: true) == folder.file("take.partial-3.wav"))
    #expect(contents(folder.file("take.partial.wav")) == [1, 2, 3])
  }

  @Test func `a file without sound is removed, and an unknown file is kept`() throws {
    let bytes = try whole("wav")
    leave(Array(bytes.prefix(60)), as: "take.wav")
    #expect(FileSink.recover(folder.file("take.wav")).isEmpty)
    #expect(folder.names == [])
    leave(Array(repeating: 0x55, count: 5000), as: "take.wav")
    let kept = FileSink.recover(folder.file("take.wav"))
    #expect(kept.count == 1)
    #expect(kept.first?.seconds == .some(nil))
    #expect(folder.names == ["take.partial.wav"])
  }

  @Test func `a file that another process may still write stays as it is`() throws {
    let bytes = try whole("wav")
    leave(bytes, as: "take.wav")
    let held = open(folder.file(".take.wav.4194999"), O_RDONLY)
    flock(held, LOCK_SH)
    #expect(FileSink.recover(folder.file("take.wav")).isEmpty)
    close(held)
    // The number of a running process, on a file that was written just now, and long ago.
    rename(folder.file(".take.wav.4194999"), folder.file(".take.wav.1"))
    #expect(FileSink.recover(folder.file("take.wav")).isEmpty)
    #expect(system("touch -d '2020-01-01' '\(folder.file(".take.wav.1"))'") == 0)
    #expect(FileSink.recover(folder.file("take.wav")).count == 1)
  }

  @Test func `the longest name has a partial name too`() throws {
    let name = String(repeating: "ä", count: 125) + ".wav"
    for length in [20, 125] {
      let path = folder.file(String(name.suffix(length + 4)))
      let sink = try FileSink.create(path, format: stereo)
      try writeAll(tones([440, 550], frameCount: 100), to: sink)
      let partial = try #require(try sink.abandon(keepingPartial: true))
      #expect(partial.hasSuffix("ä.partial.wav"))
      #expect(try FileSource.open(partial).frameCount == 100)
    }
  }

  @Test(arguments: formats)
  func `a damaged header does not prevent the recovery of other files`(_ end: String) throws {
    let bytes = try whole(end, frameCount: 5000)
    var seed: UInt64 = 4711
    func random(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0..<(1 + random(6)) {
        damaged[random(min(120, bytes.count))] =
          [0, 0x7f, 0x80, 0xff, UInt8(random(256))][random(5)]
      }
      leave(Array(damaged.prefix(bytes.count - random(2000))), as: "take.\(end)")
      for file in FileSink.recover(folder.file("take.\(end)")) {
        _ = try? readAll(try FileSource.open(file.path))
        unlink(file.path)
      }
      #expect(folder.names == [])
    }
  }
}
