import FxAudio
import FxTestSupport
@testable import FxUnits
import Glibc
import Testing

/// Times, rates and frequencies at low sample rates compared with closed forms.
@Suite struct `Times and rates at low sample rates` {
  private func largest(_ sound: [Float]) -> Int? {
    sound.indices.max { abs(sound[$0]) < abs(sound[$1]) }
  }

  @Test(arguments: LowRates.all) func `delays are their times in frames`(_ rate: Double) throws {
    for frames in [40, 333, 2000] {
      let (click, seconds) = (Signal.impulse(frames + 400), Double(frames) / rate)
      let delay = try LowRates.unit(
        "delay", rate, ["time": seconds, "feedback": 0]
      ).render([click])[0]
      #expect(largest(delay) == frames && abs(delay[frames] - 1) < 0.02, "delay, \(frames)")
      let align = try LowRates.unit("align", rate, ["time": seconds]).render([click])[0]
      #expect(align[frames] == 1)
      if seconds < 0.05 {
        let haas = try LowRates.unit("haas", rate, widths: [2], ["time": seconds])
        let late = haas.render([click, click])[1]
        #expect(largest(late) == frames + haas.instance.latency)
      }
      if seconds < 0.25 {
        let reverb = { (time: Double) in
          try LowRates.unit("reverb", rate, widths: [2], ["preDelay": time])
            .render([click, click])[0].firstIndex { abs($0) > 1e-5 }
        }
        let (early, late) = (try #require(try reverb(0)), try #require(try reverb(seconds)))
        #expect(late - early == frames, "reverb, \(frames)")
      }
    }
    let doppler = try LowRates.unit(
      "spatial", rate,
      options: ["doppler": .flag(true), "method": .text("power"), "hrtf": .text("")],
      ["distance": 34.3])
    let late = doppler.render([Signal.impulse(Int(0.3 * rate))])[0]
    let arrival = Double(try #require(largest(late)) - doppler.instance.latency)
    #expect(abs(arrival - 0.1 * rate) <= 0.5)
  }

  @Test(arguments: LowRates.all) func `moving delays are their closed forms`(_ rate: Double) throws
  {
    let (tone, start) = (LowRates.tone(300, rate), Int(0.1 * rate))
    let vibrato = try LowRates.unit("vibrato", rate, ["rate": 3, "depth": 0.001])
      .render([tone])[0]
    let bent = LowRates.difference(vibrato, rate, from: start) {
      LowRates.sine(300, $0 - 0.005 - 0.001 * LowRates.sine(3, $0))
    }
    #expect(bent < 2e-3, "vibrato \(bent)")
    let chorus = try LowRates.unit(
      "chorus", rate, options: ["voices": .number(4)], ["rate": 1.5, "depth": 0.002, "time": 0.01]
    ).render([tone])[0]
    let spread = LowRates.difference(chorus, rate, from: start) { time in
      (0..<4).reduce(0.0) { sum, voice in
        let sway = LowRates.sine(1.5, time + Double(voice) / 6)
        return sum + 0.5 * LowRates.sine(300, time - 0.01 - 0.002 * sway)
      }
    }
    #expect(spread < 4e-3, "chorus \(spread)")
    let flanger = try LowRates.unit(
      "flanger", rate, options: ["throughZero": .flag(true)],
      ["rate": 2, "depth": 0.004, "feedback": 0])
    let latency = Double(flanger.instance.latency) / rate
    let swept = LowRates.difference(flanger.render([tone])[0], rate, from: start) {
      LowRates.sine(300, $0 - latency - 0.004 * LowRates.sine(2, $0))
    }
    #expect(swept < 2e-3, "flanger \(swept)")
  }

  @Test(arguments: LowRates.all) func `modulators have their rates`(_ rate: Double) throws {
    let (silence, one) = (Signal.silence(Int(rate)), Signal.constant(1, Int(rate)))
    let lfo = try LowRates.unit("lfo", rate, widths: [], ["rate": 7.3]).render([silence])[0]
    #expect(LowRates.difference(lfo, rate) { LowRates.sine(7.3, $0) } < 1e-5)
    let beats = try LowRates.unit("lfo", rate, widths: [], ["period": 0.25], tempo: 150)
      .render([silence])[0]
    #expect(LowRates.difference(beats, rate) { LowRates.sine(10, $0) } < 1e-5)
    let tremolo = try LowRates.unit("tremolo", rate, ["rate": 5.7, "depth": 0.8])
      .render([one])[0]
    #expect(LowRates.difference(tremolo, rate) { 0.6 + 0.4 * LowRates.sine(5.7, $0) } < 1e-5)
    let pan = try LowRates.unit("autoPan", rate, ["rate": 2, "depth": 1]).render([one])
    for (side, sign) in [(0, 1.0), (1, -1)] {
      let off = LowRates.difference(pan[side], rate) { time in
        let place = Double.pi / 4 * (1 - sign * LowRates.sine(2, time))
        return sin(sign > 0 ? Double.pi / 4 * (1 - LowRates.sine(2, time)) : place)
      }
      let opposite = LowRates.difference(pan[1 - side], rate) { time in
        sin(Double.pi / 4 * (1 - LowRates.sine(2, time) * sign))
      }
      #expect(min(off, opposite) < 1e-3, "autoPan \(off), \(opposite)")
    }
    let steps = try LowRates.unit(
      "steps", rate, widths: [], items: [ListItem(), ListItem(), ListItem()],
      ["rate": 10, "steps.1.value": 0.1, "steps.2.value": -0.5, "steps.3.value": 1]
    ).render([silence])[0]
    for frame in steps.indices {
      // A step may begin between two frames.
      let place = Double(frame) * 10 / rate
      if abs(place - place.rounded()) < 1e-6 { continue }
      #expect(steps[frame] == [0.1, -0.5, 1][Int(place) % 3])
    }
    let random = try LowRates.unit("random", rate, widths: [], ["rate": 20, "smoothing": 0])
      .render([silence])[0]
    #expect(abs(zip(random, random.dropFirst()).count { $0 != $1 } - 19) <= 1)
  }

  @Test(arguments: LowRates.all) func `carriers have their frequencies`(_ rate: Double) throws {
    let tone = LowRates.tone(1000, rate)
    let ring = try LowRates.unit("ringModulator", rate, ["frequency": 440]).render([tone])[0]
    let off = LowRates.difference(ring, rate) {
      LowRates.sine(440, $0) * LowRates.sine(1000, $0)
    }
    #expect(off < 1e-4, "\(off)")
    let shifter = try LowRates.unit("frequencyShifter", rate, ["shift": 137])
    let shifted = Array(shifter.render([tone])[0][Int(0.4 * rate)...])
    #expect(abs(LowRates.frequency(shifted, near: 1137, rate) - 1137) < 0.01)
    #expect(abs(LowRates.level(shifted, at: 1137, rate)) < 0.05)
    #expect(LowRates.level(shifted, at: 863, rate) < -60)
    for semitones in [-12.0, -5, 7] {
      let wanted = 500 * pow(2, semitones / 12)
      let pitch = try LowRates.unit("pitch", rate, ["shift": semitones])
      let long = LowRates.tone(500, rate, decibels: -6, seconds: 2)
      let found = LowRates.frequency(
        Array(pitch.render([long])[0][Int(1.2 * rate)...]), near: wanted, rate)
      #expect(abs(1200 * log2(found / wanted)) < 0.1, "\(semitones): \(found)")
    }
    let rotary = try LowRates.unit(
      "rotary", rate, ["fast": 1, "fastRate": 6, "distance": 3]
    ).render([LowRates.tone(3000, rate)])[0]
    let side = LowRates.level(rotary[Int(0.5 * rate)...], at: 3006, rate)
    #expect(side > LowRates.level(rotary[Int(0.5 * rate)...], at: 3009, rate) + 10)
  }

  @Test(arguments: LowRates.all, [2, 4, 12])
  func `a phaser has its notches`(_ rate: Double, _ stages: Int) throws {
    let unit = try LowRates.unit(
      "phaser", rate, options: ["stages": .number(Double(stages))],
      ["frequency": 1000, "depth": 0, "feedback": 0])
    var sum = unit.render([Signal.impulse(8192)])[0]
    sum[0] += 1
    for notch in 0..<stages / 2 {
      let turn = Double.pi * Double(2 * notch + 1) / Double(stages)
      let hertz = rate / .pi * atan(tan(turn / 2) * tan(.pi * 1000 / rate))
      #expect(Measured.response(of: sum, at: hertz, sampleRate: rate) < -54)
    }
  }

  @Test(arguments: LowRates.all) func `a metronome has its beats and its pitch`(_ rate: Double)
    throws
  {
    for hertz in [1000.0, 2500] {
      let unit = try LowRates.unit(
        "metronome", rate, widths: [], ["frequency": hertz, "level": 0], tempo: 150)
      let sound = unit.render([Signal.silence(Int(2 * rate))])[0]
      for beat in 0..<4 {
        let start = Double(beat) * 0.4 * rate
        let click = Array(sound[Int(start)..<Int(start + 0.02 * rate)])
        let before = beat == 0 ? 0 : abs(sound[Int(start) - 2])
        #expect(Measured.peak(click) > 0.5 && before < 1e-3)
        let pitch = beat == 0 ? hertz * 2.squareRoot() : hertz
        let best = stride(from: 0.5, through: 1.5, by: 0.02)
          .map { pitch * $0 }.filter { $0 < rate / 2 }
          .max { LowRates.level(click, at: $0, rate) < LowRates.level(click, at: $1, rate) }
        #expect(abs((best ?? 0) / pitch - 1) < 0.05, "beat \(beat): \(best ?? 0) Hz")
      }
    }
  }

  /// The time in which a response falls by 60 dB, from its backward integral between -5 and -35 dB
  /// (ISO 3382).
  private func decayTime(_ response: [Float], _ rate: Double) -> Double {
    var energy = 0.0
    var levels = response.reversed().map { sample -> Double in
      energy += Double(sample) * Double(sample)
      return energy
    }
    levels.reverse()
    let first = levels.firstIndex { $0 < levels[0] * 0.316_228 } ?? 0
    let last = levels.firstIndex { $0 < levels[0] * 0.000_316_228 } ?? 0
    return Double(last - first) / rate * 2
  }

  @Test(arguments: LowRates.all) func `a reverb falls by 60 dB in its decay time`(_ rate: Double)
    throws
  {
    for (decay, size) in [(0.4, 0.5), (0.8, 1.0)] {
      let unit = try LowRates.unit(
        "reverb", rate, widths: [2], options: ["size": .number(size)],
        ["decay": decay, "lowCut": 10, "early": -300, "preDelay": 0, "highDecay": 1])
      let count = Int(decay * rate)
      for channel in unit.render([Signal.impulse(count), Signal.impulse(count)]) {
        // The middle: from 300 Hz to 1.5 kHz.
        var response = channel
        for (id, hertz) in [("highPass", 300.0), ("lowPass", 1500)] {
          response = try LowRates.unit(
            id, rate, options: ["order": .number(4)], ["frequency": hertz]
          ).render([response])[0]
        }
        let found = decayTime(response, rate)
        #expect(abs(found / decay - 1) < 0.1, "\(decay) s: \(found)")
      }
    }
  }

  @Test(arguments: LowRates.all) func `a crusher holds samples for their time`(_ rate: Double)
    throws
  {
    let ramp = (0..<300).map { Float($0) / 512 }
    let output = try LowRates.unit("bitcrusher", rate, ["bits": 24, "rate": rate / 3])
      .render([ramp])[0]
    for frame in 0..<300 { #expect(abs(output[frame] - ramp[frame / 3 * 3]) < 1e-5) }
  }

  @Test(arguments: LowRates.all) func `an automatic wah has its frequency`(_ rate: Double) throws {
    // Far below the threshold the filter stays where it is in silence.
    let levels = try [300.0, 600, 150].map { hertz in
      let unit = try LowRates.unit("autoWah", rate, ["frequency": 300, "q": 8])
      let tone = LowRates.tone(hertz, rate, decibels: -90, seconds: 0.5)
      return Measured.rmsLevel(unit.render([tone])[0][Int(0.3 * rate)...]) + 93
    }
    #expect(levels[0] > levels[1] + 12 && levels[0] > levels[2] + 12, "\(levels)")
  }
}
