import CKernels
@testable import FxAudio
import FxTestSupport
import Testing

/// Dither: what it is made of, and that nothing but the sample's number decides it.
struct DitherTests {
  /// Two channels as 16 bits from a number on, in pieces of a length.
  private func dithered(
    _ sound: [[Float]], from number: UInt64, piece: Int, level: Int32, step: Int = 2
  ) -> [Int16] {
    var target: [Int16] = []
    for start in stride(from: 0, to: sound[0].count, by: piece) {
      let count = min(piece, sound[0].count - start)
      var part = [Int16](repeating: 0, count: count * sound.count)
      let channels = sound.map { Array($0[start..<start + count]) }
      let memory = channels.map { channel in
        let copy = UnsafeMutablePointer<Float>.allocate(capacity: count)
        copy.initialize(from: channel, count: count)
        return copy
      }
      defer { memory.forEach { $0.deallocate() } }
      var table = memory.map { UnsafePointer($0) }
      fx_dither_16(
        level, &table, sound.count, count, number &+ UInt64(start * step), step, &part)
      target += part
    }
    return target
  }

  @Test func `noise is triangular, without bias, and unlike its neighbours`() {
    let noise = (0..<200_000).map { Double(fx_triangular(fx_dither_key(UInt64($0)))) / 32768 }
    let mean = noise.reduce(0, +) / Double(noise.count)
    let variance = noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)
    #expect(abs(mean) < 0.002)
    #expect(abs(variance - 1.0 / 6) < 0.002)
    #expect(noise.allSatisfy { abs($0) < 1 })
    for distance in [1, 2, 3, 64, 256] {
      let product = zip(noise, noise.dropFirst(distance)).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(abs(product / Double(noise.count)) < 0.002)
    }
  }

  @Test(arguments: [0, 12345, 0xffff_fe00, 0x2_ffff_ffff] as [UInt64])
  func `the bits depend on no block and no processor`(_ number: UInt64) {
    let sound = [Signal.noise(2000), Signal.noise(2000, seed: 2)]
    let whole = dithered(sound, from: number, piece: 2000, level: 0)
    for piece in [1, 7, 256] {
      #expect(dithered(sound, from: number, piece: piece, level: 1) == whole)
    }
    let mono = [sound[0]]
    #expect(
      dithered(mono, from: number, piece: 333, level: 1, step: 1)
        == dithered(mono, from: number, piece: 2000, level: 0, step: 1))
  }

  @Test func `what lies beyond full scale is clipped, and what is no number is silent`() {
    let sound: [Float] = [2, -2, .infinity, -.infinity, .nan, 1e30]
    let found = dithered([sound, sound], from: 0, piece: 6, level: 1)
    let silent = Array(found[8...9])
    #expect(Array(found[0...7]) == [32767, 32767, -32768, -32768, 32767, 32767, -32768, -32768])
    #expect(silent.allSatisfy { abs($0) <= 1 })
    #expect(Array(found[10...11]) == [32767, 32767])
  }

  @Test func `a mono sound is dithered alike on both sides`() {
    let sound = Signal.noise(300)
    let both = dithered([sound, sound], from: 9, piece: 300, level: 1, step: 1)
    let alone = dithered([sound], from: 9, piece: 300, level: 0, step: 1)
    #expect(both == alone.flatMap { [$0, $0] })
  }

  @Test func `quiet sounds keep their level on the mean`() {
    for level in [0.1, 0.5, -0.3] {
      let sound = [Float](repeating: Float(level / 32768), count: 60_000)
      let found = dithered([sound], from: 77, piece: 60_000, level: 1, step: 1)
      let mean = found.reduce(0.0) { $0 + Double($1) } / 60_000
      #expect(abs(mean - level) < 0.01)
    }
  }
}
