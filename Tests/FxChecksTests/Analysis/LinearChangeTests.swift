import Foundation
@testable import FxChecks
import FxUnits
import Testing

/// The filter between two sounds.
@Suite struct LinearChangeTests {
  private let noise = TestSignal(.noise).sound(
    sampleRate: 48000, channels: 1, frameCount: 96000
  ).channels[0]

  @Test func `a one-pole filter is found with its magnitude`() throws {
    let a: Float = 0.8
    var state: Float = 0
    let filtered = noise.map { sample in
      state = (1 - a) * sample + a * state
      return state
    }
    let change = try #require(
      LinearChange(expected: noise, actual: filtered, sampleRate: 48000))
    #expect(change.rest < 1e-3)
    for hertz in [200.0, 1000, 5000, 15000] {
      let w = 2 * Double.pi * hertz / 48000
      let power = 0.04 / (1 - 1.6 * cos(w) + 0.64)
      #expect(abs(try #require(change.decibels(at: hertz)) - 10 * log10(power)) < 0.2)
    }
    #expect(change.decibels(at: 24000) == nil && change.decibels(at: 0) == nil)
  }

  @Test func `distortion, a different sound and no change are not reported as a filter`() {
    let bent = noise.map { $0 * abs($0) * 4 }
    #expect(LinearChange(expected: noise, actual: bent, sampleRate: 48000) == nil)
    let other = Array(noise.reversed())
    #expect(LinearChange(expected: noise, actual: other, sampleRate: 48000) == nil)
    #expect(LinearChange(expected: noise, actual: noise, sampleRate: 48000) == nil)
    #expect(LinearChange(expected: [0, 1], actual: [1, 0], sampleRate: 48000) == nil)
  }
}
