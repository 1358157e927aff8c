import Foundation
@testable import FxUnits
import Testing

/// Filters that keep the level of their analog prototype.
struct AnalogSectionTests {
  /// The level in decibels at a frequency, from the numbers of the state space form.
  private func level(_ section: FilterSection, _ frequency: Double, rate: Double) -> Double {
    typealias Complex = (re: Double, im: Double)
    func over(_ a: Complex, _ b: Complex) -> Complex {
      let power = b.re * b.re + b.im * b.im
      return ((a.re * b.re + a.im * b.im) / power, (a.im * b.re - a.re * b.im) / power)
    }
    let half = Double.pi * frequency / rate
    // z - 1, without the difference of two numbers near 1.
    let step: Complex = (-2 * sin(half) * sin(half), 2 * sin(half) * cos(half))
    let once = over((1, 0), step)
    let twice = over((2 * once.re + 1, 2 * once.im), step)
    let e = over(
      (section.a, 0),
      (
        1 + section.a * twice.re + section.c * once.re,
        section.a * twice.im + section.c * once.im
      ))
    let re =
      section.p * (e.re * once.re - e.im * once.im)
      + section.q * (e.re * twice.re - e.im * twice.im)
    let im =
      section.p * (e.re * once.im + e.im * once.re)
      + section.q * (e.re * twice.im + e.im * twice.re)
    return 10 * log10((section.d + re) * (section.d + re) + im * im)
  }

  /// The level of the prototype of a peak, a high-pass or a notch.
  private func prototype(
    _ shape: FilterShape, _ frequency: Double, q: Double, gain: Double, at f: Double
  ) -> Double {
    let x = f / frequency
    func power(_ n2: Double, _ n1: Double, _ n0: Double) -> Double {
      (n0 - n2 * x * x) * (n0 - n2 * x * x) + n1 * n1 * x * x
    }
    let a = pow(10, gain / 40)
    return switch shape {
    case .peak: 10 * log10(power(1, a / q, 1) / power(1, 1 / (a * q), 1))
    case .highPass: 10 * log10(power(1, 0, 0) / power(1, 1 / q, 1))
    default: 10 * log10(power(1, 0, 1) / power(1, 1 / q, 1))
    }
  }

  @Test(arguments: [FilterShape.peak, .highPass, .notch])
  func `narrow filters at low frequencies are as exact as wide ones`(_ shape: FilterShape) {
    for rate in [44100.0, 192000] {
      for frequency in [10.0, 15, 30, 50, 80, 200, 1000] {
        for q in [0.3, 1, 5, 10, 20, 40] {
          for gain in shape == .peak ? [-24, -6, 0, 0.01, 6, 24] : [0.0] {
            let section = FilterSection(
              analog: shape, frequency: frequency, quality: q, amplitude: pow(10, gain / 20),
              share: 1, sampleRate: rate)
            for x in [0.3, 0.9, 0.97, 1.03, 1.1, 2] {
              let wanted = prototype(shape, frequency, q: q, gain: gain, at: x * frequency)
              let found = level(section, x * frequency, rate: rate)
              #expect(
                abs(found - wanted) < 1,
                "\(frequency) Hz at \(rate), q \(q), \(gain) dB, ×\(x): \(found), not \(wanted)")
            }
          }
        }
      }
    }
  }

  @Test func `every filter that can be set is stable`() {
    for shape in FilterShape.allCases {
      for frequency in [10.0, 23, 100, 1000, 15000, 23000] {
        for q in [0.1, 1, 7, 40] {
          for amplitude in [0.03, 0.5, 1, 1.0001, 4, 30] {
            let section = FilterSection(
              analog: shape, frequency: frequency, quality: q, amplitude: amplitude, share: 1,
              sampleRate: 48000)
            #expect(section.g > 0 && section.k > 0 && section.ringingFrames.isFinite)
          }
        }
      }
    }
  }
}
