import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

struct FileRoundTripTests {
  /// Lossless formats with a header.
  static let lossless = FileFormat.allCases.filter { !$0.isLossy && $0 != .raw }

  /// Values that 16 bits hold exactly, full scale included.
  private let steps: [[Float]] = [
    (0..<3000).map { Float(($0 * 37) % 65536 - 32768) / 32768 },
    (0..<3000).map { Float(32767 - ($0 * 91) % 65536) / 32768 },
  ]

  @Test(arguments: lossless, FileEncoding.Depth.allCases)
  func `samples that a file format can hold come back bit for bit`(
    _ format: FileFormat, _ depth: FileEncoding.Depth
  ) throws {
    guard format.code(depth) != nil else { return }
    // Steps of the depth's own size.
    let steps =
      depth == .int8 ? self.steps.map { $0.map { ($0 * 128).rounded(.down) / 128 } } : self.steps
    let folder = TemporaryFolder()
    let path = folder.file("a.\(format.rawValue)")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 44100, channelCount: 2),
      encoding: FileEncoding(depth: depth, isDithered: false))
    try writeAll(steps, to: sink)
    try sink.finish()
    let source = try FileSource.open(path)
    #expect(source.format == StreamFormat(sampleRate: 44100, channelCount: 2))
    #expect(source.frameCount == 3000)
    #expect(source.warnings == [])
    #expect(try readAll(source) == steps)
    #expect(folder.names == ["a.\(format.rawValue)"])
  }

  @Test(arguments: [FileFormat.ogg, .opus, .mp3])
  func `a lossy format comes back in full length and nearly the same`(
    _ format: FileFormat
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.\(format.rawValue)")
    let sound = tones([440, 660], frameCount: 24000, sampleRate: 48000)
    let sink = try FileSink.create(path, format: StreamFormat(sampleRate: 48000, channelCount: 2))
    try writeAll(sound, to: sink)
    try sink.finish()
    let back = try readAll(try FileSource.open(path))
    #expect(abs((back.first?.count ?? 0) - 24000) <= 960)
    let error = zip(back[0][4000..<20000], sound[0][4000..<20000]).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 0.05)
  }

  @Test func `floats keep every bit, beyond full scale too`() throws {
    let folder = TemporaryFolder()
    let sound: [[Float]] = [[0, -0.0, 1e-20, 3.75, -2, .leastNonzeroMagnitude, 0.1]]
    let sink = try FileSink.create(
      folder.file("a.wav"), format: StreamFormat(sampleRate: 96000, channelCount: 1))
    try writeAll(sound, to: sink)
    try sink.finish()
    let back = try readAll(try FileSource.open(folder.file("a.wav")))
    #expect(back[0].map(\.bitPattern) == sound[0].map(\.bitPattern))
    #expect(sink.statistics.peak == 3.75)
    #expect(sink.statistics.clippedSampleCount == 2)
  }

  @Test func `integer samples clip, and NaN becomes silence`() throws {
    let folder = TemporaryFolder()
    let sound: [[Float]] = [[1.5, -1.5, .nan, .infinity, -.infinity, 1, -1, 0.5]]
    for (depth, top) in [
      (FileEncoding.Depth.int8, 127.0 / 128), (.int16, 32767.0 / 32768),
      (.int24, 8388607.0 / 8388608),
    ] {
      let path = folder.file("a\(depth.bits).wav")
      let sink = try FileSink.create(
        path, format: StreamFormat(sampleRate: 44100, channelCount: 1),
        encoding: FileEncoding(depth: depth, isDithered: false))
      try writeAll(sound, to: sink)
      try sink.finish()
      let high = Float(top)
      #expect(try readAll(try FileSource.open(path))[0] == [high, -1, 0, high, -1, high, -1, 0.5])
      #expect(sink.statistics.clippedSampleCount == 2)
      #expect(sink.statistics.nonFiniteSampleCount == 3)
      #expect(sink.statistics.peak == 1.5)
    }
  }

  @Test func `dither is the same every time, at most a step and a half, and free of bias`() throws {
    let folder = TemporaryFolder()
    let quiet: [[Float]] = [Array(repeating: 0.3 / 32768, count: 40000)]
    var files: [[UInt8]] = []
    for name in ["a.wav", "b.wav"] {
      let sink = try FileSink.create(
        folder.file(name), format: StreamFormat(sampleRate: 44100, channelCount: 1),
        encoding: FileEncoding(depth: .int16))
      try writeAll(quiet, to: sink, block: name == "a.wav" ? 777 : 64)
      try sink.finish()
      files.append(contents(folder.file(name)))
    }
    #expect(files[0] == files[1])
    let steps = try readAll(try FileSource.open(folder.file("a.wav")))[0].map { $0 * 32768 }
    #expect(steps.allSatisfy { abs($0) <= 1 })
    let mean = steps.reduce(0, +) / Float(steps.count)
    #expect(abs(mean - 0.3) < 0.015)
    // Without dither all of it would round to silence.
    let squares: [Float] = steps.map { ($0 - mean) * ($0 - mean) }
    let variance = squares.reduce(0, +) / Float(steps.count)
    #expect(abs(variance - 0.25) < 0.02)
  }

  @Test func `many channels and odd byte counts come back`() throws {
    let folder = TemporaryFolder()
    for width in [1, 3, 6, 8] {
      let sound: [[Float]] = (0..<width).map { channel in
        (0..<333).map { frame in
          let step = frame * (channel + 3) % 256
          return Float(step - 128) / 128
        }
      }
      let path = folder.file("\(width).wav")
      let sink = try FileSink.create(
        path, format: StreamFormat(sampleRate: 8000, channelCount: width),
        encoding: FileEncoding(depth: .int24))
      try writeAll(sound, to: sink)
      try sink.finish()
      #expect(try readAll(try FileSource.open(path)) == sound)
    }
  }

  @Test func `a file of a known short length has the shortest WAV header`() throws {
    let folder = TemporaryFolder()
    let sink = try FileSink.create(
      folder.file("a.wav"), format: StreamFormat(sampleRate: 44100, channelCount: 1),
      encoding: FileEncoding(depth: .int16), expectedFrameCount: 10)
    try writeAll([Array(repeating: 0.25, count: 10)], to: sink)
    try sink.finish()
    #expect(contents(folder.file("a.wav")).count == 44 + 20)
  }

  @Test func `seeking lands on the frame`() throws {
    let folder = TemporaryFolder()
    for name in ["a.wav", "a.flac"] {
      let sink = try FileSink.create(
        folder.file(name), format: StreamFormat(sampleRate: 44100, channelCount: 2),
        encoding: FileEncoding(depth: .int16, isDithered: false))
      try writeAll(steps, to: sink)
      try sink.finish()
      let source = try FileSource.open(folder.file(name))
      try source.seek(toFrame: 1234)
      #expect(try readAll(source)[1] == Array(steps[1][1234...]))
      let range = try RangedSource(try FileSource.open(folder.file(name)), start: 100, duration: 50)
      #expect(range.frameCount == 50)
      #expect(try readAll(range)[0] == Array(steps[0][100..<150]))
      let behind = ioError {
        _ = try RangedSource(try FileSource.open(folder.file(name)), start: 3000)
      }
      #expect(behind?.code == .outOfRange)
    }
  }
}
