@testable import FxAudio
import FxTestSupport
import Glibc
import Testing

/// The largest error of a function against a reference over `count` points of a range, relative to
/// the reference where that is larger than `floor`, absolute below.
private func largestError(
  in range: ClosedRange<Double>, count: Int = 5000, floor: Double = 0,
  of function: (Double) -> Double, against reference: (Double) -> Double
) -> Double {
  var largest = 0.0
  for index in 0...count {
    // The golden ratio's multiples fill a range evenly without regular spacing.
    let share = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    let x = range.lowerBound + (range.upperBound - range.lowerBound) * share
    let expected = reference(x)
    let error = abs(function(x) - expected)
    if error == 0 { continue }
    largest = max(largest, error / max(abs(expected), floor))
  }
  return largest
}

/// The same for a function of single precision; the reference sees the rounded argument.
private func largestFloatError(
  in range: ClosedRange<Double>, floor: Double = 0, of function: (Float) -> Float,
  against reference: (Double) -> Double
) -> Double {
  largestError(
    in: range, floor: floor, of: { Double(function(Float($0))) },
    against: { reference(Double(Float($0))) })
}

@Suite struct `Single precision functions` {
  @Test func `exp2 keeps its bound`() {
    #expect(largestFloatError(in: -126...127, of: Math.exp2, against: Glibc.exp2) < 1.2e-7)
    #expect(largestFloatError(in: -1...1, of: Math.exp2, against: Glibc.exp2) < 1.2e-7)
  }

