import Foundation
import FxAudio
import FxKit
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Bytes that are missing from a sound that a parser receives.
struct SoundHoleTests {
  /// The formats of the holes below, ten holes each.
  static let formats = ["a.mp3", "a.flac", "a.ogg", "a.opus"]
  private static let hasFFmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
  private static let samples: [[Float]] = {
    let count = 4 * 48000
    let noise = Signal.noise(count, seed: 5)
    let tone = tones([220, 1250], frameCount: count, sampleRate: 48000)[0]
    // Noise that comes and goes makes frames of different sizes.
    let left = (0..<count).map { (frame: Int) -> Float in
      let loudness = Float(frame % 9000) / 30000
      return tone[frame] * 0.3 + noise[frame] * loudness
    }
    return [
      left, zip(left, noise).map { (tone: Float, noise: Float) in tone * 0.7 + noise * 0.05 },
    ]
  }()
  /// Four seconds in each format.
  private static let sounds: [String: [UInt8]] = {
    let folder = TemporaryFolder()
    var sounds: [String: [UInt8]] = [:]
    for name in formats + ["a.wav", "a.au", "a.aiff", "a.w64", "a.aac"] {
      sounds[name] = try? encoded(name, in: folder)
    }
    return sounds
  }()

  private static func encoded(_ name: String, in folder: TemporaryFolder) throws -> [UInt8] {
    let path = folder.file(name)
    guard name != "a.aac" else {
      let program = Process()
      program.executableURL = URL(filePath: "/usr/bin/ffmpeg")
      program.arguments = ["-v", "error", "-i", folder.file("a.wav"), "-c:a", "aac", path]
      try program.run()
      program.waitUntilExit()
      return contents(path)
    }
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 48000, channelCount: 2),
      encoding: FileEncoding(depth: .int16, isDithered: false))
    try writeAll(samples, to: sink)
    try sink.finish()
    return contents(path)
  }

  private func bytes(_ name: String) throws -> [UInt8] { try #require(SoundHoleTests.sounds[name]) }

  struct Report {
    var offsets: [Int] = []
    var count = 0
    var frameCount = 0
  }

  /// The discontinuities that a parser reports for bytes in pieces.
  private func report(
    _ pieces: [ArraySlice<UInt8>], hole: Int? = nil, decodes: Bool, piece: Int = 4000
  ) throws -> Report {
    let parser = SoundParser(name: "holes", decodes: decodes)
    var report = Report()
    func take(_ event: SoundParser.Event) {
      if case .discontinuity(let offset) = event { report.offsets.append(offset) }
      if case .audio(_, let channels) = event { report.frameCount += channels[0].count }
    }
    for (index, part) in pieces.enumerated() {
      var isLate = index == hole
      for start in stride(from: part.startIndex, to: part.endIndex, by: piece) {
        let end = min(start + piece, part.endIndex)
        try parser.parse(Array(part[start..<end]), isDiscontinuous: isLate, take)
        isLate = false
      }
    }
    try parser.finish(take)
    report.count = parser.properties?.discontinuityCount ?? 0
    return report
  }

  /// Places of ten holes behind the header, and their lengths in bytes.
  private func holes(_ size: Int, seed: UInt64) -> [Range<Int>] {
    var state = seed
    return (0..<10).map { number in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let start = size / 10 + Int(state >> 33) % (size * 7 / 10)
      return start..<start + [5000, 700, 12000, 64, 3001][number % 5]
    }
  }

  @Test(arguments: formats, [true, false])
  func `each of 40 holes that nobody announces is reported once`(
    _ name: String, _ decodes: Bool
  ) throws {
    let bytes = try bytes(name)
    #expect(try report([bytes[...]], decodes: decodes).offsets == [])
    for (number, hole) in holes(bytes.count, seed: 3).enumerated() where !decodes || number % 3 == 0
    {
      let found = try report(
        [bytes[..<hole.lowerBound], bytes[hole.upperBound...]], decodes: decodes)
      #expect(found.offsets.count == 1 && found.count == 1, "\(name): \(hole), \(found)")
      guard let offset = found.offsets.first else { continue }
      // At most a page or a frame before the cut. A header of MPEG audio that happens to fit the bytes behind the hole is
      // only found by counting frames at the end.
      let isAtEnd = name == "a.mp3" && offset == bytes.count - hole.count
      #expect(isAtEnd || abs(offset - hole.lowerBound) < 16000, "\(name): \(hole), \(offset)")
    }
  }

  @Test(.enabled(if: hasFFmpeg), arguments: ["a.aac"], [true, false])
  func `holes in AAC are reported if a frame is cut`(_ name: String, _ decodes: Bool) throws {
    let bytes = try bytes(name)
    #expect(try report([bytes[...]], decodes: false).offsets == [])
    for hole in holes(bytes.count, seed: 8).prefix(decodes ? 2 : 10) {
      let found = try report(
        [bytes[..<hole.lowerBound], bytes[hole.upperBound...]], decodes: decodes)
      #expect(found.offsets.count == 1 && found.count == 1, "\(hole), \(found)")
    }
  }

  @Test(arguments: ["a.wav", "a.au", "a.aiff", "a.w64"])
  func `a hole in samples is reported at the end, where bytes are missing`(_ name: String) throws {
    let bytes = try bytes(name)
    #expect(try report([bytes[...]], decodes: false).offsets == [])
    for hole in holes(bytes.count, seed: 9) {
      let found = try report(
        [bytes[..<hole.lowerBound], bytes[hole.upperBound...]], decodes: false)
      #expect(found.offsets == [bytes.count - hole.count] && found.count == 1, "\(hole), \(found)")
    }
  }

  @Test(arguments: formats + ["a.wav"] + (hasFFmpeg ? ["a.aac"] : []), [true, false])
  func `a hole that is announced is reported once, wherever it is`(
    _ name: String, _ decodes: Bool
  ) throws {
    let bytes = try bytes(name)
    for hole in holes(bytes.count, seed: 21).prefix(decodes ? 3 : 10) {
      let found = try report(
        [bytes[..<hole.lowerBound], bytes[hole.upperBound...]], hole: 1, decodes: decodes)
      #expect(found.offsets.count == 1 && found.count == 1, "\(name): \(hole), \(found)")
    }
  }

  @Test func `a hole of whole MPEG frames is found by the bit reservoir or the information frame`()
    throws
  {
    let bytes = try bytes("a.mp3")
    var offsets: [Int] = []
    let whole = SoundParser(name: "whole", decodes: false)
    try whole.parse(bytes) { if case .packet(let packet) = $0 { offsets.append(packet.offset) } }
    try whole.finish { _ in }
    for number in stride(from: 20, to: offsets.count - 40, by: 17) {
      let found = try report(
        [bytes[..<offsets[number]], bytes[offsets[number + 9]...]], decodes: false)
      #expect(found.offsets.count == 1 && found.count == 1, "\(number): \(found)")
    }
  }

  @Test func `samples behind an announced hole begin with its first byte`() throws {
    let bytes = try bytes("a.wav")
    // Three bytes of a frame of four, then bytes from another place.
    let cut = bytes.count - 4 * SoundHoleTests.samples[0].count + 4 * 10000
    let parser = SoundParser(name: "wav")
    var left: [Float] = []
    func take(_ event: SoundParser.Event) {
      if case .audio(_, let channels) = event { left += channels[0] }
    }
    try parser.parse(Array(bytes[..<(cut + 3)]), take)
    try parser.parse(Array(bytes[(cut + 4000)...]), isDiscontinuous: true, take)
    try parser.finish(take)
    var expected: [Float] = []
    let whole = SoundParser(name: "wav")
    func takeWhole(_ event: SoundParser.Event) {
      if case .audio(_, let channels) = event { expected += channels[0] }
    }
    try whole.parse(bytes, takeWhole)
    try whole.finish(takeWhole)
    let isSame = left == Array(expected[..<10000] + expected[11000...])
    #expect(isSame)
  }

  @Test func `an announced hole between whole packets is reported too`() throws {
    let bytes = contents(Fixture.audio("voice.mp3"))
    let found = try report([bytes[..<90000], bytes[90000...]], hole: 1, decodes: true)
    #expect(found.offsets.count == 1)
    let start = try report([bytes[...]], hole: 0, decodes: true)
    #expect(start.offsets == [])
  }
}
