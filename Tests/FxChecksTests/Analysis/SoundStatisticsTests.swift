import Foundation
import FxAudio
@testable import FxChecks
import FxTestSupport
import Testing

/// Figures of a sound that arrives in blocks, compared with arithmetic.
struct SoundStatisticsTests {
  private let rate = 48000.0

  private func measure(_ channels: [[Float]], block: Int = 1000) -> SoundStatistics {
    let meter = SoundMeter(StreamFormat(sampleRate: rate, channelCount: channels.count))
    let rows = channels.map { _ in UnsafeMutablePointer<Float>.allocate(capacity: block) }
    defer { for row in rows { row.deallocate() } }
    var frame = 0
    while frame < channels[0].count {
      let count = min(block, channels[0].count - frame)
      for (row, channel) in zip(rows, channels) {
        for index in 0..<count { row[index] = channel[frame + index] }
      }
      rows.withUnsafeBufferPointer { rows in
        if let base = rows.baseAddress { meter.add(base, frameCount: count) }
      }
      frame += count
    }
    return meter.statistics()
  }

  private func tone(_ frequency: Double, _ amplitude: Double, seconds: Double = 2) -> [Float] {
    (0..<Int(seconds * rate)).map {
      Float(amplitude * sin(2 * Double.pi * frequency * Double($0) / rate))
    }
  }

  @Test func `levels of a tone are those of arithmetic`() throws {
    let sound = measure([tone(997, 0.5), tone(997, 0.5).map { $0 + 0.1 }])
    let (left, right) = (sound.channels[0], sound.channels[1])
    #expect(abs(left.peak - -6.02) < 0.01)
    #expect(abs(left.rms - -9.03) < 0.01)
    #expect(abs(left.crest - 3.01) < 0.01)
    #expect(abs(left.dc) < 1e-4)
    #expect(abs(right.dc - 0.1) < 1e-4)
    // BS.1770: a tone of 997 Hz and full scale in one channel has -3.01 LUFS.
    let mono = try #require(measure([tone(997, 1, seconds: 4)]).loudness)
    #expect(abs(mono.integrated - -3.01) < 0.05)
    #expect(abs(mono.highestShortTerm - -3.01) < 0.05)
    #expect(abs(mono.truePeak) < 0.05)
  }

  @Test func `blocks of any size give the same figures`() {
    let sound = [tone(440, 0.3), tone(3000, 0.1)]
    let (one, other) = (measure(sound, block: 1000), measure(sound, block: 37))
    #expect(one.channels.map(\.rms) == other.channels.map(\.rms))
    #expect(one.loudness?.integrated == other.loudness?.integrated)
    #expect(one.bandwidth == other.bandwidth)
    #expect(one.noiseFloor == other.noiseFloor)
  }

  @Test func `silence is found at the start, at the end and inside`() {
    let quiet = [Float](repeating: 0, count: 48000)
    let sound = measure([quiet + tone(500, 0.5) + quiet + quiet + tone(500, 0.5) + quiet])
    #expect(abs(sound.silence.start - 1) < 0.06)
    #expect(abs(sound.silence.end - 1) < 0.06)
    #expect(abs(sound.silence.total - 4) < 0.2)
    #expect(abs(sound.silence.longest - 2) < 0.11)
    let nothing = measure([quiet])
    #expect(nothing.channels[0].peak == -.infinity)
    #expect(nothing.noiseFloor == -.infinity)
    #expect(nothing.bandwidth == 0)
    #expect(nothing.channels[0].crest == 0)
  }

  @Test func `clipped samples lie side by side`() {
    // Above full scale for a part of each period.
    let clipped = tone(100, 2).map { max(-1, min(1, $0)) }
    let count = clipped.count { abs($0) >= 1 }
    let sound = measure([clipped])
    #expect(sound.channels[0].clippedCount == count)
    // A peak that touches full scale is not clipped.
    #expect(measure([[0, 1, 0, -1, -1, 0]]).channels[0].clippedCount == 0)
  }

  @Test func `the bandwidth is where the spectrum ends`() {
    let sound = measure([zip(tone(1000, 0.3), tone(15000, 0.001)).map { $0 + $1 }])
    #expect(abs(sound.bandwidth - 15000) < 100)
  }

  @Test func `samples that are no numbers are counted and change nothing else`() {
    var samples = tone(997, 0.5)
    let clean = measure([samples])
    samples += [.nan, .infinity]
    let sound = measure([samples])
    #expect(sound.channels[0].nonFiniteCount == 2)
    #expect(sound.channels[0].peak == clean.channels[0].peak)
    #expect(sound.loudness?.integrated.isFinite == true)
  }

  @Test func `an envelope of any length has every peak in a few points`() throws {
    for count in [1, 15, 5000, 500_000] {
      var samples = [Float](repeating: 0.25, count: count)
      samples[count / 3] = -0.9
      samples[count / 2] = 0.8
      let envelope = measure([samples, samples]).envelope
      let points = envelope.points
      #expect(points.count <= SoundEnvelope.mostPoints)
      #expect(points.count == (count + envelope.framesPerPoint - 1) / envelope.framesPerPoint)
      #expect(points.map(\.high).max() == 0.8)
      #expect(count == 1 || points[count / 3 / envelope.framesPerPoint].low == -0.9)
      let last = try #require(points.last)
      #expect(count < 100 || abs(last.rms - 0.25) < 1e-6)
    }
  }

  @Test func `loudness has no value before its window is complete`() throws {
    let loudness = try #require(measure([tone(997, 0.5, seconds: 4)]).loudness)
    #expect(loudness.momentary.prefix(3).allSatisfy { $0 == -.infinity })
    #expect(loudness.shortTerm.prefix(29).allSatisfy { $0 == -.infinity })
    #expect(loudness.momentary.dropFirst(3).allSatisfy { abs($0 + 9.03) < 0.1 })
    #expect(loudness.shortTerm.dropFirst(29).allSatisfy { abs($0 + 9.03) < 0.1 })
  }

  @Test func `the picture of a file labels its lines and draws only what was measured`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("tone.wav")
    try Sound(channels: [tone(997, 0.5, seconds: 4)], sampleRate: rate).write(toFile: path)
    let page = try FileStatistics(path: path) { _, _ in true }.page
    #expect(page.charts.map(\.title) == ["Wave", "Loudness", "Spectrum"])
    let loudness = page.charts[1]
    #expect(
      loudness.curves.map(\.name) == ["momentary", "short-term", "integrated \u{2212}9.0"])
    #expect(loudness.curves.allSatisfy { !$0.isReference })
    #expect(loudness.curves[1].points.filter { $0.y.isFinite }.allSatisfy { $0.x > 2.95 })
    #expect(page.charts[0].curves[0].bars.count > 900)
    #expect(
      page.charts[2].up.ticks.allSatisfy { $0.value.truncatingRemainder(dividingBy: 10) == 0 })
    #expect(page.charts[2].up.range.lowerBound >= -140)
  }
}
