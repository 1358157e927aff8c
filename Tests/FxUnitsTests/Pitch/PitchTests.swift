import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `Pitch shifter` {
  private static let rate = 16000.0

  private func shifted(
    _ input: [Float], by parameters: [String: Double], options: [String: OptionValue] = [:]
  ) throws -> [Float] {
    let renderer = try UnitRenderer(
      UnitType(Pitch.self), inputWidths: [1], options: options, parameters: parameters,
      sampleRate: Self.rate)
    let latency = renderer.instance.latency
    return Array(
      renderer.render([input + [Float](repeating: 0, count: latency)])[0].dropFirst(latency))
  }

  private func tone(_ frequency: Double, _ count: Int) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / Self.rate)) }
  }

  /// The frequency near a given one, from the phases of two quarters of a second.
  private func frequency(of sound: [Float], near guess: Double) -> Double {
    func phase(from start: Int) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for frame in 0..<2048 {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / 2048)
        let turn = 2 * .pi * guess * Double(start + frame) / Self.rate
        real += window * Double(sound[start + frame]) * cos(turn)
        imaginary -= window * Double(sound[start + frame]) * sin(turn)
      }
      return atan2(imaginary, real)
    }
    let steps = 4000
    let change = remainder(phase(from: 4000 + steps) - phase(from: 4000), 2 * .pi)
    return guess + change / (2 * .pi) * Self.rate / Double(steps)
  }

  @Test(arguments: [-12.0, -5, 0.5, 3, 12]) func `a tone has its new pitch to a tenth of a cent`(
    _ semitones: Double
  ) throws {
    let wanted = 440 * pow(2, semitones / 12)
    let output = try shifted(tone(440, 14000), by: ["shift": semitones])
    let found = frequency(of: output, near: wanted)
    #expect(abs(1200 * log2(found / wanted)) < 0.1, "\(found)")
    let level = output[4000..<12000].reduce(0.0) { $0 + Double($1 * $1) } / 8000
    #expect(abs(10 * log10(level / 0.125)) < 0.1, "\(level)")
  }

  @Test func `without a shift the sound is unchanged`() throws {
    let input = Signal.noise(8000, seed: 4, amplitude: 0.3)
    let output = try shifted(input, by: [:])
    let off = zip(input, output).dropFirst(2000).prefix(4000).map { abs($0 - $1) }.max() ?? 1
    #expect(off < 1e-4, "\(off)")
  }

  @Test(arguments: [8000.0, 16000, 44100, 48000, 96000], ["file", "live"])
  func `a click arrives exactly at the latency`(_ rate: Double, _ quality: String) throws {
    for (window, width) in [("short", 1), ("medium", 2), ("long", 6)] {
      let renderer = try UnitRenderer(
        UnitType(Pitch.self), inputWidths: [width],
        options: ["quality": .text(quality), "window": .text(window)], sampleRate: rate)
      let latency = renderer.instance.latency
      let click = Signal.impulse(latency + 2000, at: 700)
      for output in renderer.render((0..<width).map { _ in click }) {
        let peak = output.indices.max { abs(output[$0]) < abs(output[$1]) }
        #expect(peak == 700 + latency, "\(window)")
        #expect(abs(output[700 + latency] - 1) < 0.01, "\(window)")
      }
    }
  }

  @Test func `live, the latency at 48 kHz is 33 ms`() throws {
    let latencies = try ["short", "medium", "long"].map { window in
      try UnitRenderer(
        UnitType(Pitch.self), inputWidths: [2],
        options: ["quality": .text("live"), "window": .text(window)]
      ).instance.latency
    }
    #expect(latencies == [800, 1568, 3104])
  }

  @Test(arguments: [-12.0, -5, 4, 7, 12], ["file", "live"])
  func `a shifted click is short and arrives at the latency`(_ shift: Double, _ quality: String)
    throws
  {
    let renderer = try UnitRenderer(
      UnitType(Pitch.self), inputWidths: [1], options: ["quality": .text(quality)],
      parameters: ["shift": shift])
    let latency = renderer.instance.latency
    let output = renderer.render([Signal.impulse(latency + 8000, at: 5077)])[0]
    let energies = output.map { Double($0 * $0) }
    let near = energies[(5077 + latency - 400)..<(5077 + latency + 400)].reduce(0, +)
    #expect(near > 0.9 * energies.reduce(0, +))
  }

  @Test(arguments: ["file", "live"], ["move", "keep"])
  func `blocks of any length give the same bits at any ratio`(_ quality: String, _ formants: String)
    throws
  {
    let noise = [Signal.noise(14000, seed: 1), Signal.noise(14000, seed: 2)]
    func bits(_ blocks: [Int]) throws -> [[UInt32]] {
      let renderer = try UnitRenderer(
        UnitType(Pitch.self), inputWidths: [2],
        options: ["quality": .text(quality), "formants": .text(formants)],
        motions: ["shift": .line(from: -24, to: 24, frames: 1000..<9000)], sampleRate: Self.rate)
      return renderer.render(noise, blocks: blocks).map { $0.map(\.bitPattern) }
    }
    let reference = try bits([4096])
    #expect(reference[0].contains { $0 != 0 })
    for blocks in [[1], [7], [64], [333, 5, 1000, 1]] {
      let found = try bits(blocks)
      #expect(found == reference, "\(blocks)")
    }
  }

  @Test(arguments: ["file", "live"])
  func `channels keep their levels and phases against each other`(_ quality: String) throws {
    let left = Chord.sound([220, 277.18, 329.63], sampleRate: Self.rate, 20000)
    // The second channel is quieter and of opposite polarity, the third one is late by 9 frames.
    let inputs = [left, left.map { -0.3 * $0 }, [Float](repeating: 0, count: 9) + left.dropLast(9)]
    let output = try UnitRenderer(
      UnitType(Pitch.self), inputWidths: [3], options: ["quality": .text(quality)],
      parameters: ["shift": 12], sampleRate: Self.rate
    ).render(inputs).map { Array($0[8000..<16000]) }
    #expect(Measured.difference(output[1], output[0].map { -0.3 * $0 }) < -120)
    // A delay of 9 frames is a phase of 220 Hz, which stays the same at 440 Hz.
    let phases = [output[0], output[2]].map {
      let found = Measured.spectrum($0, at: 440, sampleRate: Self.rate)
      return atan2(found.sine, found.cosine)
    }
    let wanted = 2 * Double.pi * 220 * 9 / Self.rate
    #expect(abs(remainder(phases[0] - phases[1] - wanted, 2 * .pi)) < 0.03)
  }

  @Test func `an upward jump of the pitch makes no audible edges`() throws {
    let renderer = try UnitRenderer(
      UnitType(Pitch.self), inputWidths: [1], options: ["formants": .text("keep")],
      motions: ["shift": .line(from: -12, to: 12, frames: 8000..<8320)], sampleRate: Self.rate)
    var edges = renderer.render([tone(100, 14000)])[0].map(Double.init)
    for _ in 0..<6 { edges = zip(edges, edges.dropFirst()).map { $1 - $0 } }
    #expect((edges[6000...].map(abs).max() ?? 1) < 0.015)
  }

  @Test func `kept formants stay where they are`() throws {
    // Pulses of 150 Hz with a formant at 1200 Hz.
    var input = [Float](repeating: 0, count: 12000)
    for start in stride(from: 0, to: 12000, by: 106) {
      for time in 0..<min(200, 12000 - start) {
        let swing = exp(-Double(time) / 60) * sin(2 * .pi * 1200 * Double(time) / Self.rate)
        input[start + time] += Float(0.4 * swing)
      }
    }
    func power(_ sound: [Float], _ band: ClosedRange<Double>) -> Double {
      stride(from: band.lowerBound, through: band.upperBound, by: 10).reduce(0.0) { sum, hertz in
        var (real, imaginary) = (0.0, 0.0)
        for frame in 4000..<8000 {
          real += Double(sound[frame]) * cos(2 * .pi * hertz * Double(frame) / Self.rate)
          imaginary += Double(sound[frame]) * sin(2 * .pi * hertz * Double(frame) / Self.rate)
        }
        return sum + real * real + imaginary * imaginary
      }
    }
    func formantShare(_ sound: [Float]) -> Double {
      10 * log10(power(sound, 900...1500) / power(sound, 1700...2400))
    }
    let moved = try shifted(input, by: ["shift": 9])
    let kept = try shifted(input, by: ["shift": 9], options: ["formants": .text("keep")])
    #expect(formantShare(input) > 10, "\(formantShare(input))")
    #expect(formantShare(moved) < 0, "\(formantShare(moved))")
    #expect(formantShare(kept) > 8, "\(formantShare(kept))")
  }
}
