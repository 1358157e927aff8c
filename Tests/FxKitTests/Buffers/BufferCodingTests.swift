import FxKit
import FxTestSupport
import Testing

@Suite struct `A buffer` {
  private let stereo = SampleFormat(sampleRate: 48000, channels: 2)

  @Test(arguments: SampleCoding.allCases) func `keeps its samples in every coding`(
    coding: SampleCoding
  ) throws {
    // Multiples of a step of 16 bits, with both ends of the scale.
    let left: [Float] = [-1, -0.5, 0, 0.25, 1 - 1 / 32768]
    let buffer = try PCMBuffer([left, left.reversed()], format: stereo)
    let bytes = buffer.interleaved(as: coding)
    #expect(bytes.count == 10 * coding.byteCount)
    let read = try bytes.withUnsafeBytes {
      try PCMBuffer(interleaved: $0, as: coding, format: stereo)
    }
    #expect(read == buffer)
  }

  @Test func `is little-endian, and clips to full scale`() throws {
    let mono = SampleFormat(sampleRate: 48000, channels: 1)
    let buffer = try PCMBuffer([[0.5, 2, -2, .nan]], format: mono)
    #expect(buffer.interleaved(as: .int16) == [0, 0x40, 0xff, 0x7f, 0, 0x80, 0, 0])
    #expect(buffer.interleaved(as: .int24).prefix(3) == [0, 0, 0x40])
    #expect(buffer.interleaved(as: Int32.self) == [1 << 30, .max, .min, 0])
    #expect(buffer.interleaved(as: Float.self).prefix(3) == [0.5, 2, -2])
    #expect(try PCMBuffer(interleaved: [Int16.min, 0], format: mono).channels == [[-1, 0]])
  }

  @Test func `is dithered on request, always alike`() throws {
    let quiet = try PCMBuffer(
      [[Float](repeating: 0.4 / 32768, count: 48000)],
      format: SampleFormat(sampleRate: 48000, channels: 1))
    let dithered = quiet.interleaved(as: Int16.self, isDithered: true)
    #expect(quiet.interleaved(as: Int16.self).allSatisfy { $0 == 0 })
    #expect(dithered == quiet.interleaved(as: Int16.self, isDithered: true))
    let mean = Double(dithered.reduce(0) { $0 + Int($1) }) / 48000
    #expect(abs(mean - 0.4) < 0.02)
  }

  @Test func `refuses bytes that are not whole frames`() {
    #expect(throws: ChainFailure.self) {
      try PCMBuffer(interleaved: [Int16](repeating: 0, count: 3), format: stereo)
    }
  }

  @Test func `is read from a file, at any rate`() throws {
    let folder = TemporaryFolder()
    let sound = (0..<4410).map { Float($0 % 100) / 200 }
    let file = try folder.writeSound("saw.wav", sound, rate: 44100)
    let buffer = try PCMBuffer(contentsOfFile: file)
    #expect(buffer.format.sampleRate == 44100)
    #expect(buffer.channels[0].count == 4410)
    #expect(try PCMBuffer(contentsOfFile: file, sampleRate: 48000).frameCount == 4800)
    #expect(throws: ChainFailure.self) { try PCMBuffer(contentsOfFile: folder.path + "/none.wav") }
    #expect(throws: ChainFailure.self) { try PCMBuffer(contentsOfFile: file, sampleRate: 0) }
  }
}