  @Test func `exp2 is exact at whole numbers and ends at zero and infinity`() {
    for power in -126...127 { #expect(Math.exp2(Float(power)) == Glibc.exp2f(Float(power))) }
    for x: Float in [-127, -200, -.infinity] { #expect(Math.exp2(x) == 0) }
    for x: Float in [128, 1e9, .infinity] { #expect(Math.exp2(x) == .infinity) }
    #expect(Math.exp2(Float.nan).isNaN)
  }

  @Test func `log2 keeps its bound`() {
    #expect(
      largestFloatError(in: 0.5...2, floor: 1, of: Math.log2, against: Glibc.log2) < 1.5e-7)
    #expect(largestFloatError(in: 2...1000, of: Math.log2, against: Glibc.log2) < 1.5e-7)
    #expect(
      largestFloatError(in: -37...(-0.5), of: { Math.log2(Glibc.powf(10, $0)) }) {
        Glibc.log2(Double(Glibc.powf(10, Float($0))))
      } < 1.5e-7)
  }

  @Test func `log2 is exact at powers of two and minus infinity at zero`() {
    for power in -126...127 { #expect(Math.log2(Glibc.exp2f(Float(power))) == Float(power)) }
    for x: Float in [0, -0.0, -1, Float.leastNonzeroMagnitude, -.infinity] {
      #expect(Math.log2(x) == -.infinity)
    }
    #expect(Math.log2(Float.infinity) == .infinity)
    #expect(Math.log2(Float.nan).isNaN)
  }

  @Test func `tanh keeps its bound, is odd and never goes beyond one`() {
    #expect(largestFloatError(in: -10...10, of: Math.tanh, against: Glibc.tanh) < 1.8e-7)
    #expect(largestFloatError(in: -0.7...0.7, of: Math.tanh, against: Glibc.tanh) < 1.8e-7)
    for x: Float in [0, 1e-30, 1e-3, 0.6249, 0.6251, 3, 20, 1e9, .infinity] {
      #expect(Math.tanh(-x) == -Math.tanh(x))
      #expect(Math.tanh(x) <= 1)
    }
    #expect(Math.tanh(Float.infinity) == 1)
  }

  @Test func `levels keep their bounds and their landmarks`() {
    let amplitude: (Double) -> Double = { Glibc.pow(10, $0 / 20) }
    let narrow = largestFloatError(
      in: -20...20, of: { Math.amplitude(decibels: $0) }, against: amplitude)
    let wide = largestFloatError(
      in: -200...200, of: { Math.amplitude(decibels: $0) }, against: amplitude)
    #expect(narrow < 6e-7)
    #expect(wide < 4e-6)
    let level = largestFloatError(
      in: 1e-5...100, floor: 8, of: { Math.decibels(amplitude: $0) },
      against: { 20 * Glibc.log10($0) })
    #expect(level < 5e-7)
    #expect(Math.amplitude(decibels: Float(0)) == 1)
    #expect(Math.amplitude(decibels: -Float.infinity) == 0)
    #expect(Math.amplitude(decibels: 0.0) == 1)
    #expect(Math.amplitude(decibels: -Double.infinity) == 0)
    #expect(Math.decibels(amplitude: Float(1)) == 0)
    #expect(Math.decibels(amplitude: 0.0) == -.infinity)
    #expect(Decibels(-.infinity).amplitude == 0)
  }

  @Test(arguments: 0..<3) func `a vector's lanes have the bits of the scalar`(_ which: Int) {
    let points: [Float] = (0..<512).map {
      let x = Float($0 * 37 % 512 - 256) * 0.11
      return which == 1 ? Glibc.exp2f(x) : x
    }
    for start in stride(from: 0, to: points.count, by: 8) {
      let eight = SIMD8<Float>(points[start..<start + 8])
      let (vector, half, scalar): (SIMD8<Float>, SIMD4<Float>, (Float) -> Float) =
        switch which {
        case 0: (Math.exp2(eight), Math.exp2(eight.highHalf), { Math.exp2($0) })
        case 1: (Math.log2(eight), Math.log2(eight.highHalf), { Math.log2($0) })
        default: (Math.tanh(eight), Math.tanh(eight.highHalf), { Math.tanh($0) })
        }
      for lane in 0..<8 {
        #expect(vector[lane].bitPattern == scalar(eight[lane]).bitPattern)
        if lane >= 4 { #expect(half[lane - 4].bitPattern == vector[lane].bitPattern) }
      }
    }
  }

  @Test func `square roots are the processor's`() {
    for x: Float in [0, 1, 2, 1e-30, 12345.678] {
      #expect(Math.squareRoot(x) == x.squareRoot())
      #expect(Math.squareRoot(SIMD4(repeating: x)) == SIMD4(repeating: x.squareRoot()))
      #expect(Math.squareRoot(SIMD8(repeating: x)) == SIMD8(repeating: x.squareRoot()))
      #expect(Math.squareRoot(Double(x)) == Double(x).squareRoot())
    }
  }
}

@Suite struct `Double precision functions` {
  @Test func `exponentials keep their bounds`() {
    #expect(largestError(in: -1000...1000, of: Math.exp2, against: Glibc.exp2) < 4e-16)
    #expect(largestError(in: -1...1, of: Math.exp2, against: Glibc.exp2) < 4e-16)
    #expect(largestError(in: -700...700, of: Math.exp, against: Glibc.exp) < 4e-16)
    #expect(largestError(in: -1...1, of: Math.exp, against: Glibc.exp) < 4e-16)
    for power in -1022...1023 { #expect(Math.exp2(Double(power)) == Glibc.exp2(Double(power))) }
    for x in [-1e6, -.infinity] { #expect(Math.exp2(x) == 0 && Math.exp(x) == 0) }
    for x in [1e6, .infinity] { #expect(Math.exp2(x) == .infinity && Math.exp(x) == .infinity) }
    #expect(Math.exp2(Double.nan).isNaN && Math.exp(.nan).isNaN)
  }

  @Test func `logarithms keep their bounds`() {
    for range in [1e-300...1e-299, 0.001...0.5, 0.5...2, 2...1e6, 1e299...1e300] {
      #expect(largestError(in: range, of: Math.log2, against: Glibc.log2) < 5e-16)
      #expect(largestError(in: range, of: Math.log, against: Glibc.log) < 5e-16)
    }
    for power in -1022...1023 { #expect(Math.log2(Glibc.exp2(Double(power))) == Double(power)) }
    #expect(Math.log(0) == -.infinity && Math.log2(-1.0) == -.infinity)
    #expect(Math.log(.infinity) == .infinity && Math.log2(Double.nan).isNaN)
  }

  @Test func `powers keep their bound`() {
    for base in [0.001, 0.5, 0.999, 1.5, 10, 1000] {
      #expect(
        largestError(
          in: -30...30, of: { Math.pow(base, $0) }, against: { Glibc.pow(base, $0) }) < 1e-13)
    }
    #expect(Math.pow(0, 2) == 0 && Math.pow(0, 0) == 1)
  }

  @Test func `angles keep their bounds`() {
    let pi = Double.pi
    #expect(largestError(in: -pi...pi, of: Math.sin, against: Glibc.sin) < 4e-16)
    #expect(largestError(in: -pi...pi, of: Math.cos, against: Glibc.cos) < 4e-16)
    #expect(largestError(in: -1e5...1e5, floor: 1, of: Math.sin, against: Glibc.sin) < 2e-16)
    #expect(largestError(in: -1e5...1e5, floor: 1, of: Math.cos, against: Glibc.cos) < 2e-16)
    #expect(largestError(in: -1.57...1.57, of: Math.tan, against: Glibc.tan) < 1e-15)
    #expect(Math.sin(0) == 0 && Math.cos(0) == 1)
  }

  @Test func `tanh keeps its bound`() {
    #expect(largestError(in: -20...20, of: Math.tanh, against: Glibc.tanh) < 5e-16)
    #expect(largestError(in: -0.6...0.6, of: Math.tanh, against: Glibc.tanh) < 5e-16)
    #expect(Math.tanh(Double.infinity) == 1 && Math.tanh(-1e9) == -1)
  }
}

@Suite struct `All functions` {
  @Test func `have the same bits on every processor and build`() {
    let points = (0..<2000).map { Double($0) * 0.037 - 36.9 }
    let single: [(Float) -> Float] = [
      { Math.exp2($0) }, { Math.log2(Math.exp2($0)) }, { Math.tanh($0) },
      { Math.amplitude(decibels: $0) }, { Math.decibels(amplitude: $0 * $0) },
      { Math.squareRoot($0 * $0 + 1) },
    ]
    let double: [(Double) -> Double] = [
      { Math.exp2($0) }, { Math.exp($0) }, { Math.log2($0 * $0) }, { Math.log($0 * $0) },
      { Math.pow(1.1, $0) }, { Math.sin($0) }, { Math.cos($0) }, { Math.tan($0) },
      { Math.tanh($0) },
    ]
    var results = single.map { function in points.map { function(Float($0)) } }
    // The bits of a Double as two of Float, NaN or not.
    results += double.map { function in
      points.flatMap { point in
        let bits = function(point).bitPattern
        return [
          Float(bitPattern: UInt32(bits >> 32)),
          Float(bitPattern: UInt32(truncatingIfNeeded: bits)),
        ]
      }
    }
    #expect(Measured.fingerprint(results) == 8_175_952_107_338_133_529)
  }
}
