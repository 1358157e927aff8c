import FxAudio
@testable import FxUnits
import Testing

@Suite struct `The transform of real samples` {
  private func spectrum(
    _ samples: [Float], vectorLevel: Int? = nil
  ) -> (real: [Float], imaginary: [Float]) {
    let transform = RealTransform(length: samples.count, vectorLevel: vectorLevel)
    var real = [Float](repeating: .nan, count: transform.binCount)
    var imaginary = real
    transform.forward(samples, real: &real, imaginary: &imaginary)
    return (real, imaginary)
  }

  private static let lengths = (4...16).map { 1 << $0 }

  @Test func `agrees with numpy at every length`() throws {
    let rows = try Reference.rows("spectra.txt")
    #expect(rows.count == 102)
    for length in Self.lengths {
      let (real, imaginary) = spectrum(Reference.noise(length))
      var (error, count) = (0.0, 0)
      for row in rows where Int(row[0]) == length {
        let bin = Int(row[1])
        let (dr, di) = (Double(real[bin]) - row[2], Double(imaginary[bin]) - row[3])
        error = max(error, (dr * dr + di * di).squareRoot())
        count += 1
      }
      let power = zip(real, imaginary).reduce(0.0) { $0 + Double($1.0 * $1.0 + $1.1 * $1.1) }
      let rms = (power / Double(real.count)).squareRoot()
      #expect(count >= 6 && error / rms < 1e-6, "\(length): \(error / rms)")
    }
  }

  @Test(arguments: [16, 32, 64, 256]) func `is the sum of its definition in every bin`(
    _ length: Int
  ) {
    let samples = Reference.noise(length)
    let (real, imaginary) = spectrum(samples)
    for bin in 0...length / 2 {
      var (re, im) = (0.0, 0.0)
      for (index, sample) in samples.enumerated() {
        let turn = -2 * Double.pi * Double(bin * index % length) / Double(length)
        let (s, c) = sinCos(turn)
        re += Double(sample) * c
        im += Double(sample) * s
      }
      #expect(abs(Double(real[bin]) - re) < 5e-6 && abs(Double(imaginary[bin]) - im) < 5e-6)
    }
  }

  /// A sine and a cosine that are not ours: Taylor's series.
  private func sinCos(_ x: Double) -> (Double, Double) {
    var (sin, cos, term) = (0.0, 0.0, 1.0)
    for order in 0..<40 {
      switch order % 4 {
      case 0: cos += term
      case 1: sin += term
      case 2: cos -= term
      default: sin -= term
      }
      term *= x / Double(order + 1)
    }
    return (sin, cos)
  }

  @Test func `goes back to the samples`() {
    for length in Self.lengths {
      let samples = Reference.noise(length)
      let (real, imaginary) = spectrum(samples)
      let transform = RealTransform(length: length)
      var back = [Float](repeating: .nan, count: length)
      transform.inverse(real: real, imaginary: imaginary, to: &back)
      let error = zip(samples, back).map { abs($0 - $1) }.max() ?? 1
      #expect(error < 5e-7, "\(length): \(error)")
    }
  }

  @Test func `has the same bits with every instruction set`() {
    for length in Self.lengths {
      let samples = Reference.noise(length)
      let (plain, best) = (spectrum(samples, vectorLevel: 0), spectrum(samples))
      #expect(plain.real.map(\.bitPattern) == best.real.map(\.bitPattern))
      #expect(plain.imaginary.map(\.bitPattern) == best.imaginary.map(\.bitPattern))
    }
  }

  /// Made once with the baseline kernels; a compiler that fuses products and sums changes it.
  @Test func `still has the same bits`() {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for length in Self.lengths {
      let (real, imaginary) = spectrum(Reference.noise(length))
      for value in real + imaginary {
        digest = (digest ^ UInt64(value.bitPattern)) &* 0x100_0000_01b3
      }
    }
    #expect(digest == 5_177_085_560_112_454_880)
  }

  @Test func `takes the next length that it supports`() {
    #expect(RealTransform(length: 1).length == 16)
    #expect(RealTransform(length: 17).length == 32)
    #expect(RealTransform(length: 1 << 20).length == 1 << 20)
  }

  @Test func `a tone in a million samples is in its bin alone`() {
    let length = 1 << 20
    let samples = (0..<length).map {
      Float(Math.sinCos(2 * .pi * 1000.0 * Double($0) / Double(length)).cos)
    }
    let (real, imaginary) = spectrum(samples)
    #expect(abs(real[1000] / Float(length / 2) - 1) < 1e-6)
    let rest = real.indices.filter { $0 != 1000 }.map { max(abs(real[$0]), abs(imaginary[$0])) }
      .max()
    #expect((rest ?? 1) < Float(length) * 1e-6)
  }
}
