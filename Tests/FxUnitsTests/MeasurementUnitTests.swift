import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

private func renderer(
  _ unit: String, channels: Int = 1, rate: Double = 48000, parameters: [String: Double] = [:]
) throws -> UnitRenderer {
  let type = try #require(BuiltInUnits.all.first { $0.spec.id == unit })
  return try UnitRenderer(
    type, inputWidths: [channels], parameters: parameters, sampleRate: rate)
}

@Suite struct `A tuner` {
  private func readings(_ input: [Float], rate: Double = 48000, reference: Double = 440) throws
    -> [Float]
  {
    let renderer = try renderer("tuner", rate: rate, parameters: ["reference": reference])
    let output = renderer.render([input])[0]
    #expect(output == input)
    return (0..<4).map { renderer.instance.readings[$0] }
  }

  /// A string: harmonics that fall, the second louder than the first.
  private func string(_ frequency: Double, rate: Double = 48000) -> [Float] {
    (0..<24000).map { frame in
      let turn = 2 * Double.pi * frequency * Double(frame) / rate
      return Float(
        0.1 * sin(turn) + 0.15 * sin(2 * turn + 1) + 0.08 * sin(3 * turn) + 0.05 * sin(5 * turn))
    }
  }

  // The strings of a bass and of a guitar, and higher notes.
  @Test(arguments: [41.203, 82.407, 110, 146.832, 195.998, 246.942, 329.628, 659.255, 1318.51])
  func `finds a pitch within a cent`(_ frequency: Double) throws {
    for rate in [44100.0, 48000, 96000] {
      let found = Double(try readings(string(frequency, rate: rate), rate: rate)[0])
      let cents = 1200 * log2(found / frequency)
      #expect(abs(cents) < 1, "\(frequency) Hz at \(rate): \(found), \(cents) cents")
    }
  }

  @Test func `names the note and how far it is off`() throws {
    let sharp = try readings(string(440 * pow(2, 12.0 / 1200)))
    #expect(sharp[1] == 69)
    #expect(abs(sharp[2] - 12) < 1)
    #expect(sharp[3] > 0.95)
    let low = try readings(string(82.407), reference: 432)
    #expect(low[1] == 40)
    #expect(abs(Double(low[2]) - 1200 * log2(440.0 / 432)) < 1)
  }

  @Test func `says nothing of noise and of silence`() throws {
    #expect(try readings(Signal.noise(24000, seed: 4))[0] == 0)
    #expect(try readings(Signal.silence(24000))[0] == 0)
  }
}

@Suite struct `A spectrum` {
  @Test(arguments: [(63.0, "hz63"), (1000, "hz1000"), (16000, "hz16000")])
  func `has a tone in its band`(_ frequency: Double, _ id: String) throws {
    let renderer = try renderer("spectrum")
    let input = (0..<24000).map { Float(sin(2 * Double.pi * frequency * Double($0) / 48000)) }
    _ = renderer.render([input])
    for (index, reading) in renderer.type.spec.readings.enumerated() {
      let level = renderer.instance.readings[index]
      if reading.id == id {
        #expect(abs(level + 3.01) < 0.2, "\(reading.id): \(level)")
      } else if abs(index - (renderer.type.spec.readings.firstIndex { $0.id == id } ?? 0)) > 1 {
        #expect(level < -40, "\(reading.id): \(level)")
      }
    }
  }

  @Test(arguments: [8000.0, 11025, 16000, 22050, 32000, 48000])
  func `has a tone at the centre of each band, at every sample rate`(_ rate: Double) throws {
    for (index, hertz) in BandMeter.centers.enumerated() where hertz <= 0.4 * rate && index % 4 == 0
    {
      let renderer = try renderer("spectrum", rate: rate)
      _ = renderer.render([Signal.tone(hertz, sampleRate: rate, Int(0.7 * rate))])
      let levels = (0..<BandMeter.bandCount).map { renderer.instance.readings[$0] }
      // The lowest bands are as narrow as a bin of the spectrum.
      #expect(abs(levels[index] + 3.01) < (hertz < 40 ? 1.5 : 0.5), "\(hertz) Hz: \(levels[index])")
      for (band, center) in BandMeter.centers.enumerated() where center > 0.57 * rate {
        #expect(levels[band] == -.infinity)
      }
    }
  }

  @Test func `has white noise three decibels an octave up`() throws {
    let renderer = try renderer("spectrum")
    _ = renderer.render([Signal.noise(96000, seed: 3)])
    func level(_ id: String) -> Float {
      let index = renderer.type.spec.readings.firstIndex { $0.id == id } ?? 0
      return renderer.instance.readings[index]
    }
    #expect(abs(level("hz8000") - level("hz1000") - 9) < 1.5)
  }
}
