import FxAudio
@testable import FxChecks
import FxTestSupport
@testable import FxUnits
import Testing

/// The cases of EBU Tech 3341 and 3342 that can be computed, through `stats` and the unit `meter`.
/// Long parts are shortened, and most cases are at 8 kHz. `benchmarks/sound/readings.py` measures all of
/// them in full at three sample rates.
@Suite struct `The loudness of EBU Tech 3341 and 3342` {
  /// A part of a sound: its level in dBFS, or silence, and its seconds.
  typealias Part = (level: Double?, seconds: Double)

  struct Readings {
    var momentary = -Double.infinity
    var shortTerm = -Double.infinity
    var integrated = -Double.infinity
    var range = 0.0
    var highestMomentary = -Double.infinity
    var highestShortTerm = -Double.infinity
    var truePeak = -Double.infinity
  }

  /// A sine of 1 kHz with these levels, one after another.
  private func tone(_ parts: [Part], _ rate: Double) -> [Float] {
    // 1 kHz repeats after a second at every integer sample rate.
    let wave = Signal.tone(1000, sampleRate: rate, Int(rate))
    var (samples, seconds): ([Float], Double) = ([], 0)
    for part in parts {
      seconds += part.seconds
      let gain = part.level.map { Float(Math.amplitude(decibels: $0)) } ?? 0
      while samples.count < Int((seconds * rate).rounded()) {
        samples.append(gain * wave[samples.count % wave.count])
      }
    }
    return samples
  }

  private func statistics(_ channels: [[Float]], _ rate: Double) throws -> Readings {
    let format = StreamFormat(sampleRate: rate, channelCount: channels.count)
    let curve = try #require(LoudnessCurve(format))
    let block = PlanarBuffer(channelCount: channels.count, frameCount: 777)
    var frame = 0
    while frame < channels[0].count {
      let count = min(block.frameCount, channels[0].count - frame)
      for (channel, samples) in channels.enumerated() {
        samples.withUnsafeBufferPointer {
          if let base = $0.baseAddress { block[channel].update(from: base + frame, count: count) }
        }
      }
      curve.add(block.readable, frameCount: count)
      frame += count
    }
    let summary = curve.summary
    return Readings(
      integrated: summary.integrated, range: summary.range,
      highestMomentary: summary.highestMomentary, highestShortTerm: summary.highestShortTerm,
      truePeak: summary.truePeak)
  }

