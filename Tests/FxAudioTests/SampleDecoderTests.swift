@testable import FxAudio
import FxTestSupport
import Testing

@Suite struct SampleDecoderTests {
  @Test(arguments: [
    SampleLayout.int16, .int24Packed, .int24Low, .int24High, .int32, .float32,
  ])
  func `what is encoded for a device is decoded to the same`(_ layout: SampleLayout) {
    // Steps of a 16-bit sample are exact in every layout.
    let sound: [[Float]] = (0..<2).map { channel in
      (0..<65).map { Float(($0 - 32) * 1024 * (1 - 2 * channel)) / 32768 }
    }
    let frames = encode(sound, layout)
    let decoded = decode(frames, layout, channelCount: 2, width: 2, frameCount: 65)
    // Only full scale itself is beyond what whole numbers hold.
    #expect(decoded[0][0..<64] == sound[0][0..<64])
    #expect(decoded[1][1...] == sound[1][1...])
    #expect(largestDifference(decoded, sound) <= 1.0 / 32768)
  }

  @Test func `a mono device feeds every channel, missing channels are silent`() {
    let mono = decode(
      encode([[0.5, -0.25]], .int16), .int16, channelCount: 1, width: 2, frameCount: 2)
    #expect(mono == [[0.5, -0.25], [0.5, -0.25]])
    let stereo = decode(
      encode([[0.5], [0.25]], .int16), .int16, channelCount: 2, width: 3, frameCount: 1)
    #expect(stereo == [[0.5], [0.25], [0]])
    let first = decode(
      encode([[0.5], [0.25]], .int16), .int16, channelCount: 2, width: 1, frameCount: 1)
    #expect(first == [[0.5]])
  }

  @Test func `samples that are no number become silence`() {
    let frames: [Float] = [.nan, .infinity, -.infinity, 0.5]
    let bytes = frames.withUnsafeBytes { Array($0) }
    #expect(
      decode(bytes, .float32, channelCount: 1, width: 1, frameCount: 4) == [[0, 0, 0, 0.5]])
  }

  @Test(arguments: [StoredSample.int16, .int24Packed], [1, 2])
  func `every count of frames from every place is decoded to its exact values`(
    _ sample: StoredSample, _ channelCount: Int
  ) {
    var random = SeededRandom(7)
    for frameCount in 0...40 {
      let byteCount = frameCount * channelCount * sample.byteCount
      var bytes = (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // The largest and the smallest number.
      let ends: [UInt8] =
        sample == .int16 ? [0xff, 0x7f, 0, 0x80] : [0xff, 0xff, 0x7f, 0, 0, 0x80]
      if byteCount >= ends.count { bytes.replaceSubrange(0..<ends.count, with: ends) }
      let expected = (0..<channelCount).map { channel in
        (0..<frameCount).map { frame in
          let start = (frame * channelCount + channel) * sample.byteCount
          let place = bytes[start..<start + sample.byteCount]
          let whole = place.reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
          let shift = Int32(32 - 8 * sample.byteCount)
          return Float(Double((whole << shift) >> shift) / Double(1 << (8 * sample.byteCount - 1)))
        }
      }
      let buffer = PlanarBuffer(channelCount: channelCount, frameCount: frameCount + 5)
      // Exactly so many bytes, so that a tool that watches memory sees one that is read behind them.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: 1)
      defer { memory.deallocate() }
      memory.copyMemory(from: bytes, byteCount: byteCount)
      SampleDecoder(sample, channelCount: channelCount, silencesNonFinite: false)
        .decode(
          memory, frameCount: frameCount, into: buffer.channels, width: channelCount, offset: 3)
      for channel in 0..<channelCount {
        #expect((0..<frameCount).map { buffer[channel][$0 + 3] } == expected[channel])
        #expect(buffer[channel][0] == 0 && buffer[channel][2] == 0)
        #expect(buffer[channel][frameCount + 3] == 0 && buffer[channel][frameCount + 4] == 0)
      }
    }
  }

  @Test func `samples of files have the same scale in every width`() {
    let half: [(StoredSample, [UInt8])] = [
      (.uint8, [192]), (.int16, [0, 64]), (.int24Packed, [0, 0, 64]), (.int32, [0, 0, 0, 64]),
      (.float32, withUnsafeBytes(of: Float(0.5)) { Array($0) }),
      (.float64, withUnsafeBytes(of: 0.5) { Array($0) }),
    ]
    for (sample, bytes) in half {
      #expect(bytes.count == sample.byteCount)
      let buffer = PlanarBuffer(channelCount: 1, frameCount: 1)
      bytes.withUnsafeBytes { raw in
        guard let base = raw.baseAddress else { return }
        SampleDecoder(sample, channelCount: 1, silencesNonFinite: false)
          .decode(base, frameCount: 1, into: buffer.channels, width: 1, offset: 0)
      }
      #expect(buffer[0][0] == 0.5)
    }
  }

  private func encode(_ sound: [[Float]], _ layout: SampleLayout) -> [UInt8] {
    let frameCount = sound[0].count
    let buffer = PlanarBuffer(channelCount: sound.count, frameCount: frameCount)
    for (channel, samples) in sound.enumerated() {
      for frame in 0..<frameCount { buffer[channel][frame] = samples[frame] }
    }
    var converter = SampleConverter(
      layout: layout, channelCount: sound.count, isDithered: false)
    var bytes = [UInt8](repeating: 0, count: frameCount * sound.count * layout.byteCount)
    bytes.withUnsafeMutableBytes { raw in
      guard let base = raw.baseAddress else { return }
      converter.convert(buffer.readable, frameCount: frameCount, to: base)
    }
    return bytes
  }

  private func decode(
    _ bytes: [UInt8], _ layout: SampleLayout, channelCount: Int, width: Int, frameCount: Int
  ) -> [[Float]] {
    let buffer = PlanarBuffer(channelCount: width, frameCount: frameCount)
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else { return }
      SampleDecoder(layout: layout, channelCount: channelCount)
        .decode(base, frameCount: frameCount, into: buffer.channels, width: width, offset: 0)
    }
    return (0..<width).map { channel in (0..<frameCount).map { buffer[channel][$0] } }
  }

  private func largestDifference(_ one: [[Float]], _ other: [[Float]]) -> Float {
    zip(one, other).flatMap { zip($0, $1).map { abs($0 - $1) } }.max() ?? 0
  }
}
