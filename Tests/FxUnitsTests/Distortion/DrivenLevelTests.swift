import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// The level, the offset and the aliases of units that bend waves, at settings that people use.
@Suite struct DrivenLevelTests {
  private func renderer(
    _ unit: String, options: [String: OptionValue] = [:], parameters: [String: Double] = [:],
    revision: Int? = nil, rate: Double = 48000
  ) throws -> UnitRenderer {
    let types = BuiltInUnits.all + BuiltInUnits.earlier
    let type = try #require(
      types.first { $0.spec.id == unit && (revision == nil || $0.spec.revision == revision) })
    return try UnitRenderer(
      type, inputWidths: [1], options: options, parameters: parameters, sampleRate: rate)
  }

  /// Two seconds of two chords on plucked strings.
  private static let guitar: [Float] = {
    let chords = [
      [82.4, 123.5, 164.8, 207.7, 246.9, 329.6], [98.0, 123.5, 146.8, 196.0, 246.9, 392.0],
    ]
    var sound = [Double](repeating: 0, count: 96000)
    for (turn, chord) in chords.enumerated() {
      for (string, pitch) in chord.enumerated() {
        let start = 48000 * turn + 500 * string
        for harmonic in 1...16 {
          let number = Double(harmonic)
          let level = sin(Double.pi * number * 0.13) / number
          for frame in start..<48000 * (turn + 1) {
            let time = Double(frame - start) / 48000
            sound[frame] +=
              level * exp(-time * (1.5 + 0.6 * number))
              * sin(2 * .pi * pitch * number * time + number)
          }
        }
      }
    }
    return sound.map { Float(0.1 * $0) }
  }()

  private static let pink: [Float] = {
    var random = SeededRandom(4)
    var sound = (0..<96000).map { _ in Float(random.next(in: -1...1)) }
    var filter = PinkFilter(sampleRate: 48000)
    sound.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      filter.render(base, count: samples.count, amplitude: 0.1, limit: 1)
    }
    return sound
  }()

  private func loudness(_ sound: [Float]) throws -> Double {
    try #require(ReferenceLoudness([sound], sampleRate: 48000)).integrated
  }

  /// The change of loudness in decibels of a sound of -18 LUFS.
  private func change(_ renderer: UnitRenderer, _ sound: [Float]) throws -> Double {
    let gain = Float(pow(10, (-18 - (try loudness(sound))) / 20))
    return try loudness(renderer.render([sound.map { $0 * gain }])[0]) + 18
  }

  @Test(arguments: ["tape", "tube", "transistor", "soft", "hard", "fold"])
  func `a saturator keeps the loudness, however it is driven`(_ curve: String) throws {
    for (drive, limit) in [(6.0, 1.1), (14, 2.2), (30, 3)] {
      for sound in [Self.guitar, Self.pink] {
        let renderer = try renderer(
          "saturator", options: ["curve": .text(curve)], parameters: ["drive": drive])
        let change = try change(renderer, sound)
        #expect(abs(change) < limit, "drive \(drive): \(change) dB")
      }
    }
  }

  @Test func `an amplifier keeps the loudness at its defaults and with its presets`() throws {
    for sound in [Self.guitar, Self.pink] {
      let plain = try change(try renderer("amp"), sound)
      #expect(abs(plain) < 1.6, "\(plain) dB")
      for preset in Amp.spec.presets {
        let renderer = try renderer(
          "amp", options: preset.options, parameters: preset.parameters)
        let change = try change(renderer, sound)
        #expect(abs(change) < 1.6, "\(preset.name): \(change) dB")
      }
    }
  }

  @Test(arguments: ["american", "british"])
  func `an amplifier has no offset, under a chord or after it`(_ voice: String) throws {
    let chord = Self.guitar[..<48000].map { 3 * $0 }
    let output = try renderer("amp", options: ["voice": .text(voice)])
      .render([chord + [Float](repeating: 0, count: 48000)])[0]
    func mean(_ part: Range<Int>) -> Double {
      let sum = output[part].reduce(0) { $0 + Double($1) }
      return 20 * log10(max(abs(sum) / Double(part.count), 1e-9))
    }
    #expect(mean(9600..<48000) < -60, "\(mean(9600..<48000)) dB")
    #expect(mean(80000..<96000) < -90, "\(mean(80000..<96000)) dB")
  }

  @Test(arguments: [(465, -80.0), (837, -75)])
  func `an amplifier makes harmonics and almost nothing else`(_ limit: (Int, Double)) throws {
    // Tones of 5 and of 9 kHz at -6 dBFS, at 44.1 kHz.
    let input = (0..<12 * 4096).map {
      Float(0.5 * sin(2 * Double.pi * Double(limit.0 * $0 % 4096) / 4096))
    }
    let output = Array(try renderer("amp", rate: 44100).render([input])[0].suffix(4096))
    let rest = inharmonic(output, cycles: limit.0)
    #expect(rest < limit.1, "\(rest) dB")
  }

  @Test(
    arguments: [
      ("saturator", 1_309_885_166_616_107_635), ("clipper", 7_523_169_317_708_227_990),
      ("amp", 10_926_216_817_400_863_373),
    ] as [(String, UInt64)])
  func `the first revision keeps its bits`(_ expected: (String, UInt64)) throws {
    let renderer = try renderer(expected.0, revision: 1)
    renderer.motions[0] = .line(from: -10, to: 0, frames: 2000..<3000)
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for sample in renderer.render([Signal.noise(6000, seed: 3)])[0] {
      digest = (digest ^ UInt64(sample.bitPattern)) &* 0x100_0000_01b3
    }
    #expect(digest == expected.1, "\(digest)")
  }
}
