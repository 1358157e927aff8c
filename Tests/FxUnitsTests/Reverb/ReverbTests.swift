import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct ReverbTests {
  private func reverb(
    channels: Int = 2, size: Double = 0.5, parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Reverb.self), inputWidths: [channels], options: ["size": .number(size)],
      parameters: parameters, motions: motions, sampleRate: 8000)
  }

  /// The impulse response to both channels.
  private func response(_ parameters: [String: Double], _ count: Int) throws -> [[Float]] {
    let unit = try reverb(parameters: parameters.merging(["preDelay": 0]) { $1 })
    return unit.render([Signal.impulse(count), Signal.impulse(count)])
  }

  /// The time in which a response falls by 60 dB, from its backward integral between -5 and -35 dB
  /// (ISO 3382).
  private func decayTime(_ response: [Float]) -> Double {
    var energy = 0.0
    var levels = response.reversed().map { sample -> Double in
      energy += Double(sample) * Double(sample)
      return energy
    }
    levels.reverse()
    let total = levels[0]
    let first = levels.firstIndex { $0 < total * 0.316_228 } ?? 0
    let last = levels.firstIndex { $0 < total * 0.000_316_228 } ?? 0
    return Double(last - first) / 8000 * 2
  }

  /// Four one-pole low passes.
  private func bass(_ signal: [Float], _ coefficient: Float) -> [Float] {
    (0..<4).reduce(signal) { signal, _ in
      var state: Float = 0
      return signal.map { sample in
        state += coefficient * (sample - state)
        return state
      }
    }
  }

  @Test(arguments: [0.2, 0.4, 0.8])
  func `the bass falls by 60 dB in the decay time`(decay: Double) throws {
    let output = try response(
      ["decay": decay, "damping": 20000, "lowCut": 10, "early": -300], Int(8000 * decay))
    for channel in output {
      #expect(abs(decayTime(bass(channel, 0.5)) / decay - 1) < 0.1)
    }
  }

  @Test func `the damping frequency decays in half the time`() throws {
    let decay = 0.6
    let output = try response(["decay": decay, "damping": 1000, "lowCut": 10], 5000)[0]
    // The level around a frequency, measured over several bins.
    func level(_ frames: Range<Int>, at hertz: Double) -> Double {
      var power = 0.0
      for shift in stride(from: -60.0, through: 60, by: 20) {
        let bin = Measured.spectrum(Array(output[frames]), at: hertz + shift, sampleRate: 8000)
        power += bin.magnitude * bin.magnitude
      }
      return Math.decibels(amplitude: Math.squareRoot(power))
    }
    let fall = level(800..<1600, at: 1000) - level(2400..<3200, at: 1000)
    // 0.2 s at 60 dB in 0.3 s.
    #expect(abs(fall - 40) < 5)
  }

  @Test(arguments: [0.0, 0.02, 0.1])
  func `the reverberation begins after the pre-delay`(preDelay: Double) throws {
    let unit = try reverb(parameters: ["preDelay": preDelay])
    let output = unit.render([Signal.impulse(2000), Signal.impulse(2000)])[0]
    let first = try #require(output.firstIndex { $0 != 0 })
    let undelayed = try reverb(parameters: ["preDelay": 0])
    let reference = undelayed.render([Signal.impulse(2000), Signal.impulse(2000)])[0]
    let wall = try #require(reference.firstIndex { $0 != 0 })
    #expect(first - wall == Int((preDelay * 8000).rounded()))
    #expect(wall == 0)
  }

  @Test func `width goes from the same on both sides to unlike sides`() throws {
    let narrow = try response(["width": 0], 2000)
    #expect(narrow[0] == narrow[1])
    let wide = try response(["width": 1], 2000)
    var product = 0.0
    for (left, right) in zip(wide[0], wide[1]) { product += Double(left) * Double(right) }
    let scale = Measured.rms(wide[0]) * Measured.rms(wide[1]) * 2000
    #expect(abs(product / scale) < 0.25)
    // The loudness stays.
    #expect(abs(Measured.rmsLevel(narrow[0]) - Measured.rmsLevel(wide[0])) < 2)
  }

  @Test(arguments: [0.3, 1.0])
  func `noise keeps about its level`(decay: Double) throws {
    let unit = try reverb(parameters: ["decay": decay, "damping": 20000])
    let input = [Signal.noise(8000, seed: 1), Signal.noise(8000, seed: 2)]
    let output = unit.render(input)
    for channel in 0..<2 {
      let change = Measured.rmsLevel(output[channel][5000...]) - Measured.rmsLevel(input[channel])
      #expect(abs(change) < 4)
    }
  }

  @Test func `the reverberation of one side reaches that side first, then the other`() throws {
    let unit = try reverb(parameters: ["preDelay": 0, "decay": 0.5])
    let output = unit.render([Signal.impulse(3000), Signal.silence(3000)])
    let left = try #require(output[0].firstIndex { abs($0) > 1e-4 })
    let right = try #require(output[1].firstIndex { abs($0) > 1e-4 })
    #expect(left < right)
    #expect(Measured.rms(output[1][1500...]) > 0.3 * Measured.rms(output[0][1500...]))
  }

  @Test func `the response becomes as dense as noise`() throws {
    let output = try response(["decay": 1, "damping": 20000], 3000)[0]
    // Of Gaussian noise 31.7 % lie beyond one deviation (Abel and Huang, AES 121, 2006).
    let late = output[1200..<2200]
    let deviation = Float(Measured.rms(late))
    let beyond = late.count { abs($0) > deviation }
    #expect(Double(beyond) / 1000 > 0.8 * 0.317)
  }

  @Test func `the tail covers what is above -90 dB`() throws {
    let unit = try reverb(parameters: ["decay": 0.25, "preDelay": 0.125, "damping": 20000])
    guard case .frames(let tail) = unit.instance.tail else {
      Issue.record("no tail")
      return
    }
    #expect(tail > 4000 && tail < 8000)
    let output = unit.render([Signal.impulse(tail + 800), Signal.impulse(tail + 800)])[0]
    #expect(Measured.peakLevel(Array(output[tail...])) < -90)
  }

  @Test(arguments: [1, 2, 3, 6])
  func `silence gives silence, and every channel has reverberation`(channels: Int) throws {
    let unit = try reverb(channels: channels)
    let silence = [[Float]](repeating: Signal.silence(300), count: channels)
    #expect(unit.render(silence) == silence)
    unit.reset()
    let noise = (0..<channels).map { Signal.noise(1500, seed: UInt64($0)) }
    let low = ChannelLayout.usual(channels).channels.firstIndex(of: .lowFrequency)
    for (index, channel) in unit.render(noise).enumerated() where index != low {
      #expect(Measured.rms(channel[1000...]) > 0.05)
    }
  }

  @Test func `infinities and not-a-number do not stay in the reverberation`() throws {
    let unit = try reverb(channels: 1)
    let output = unit.render([[.nan, .infinity, -.infinity, 1] + Signal.silence(1000)])[0]
    let isFinite = output.allSatisfy(\.isFinite)
    #expect(isFinite)
    #expect(Measured.peak(output) > 0.01)
  }

  @Test(arguments: [1, 2, 3], [0.2, 1])
  func `the output does not depend on block sizes`(channels: Int, size: Double) throws {
    let unit = try reverb(
      channels: channels, size: size,
      motions: [
        "decay": .line(from: 0.5, to: 3, frames: 100..<500),
        "preDelay": .line(from: 0, to: 0.02, frames: 30..<400),
        "damping": .line(from: 600, to: 4000, frames: 60..<330),
        "lowCut": .line(from: 10, to: 400, frames: 20..<600),
        "width": .line(from: 1, to: 0.2, frames: 300..<700),
        "highDecay": .line(from: 0.3, to: 1, frames: 50..<600),
        "lowDecay": .line(from: 1, to: 2, frames: 150..<800),
        "early": .line(from: -20, to: 6, frames: 150..<800),
        "diffusion": .line(from: 1, to: 0, frames: 70..<900),
        "modulation": .line(from: 0, to: 1, frames: 220..<470),
      ])
    let input = (0..<channels).map { Signal.noise(900, seed: UInt64($0)) }
    let whole = unit.render(input, blocks: [900])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }

  /// Every output channel when one channel of a layout has an impulse.
  private func surround(
    _ channel: ChannelName, of name: String, revision: Int = 4
  ) throws -> [[Float]] {
    let layout = try #require(ChannelLayout(named: name))
    let heard = try #require(layout.channels.firstIndex(of: channel))
    let silence = [Float](repeating: 0, count: 4000)
    var input = [[Float]](repeating: silence, count: layout.channelCount)
    input[heard] = Signal.impulse(4000)
    return try UnitRenderer(
      try builtIn("reverb@\(revision)"), inputWidths: [layout.channelCount],
      options: ["size": .number(0.5)], sampleRate: 8000, layout: layout
    ).render(input)
  }

  private func energy(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }

  @Test(arguments: ["5.1", "5.1(side)", "7.1", "2.1"])
  func `the low-frequency channel neither causes nor receives reverberation`(name: String) throws {
    let layout = try #require(ChannelLayout(named: name))
    let low = try #require(layout.channels.firstIndex(of: .lowFrequency))
    #expect(try surround(.lowFrequency, of: name).allSatisfy { energy($0) == 0 })
    let output = try surround(.frontLeft, of: name)
    #expect(energy(output[low]) == 0)
    for channel in output.indices where channel != low { #expect(energy(output[channel]) > 0) }
  }

  @Test func `the centre causes as much reverberation on the left as on the right`() throws {
    let output = try surround(.frontCentre, of: "5.1")
    #expect(abs(energy(output[0]) / energy(output[1]) - 1) < 0.2)
  }

  @Test func `in the first revision the centre was on the left, low frequencies on the right`()
    throws
  {
    let output = try surround(.frontCentre, of: "5.1", revision: 1)
    #expect(abs(energy(output[0]) / energy(output[1]) - 1) > 0.2)
    #expect(try surround(.lowFrequency, of: "5.1", revision: 1).contains { energy($0) > 0 })
  }

  @Test func `the first revision still renders the same bits`() throws {
    var made = SampleDigest()
    for channel in try surround(.frontCentre, of: "5.1", revision: 1) {
      made.append(channel, frameCount: channel.count)
    }
    #expect(made.value == 17_077_592_554_799_102_597)
  }
}
