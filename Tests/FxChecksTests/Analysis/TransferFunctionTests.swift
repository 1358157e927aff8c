import Foundation
import FxAudio
@testable import FxChecks
import Testing

/// Transfer functions and tone steps compared with closed forms.
@Suite struct TransferFunctionTests {
  @Test(arguments: [20.0, 777, 1000, 19000])
  func `a pure delay has its time as group delay and no level`(_ hertz: Double) {
    var response = [Float](repeating: 0, count: 700)
    response[500] = 1
    let point = TransferFunction(response, origin: 20, sampleRate: 48000).point(at: hertz)
    #expect(abs(point.decibels) < 1e-9)
    #expect(abs(point.groupDelay - 0.01) < 1e-9)
    let turns = hertz * 0.01
    let phase = -2 * Double.pi * (turns - turns.rounded())
    #expect(abs(sin(point.phase - phase)) < 1e-6 && cos(point.phase - phase) > 0)
  }

  @Test func `a signal before the origin has a negative group delay`() {
    var response = [Float](repeating: 0, count: 100)
    response[10] = 0.5
    let point = TransferFunction(response, origin: 58, sampleRate: 48000).point(at: 3000)
    #expect(abs(point.groupDelay + 0.001) < 1e-9)
    #expect(abs(point.decibels + 6.0206) < 1e-3)
  }

  @Test(arguments: [2000, 60000])
  func `a one-pole filter has its formula's magnitude, phase and group delay`(_ count: Int) {
    // h[n] = (1 - a) aⁿ; long responses use different code.
    let a = 0.99
    let response = (0..<count).map { Float((1 - a) * pow(a, Double($0))) }
    // This keeps the long response from being trimmed to its audible part.
    let padded = count > 10000 ? response.map { $0 + 1e-9 } : response
    let function = TransferFunction(padded, sampleRate: 48000)
    for hertz in [30.0, 100, 1000, 10000] {
      let w = 2 * Double.pi * hertz / 48000
      let power = (1 - a) * (1 - a) / (1 - 2 * a * cos(w) + a * a)
      let phase = -atan2(a * sin(w), 1 - a * cos(w))
      let delay = (a * cos(w) - a * a) / (1 - 2 * a * cos(w) + a * a) / 48000
      let point = function.point(at: hertz)
      let isLong = count > 10000
      #expect(abs(point.decibels - 10 * log10(power)) < (isLong ? 0.02 : 1e-4))
      #expect(abs(point.phase - phase) < (isLong ? 5e-3 : 1e-5))
      #expect(abs(point.groupDelay - delay) < (isLong ? 2e-6 : 1e-8))
    }
  }

  @Test func `a band of a comb has the mean of its teeth`() {
    var response = [Float](repeating: 0, count: 24001)
    response[0] = 1
    response[24000] = 1
    let function = TransferFunction(response, sampleRate: 48000)
    let point = function.mean(from: 900, to: 1100)
    #expect(abs(point.decibels - 3.0103) < 0.1)
    #expect(abs(point.groupDelay - 0.25) < 0.01)
  }

  @Test func `silence passes nothing`() {
    let point = TransferFunction([0, 0, 0], sampleRate: 48000).point(at: 100)
    #expect(point.decibels == -.infinity && point.groupDelay == 0)
  }

  @Test func `steps of a tone are measured where they have settled`() throws {
    let steps = ToneSteps(hertz: 1000, decibels: [-40, -20, 0], sampleRate: 48000)
    let halved = steps.results(of: steps.samples.map { $0 / 2 })
    #expect(halved.count == 3)
    for (result, level) in zip(halved, [-46.02, -26.02, -6.02]) {
      #expect(abs(result.level - level) < 0.01)
      let distortion = try #require(result.distortion)
      #expect(distortion.thd < 1e-6)
    }
    // x + x²/2 of a sine has its second harmonic at a quarter of its amplitude.
    let bent = steps.results(of: steps.samples.map { $0 + $0 * $0 / 2 })
    let second = try #require(bent.last?.distortion?.harmonics.first)
    #expect(abs(second - 20 * log10(0.25)) < 0.01)
  }

  @Test func `steps of frequency keep their level`() throws {
    let hertz = [20.0, 200, 15000]
    let steps = ToneSteps(hertz: hertz, decibels: -12, sampleRate: 44100)
    for (result, hertz) in zip(steps.results(of: steps.samples), hertz) {
      #expect(result.step.hertz == hertz)
      #expect(abs(try #require(result.distortion).fundamental + 12) < 0.01)
    }
  }
}