  private func metered(_ channels: [[Float]], _ rate: Double, block: Int = 2048) throws -> Readings
  {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "meter" })
    let meter = try UnitRenderer(type, inputWidths: [channels.count], sampleRate: rate)
    _ = meter.render(channels, blocks: [block])
    func reading(_ id: String) throws -> Double {
      Double(try #require(meter.readings(id).max()))
    }
    return Readings(
      momentary: try reading("momentary"), shortTerm: try reading("shortTerm"),
      integrated: try reading("integrated"), range: try reading("range"),
      highestMomentary: try reading("highestMomentary"),
      highestShortTerm: try reading("highestShortTerm"), truePeak: try reading("truePeak"))
  }

  private func both(_ parts: [Part], _ rate: Double) throws -> [Readings] {
    let samples = tone(parts, rate)
    return [try statistics([samples, samples], rate), try metered([samples, samples], rate)]
  }

  private static let gated: [Part] = [(-36, 2), (-23, 14), (-36, 2)]
  static let integrated: [(name: Int, parts: [Part], loudness: Double)] = [
    (1, [(-23, 4)], -23), (2, [(-33, 4)], -33), (3, gated, -23),
    (4, [(-72, 2)] + gated + [(-72, 2)], -23), (5, [(-26, 6), (-20, 6.03), (-26, 6)], -23),
  ]

  @Test(arguments: 1...5) func `case of integrated loudness`(_ name: Int) throws {
    let entry = try #require(Self.integrated.first { $0.name == name })
    for readings in try both(entry.parts, 8000) {
      #expect(abs(readings.integrated - entry.loudness) <= 0.1)
    }
    if entry.parts.count == 1 {
      let samples = tone(entry.parts, 8000)
      let readings = try metered([samples, samples], 8000)
      #expect(abs(readings.momentary - entry.loudness) <= 0.1)
      #expect(abs(readings.shortTerm - entry.loudness) <= 0.1)
    }
  }

  @Test func `surround channels count 1.41 times (case 6)`() throws {
    let channels = [-28.0, -28, -24, -30, -30].map { tone([($0, 3)], 8000) }
    for readings in [try statistics(channels, 8000), try metered(channels, 8000)] {
      #expect(abs(readings.integrated - -23) <= 0.1)
    }
  }

  @Test func `levels that repeat every 3 s and every 400 ms stay constant (cases 9 and 12)`() throws
  {
    let slow = tone((0..<3).flatMap { _ -> [Part] in [(-20, 1.34), (-30, 1.66)] }, 8000)
    for loudness in try course(of: "shortTerm", slow, 8000).dropFirst(24000 / 203 + 1) {
      #expect(abs(loudness - -23) <= 0.1)
    }
    let fast = tone((0..<6).flatMap { _ -> [Part] in [(-20, 0.18), (-30, 0.22)] }, 8000)
    for loudness in try course(of: "momentary", fast, 8000).dropFirst(8000 / 203 + 1) {
      #expect(abs(loudness - -23) <= 0.1)
    }
  }

  /// A reading of the unit `meter` after every block of 203 frames.
  private func course(of id: String, _ samples: [Float], _ rate: Double) throws -> [Double] {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "meter" })
    let meter = try UnitRenderer(type, inputWidths: [2], sampleRate: rate)
    return try stride(from: 0, to: samples.count, by: 203).map { start in
      let block = [Float](samples[start..<min(start + 203, samples.count)])
      _ = meter.render([block, block], blocks: [203])
      return Double(try #require(meter.readings(id).first))
    }
  }

  @Test(arguments: 0..<20) func `the highest loudness does not depend on when a sound begins`(
    _ offset: Int
  ) throws {
    // Cases 10 and 13.
    let long: [Part] = [(nil, 0.15 * Double(offset)), (-23, 3), (nil, 0.2)]
    for readings in offset % 4 == 3 ? try both(long, 8000) : [] {
      #expect(abs(readings.highestShortTerm - -23) <= 0.1)
    }
    let short: [Part] = [(nil, 0.02 * Double(offset)), (-23, 0.4), (nil, 0.2)]
    let high: [Int: Double] = [3: 44100, 11: 48000, 17: 96000]
    for rate in [8000] + [high[offset]].compactMap(\.self) {
      for readings in try both(short, rate) {
        #expect(abs(readings.highestMomentary - -23) <= 0.1)
      }
    }
  }

  @Test func `the highest loudness is that of the loudest sound (cases 11 and 14)`() throws {
    func parts(_ unit: Double, _ length: Double) -> [Part] {
      (0..<20).flatMap { index -> [Part] in
        let wait = Double(index) * unit
        return [(nil, wait), (-38 + Double(index), length), (nil, length - wait)]
      }
    }
    // The six loudest are enough.
    for readings in try both(Array(parts(0.15, 3).suffix(18)), 8000) {
      #expect(abs(readings.highestShortTerm - -19) <= 0.1)
    }
    for readings in try both(parts(0.02, 0.4), 8000) {
      #expect(abs(readings.highestMomentary - -19) <= 0.1)
    }
  }

  /// Cases 15 to 19: the share of the sample rate, the phase in degrees and the amplitude.
  @Test(
    arguments: [
      [4, 0, 0.5, -6], [4, 45, 0.5, -6], [6, 60, 0.5, -6], [8, 67.5, 0.5, -6], [4, 45, 1.41, 3],
    ] as [[Double]], [44100.0, 48000, 96000])
  func `a true peak between samples is found`(_ entry: [Double], _ rate: Double) throws {
    let (divisor, phase, amplitude, peak) = (entry[0], entry[1], entry[2], entry[3])
    let samples = (0..<4000).map { frame in
      // The tone rises and falls over a tenth, because a sudden start has a peak of its own.
      let edge = min(Double(min(frame, 3999 - frame)) / 400, 1)
      let turns = Double(frame) / divisor + phase / 360
      return Float(amplitude * edge * Math.sin(2 * Double.pi * turns))
    }
    for readings in [try statistics([samples], rate), try metered([samples], rate)] {
      #expect(readings.truePeak >= peak - 0.4 && readings.truePeak <= peak + 0.2)
    }
  }

  private static let ranges: [[Double]: Double] = [
    [-20, -30]: 10, [-20, -15]: 5, [-40, -20]: 20, [-50, -35, -20, -35, -50]: 15,
  ]

  @Test(arguments: ranges.keys) func `the range of EBU Tech 3342`(_ levels: [Double]) throws {
    let range = try #require(Self.ranges[levels])
    for readings in try both(levels.map { ($0, 20) }, 8000) {
      #expect(abs(readings.range - range) <= 1)
    }
  }

  @Test(arguments: [44100.0, 48000, 96000])
  func `every reading is the same at high sample rates`(_ rate: Double) throws {
    let samples = tone([(-23, 3.1)], rate)
    for readings in [
      try statistics([samples, samples], rate), try metered([samples, samples], rate),
    ] {
      let found = [readings.integrated, readings.highestMomentary, readings.highestShortTerm]
      #expect(found.allSatisfy { abs($0 - -23) <= 0.1 }, "\(found)")
    }
    let levels = try statistics([tone([(-20, 6), (-30, 6)], rate)], rate)
    #expect(abs(levels.range - 10) <= 1)
  }
}
