import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

struct ShapedSinkTests {
  private let format = StreamFormat(sampleRate: 1000, channelCount: 2)

  private func shaped(_ sound: [[Float]], _ shape: OutputShape, block: Int) throws -> [[Float]] {
    let sink = ArraySink(format)
    let shaped = try ShapedSink(sink, shape)
    try writeAll(sound, to: shaped, block: block)
    try shaped.finish()
    #expect(sink.isFinished)
    return sink.channels
  }

  /// Frame k of a fade of n frames is at (k + 1) / (n + 1) of the way.
  private func reference(_ sound: [Float], _ shape: OutputShape) -> [Float] {
    let total = sound.count
    let fadeIn = Int(shape.fadeIn * 1000)
    let fadeOut = min(Int(shape.fadeOut * 1000), total)
    let faded = sound.enumerated().map { frame, sample -> Float in
      var level = 1.0
      if frame < fadeIn { level *= Double(frame + 1) / Double(fadeIn + 1) }
      if total - frame <= fadeOut { level *= Double(total - frame) / Double(fadeOut + 1) }
      return sample * Float(level)
    }
    return Array(repeating: 0, count: Int(shape.padStart * 1000)) + faded
      + Array(repeating: 0, count: Int(shape.padEnd * 1000))
  }

  @Test(arguments: [
    OutputShape(fadeIn: 0.5), OutputShape(fadeOut: 3), OutputShape(padStart: 1, padEnd: 0.25),
    OutputShape(fadeIn: 7, fadeOut: 7.5, padStart: 0.001, padEnd: 9),
    OutputShape(fadeIn: 20, fadeOut: 30),
  ])
  func `fades and silence follow their formulas, for every block size`(
    _ shape: OutputShape
  ) throws {
    for count in [1, 100, 9000] {
      let sound = (0..<2).map { Signal.noise(count, seed: UInt64($0)) }
      for block in [1, 777, 20000] where count / block < 1000 {
        #expect(
          try shaped(sound, shape, block: block) == sound.map { reference($0, shape) },
          "\(count) \(block)")
      }
    }
  }

  @Test func `an empty sound gets its added silence`() throws {
    let sound = try shaped([[], []], OutputShape(fadeOut: 1, padStart: 1, padEnd: 2), block: 10)
    #expect(sound == [[Float]](repeating: Array(repeating: 0, count: 3000), count: 2))
  }

  @Test func `a recording that is abandoned keeps the buffered frames`() throws {
    let sink = ArraySink(format)
    let shaped = try ShapedSink(sink, OutputShape(fadeOut: 5))
    let sound = (0..<2).map { Signal.noise(7000, seed: UInt64($0)) }
    try writeAll(sound, to: shaped)
    #expect(sink.channels[0].count == 2000)
    #expect(try shaped.abandon(keepingPartial: true) == "array.partial")
    #expect(sink.channels == sound)
  }

  @Test func `a fade that takes too much memory is refused`() {
    let wide = ArraySink(StreamFormat(sampleRate: 48000, channelCount: 200))
    #expect(
      ioError { _ = try ShapedSink(wide, OutputShape(fadeOut: 300)) }?.code == .outOfMemory)
  }
}
