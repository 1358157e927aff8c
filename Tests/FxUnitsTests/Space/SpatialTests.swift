import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `Units of space` {
  /// Renders, and takes the latency off.
  private func rendered<Kernel: UnitKernel & ~Copyable>(
    _ type: Kernel.Type, _ inputs: [[Float]], parameters: [String: Double] = [:],
    options: [String: OptionValue] = [:]
  ) throws -> [[Float]] {
    let renderer = try UnitRenderer(
      UnitType(type), inputWidths: [inputs.count],
      options: options.merging(["hrtf": .text("")]) { first, _ in first }, parameters: parameters)
    let silence = [Float](repeating: 0, count: renderer.instance.latency)
    return renderer.render(inputs.map { $0 + silence })
      .map { Array($0.dropFirst(silence.count)) }
  }

  /// The delay in frames of the right ear after the left, from the phases of a low tone.
  private func lag(_ ears: [[Float]], _ frequency: Double) -> Double {
    func phase(_ sound: [Float]) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for frame in 4800..<9600 {
        let turn = 2 * .pi * frequency * Double(frame) / 48000
        real += Double(sound[frame]) * cos(turn)
        imaginary -= Double(sound[frame]) * sin(turn)
      }
      return atan2(imaginary, real)
    }
    return remainder(phase(ears[0]) - phase(ears[1]), 2 * .pi) / (2 * .pi) * 48000 / frequency
  }

  private func tone(_ frequency: Double, _ count: Int = 9600) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / 48000)) }
  }

  private func power(_ sound: [Float]) -> Double {
    sound.dropFirst(4800).reduce(0) { $0 + Double($1 * $1) }
  }

  @Test(arguments: [0.0, 30, 90, -90, 180, 390])
  func `the delay between the ears is that of a sphere`(
    _ azimuth: Double
  ) throws {
    let ears = try rendered(Spatial.self, [tone(500)], parameters: ["azimuth": azimuth])
    let lateral = asin(sin(azimuth * .pi / 180))
    let expected = -(0.0875 / 343) * (lateral + sin(lateral)) * 48000
    // The shadow adds its own: near 500 Hz up to 170 µs, as it does before a real head.
    #expect(abs(lag(ears, 500) - expected) < 9, "\(lag(ears, 500)) \(expected)")
    let louder = 10 * log10(power(ears[1]) / power(ears[0]))
    #expect(abs(lateral) < 0.01 ? abs(louder) < 0.1 : louder * lateral > 0)
  }

  @Test func `the power method keeps the power in both channels together`() throws {
    for azimuth in [-90.0, -45, 0, 20, 90, 135] {
      let ears = try rendered(
        Spatial.self, [tone(500)], parameters: ["azimuth": azimuth],
        options: ["method": .text("power")])
      let sum = power(ears[0]) + power(ears[1])
      #expect(abs(10 * log10(sum / power(tone(500)))) < 0.01)
    }
  }

  @Test func `twice as far is six decibels less`() throws {
    let near = try rendered(Spatial.self, [tone(500)], parameters: ["distance": 1])
    let far = try rendered(Spatial.self, [tone(500)], parameters: ["distance": 2])
    #expect(abs(10 * log10(power(near[0]) / power(far[0])) - 6.0206) < 0.001)
  }

  @Test func `with Doppler a sound has its travel time`() throws {
    let ears = try rendered(
      Spatial.self, [Signal.impulse(9600)], parameters: ["distance": 34.3],
      options: ["doppler": .flag(true), "method": .text("power")])
    let peak = ears[0].indices.max { abs(ears[0][$0]) < abs(ears[0][$1]) }
    #expect(peak == 4800)
  }

  @Test func `responses of a SOFA file are taken as they are`() throws {
    // Each ear hears a click, the right one earlier by a frame for every five degrees up to 90.
    var samples = [Float](repeating: 0, count: HeadGrid.channelCount * 64)
    for index in 0..<HeadGrid.directionCount {
      let azimuth = HeadGrid.direction(index).azimuth
      let earlier = azimuth <= 90 ? Int(azimuth / 5) : 0
      samples[(2 * index) * 64 + 30] = 1
      samples[(2 * index + 1) * 64 + 30 - earlier] = 1
    }
    let sound = SoundAsset(
      channelCount: HeadGrid.channelCount, frameCount: 64, samples: samples)
    let renderer = try UnitRenderer(
      UnitType(Spatial.self), inputWidths: [1], options: ["hrtf": .sound("ears")],
      sounds: ["ears": sound], parameters: ["azimuth": 42.5])
    let ears = renderer.render([tone(500)])
    #expect(abs(lag(ears, 500) + 8.5) < 0.02, "\(lag(ears, 500))")
    #expect(abs(10 * log10(power(ears[0]) / power(ears[1]))) < 0.05)
  }

  @Test func `headphones hear 5_1 from its places`() throws {
    func ears(_ channel: Int) throws -> [[Float]] {
      let silence = [Float](repeating: 0, count: 9600)
      return try rendered(Binaural.self, (0..<6).map { $0 == channel ? tone(500) : silence })
    }
    let front = try ears(2)
    #expect(abs(lag(front, 500)) < 0.01)
    let (left, right) = (try ears(0), try ears(1))
    #expect(abs(power(left[0]) / power(right[1]) - 1) < 1e-4)
    #expect(lag(left, 500) > 5 && lag(right, 500) < -5)
    let back = try ears(5)
    #expect(lag(back, 500) < lag(right, 500))
    let bass = try ears(3)
    #expect(abs(power(bass[0]) / power(tone(500)) - 1) < 1e-4)
  }

  @Test func `crossfeed keeps the middle and feeds the bass of a side across`() throws {
    let low = tone(60, 96000)
    let silence = [Float](repeating: 0, count: low.count)
    let middle = try rendered(Crossfeed.self, [low, low])
    #expect(abs(10 * log10(power(middle[0]) / power(low))) < 0.1)
    let side = try rendered(Crossfeed.self, [low, silence])
    #expect(abs(10 * log10(power(side[0]) / power(side[1])) - 4.5) < 0.3)
    let high = tone(8000, 96000)
    let treble = try rendered(Crossfeed.self, [high, silence])
    #expect(10 * log10(power(treble[0]) / power(treble[1])) > 20)
  }

  @Test func `the second side is delayed`() throws {
    let output = try rendered(Haas.self, [tone(500)], parameters: ["time": 0.0105, "gain": -20])
    let late = (1000..<9600).map { abs(output[1][$0] - 0.1 * output[0][$0 - 504]) }.max() ?? 1
    #expect(late < 1e-5, "\(late)")
  }
}
