import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct DelayTests {
  private func delay(
    channels: Int = 1, pingPong: Bool = false, change: String = "glide",
    parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Delay.self), inputWidths: [channels],
      options: ["pingPong": .flag(pingPong), "change": .text(change)],
      parameters: parameters, motions: motions, sampleRate: 8000)
  }

  @Test(arguments: [0.001, 0.0125, 0.1])
  func `echoes come at multiples of the time, each as much quieter`(time: Double) throws {
    let unit = try delay(parameters: ["time": time, "feedback": 0.5])
    let frames = Int(time * 8000)
    let output = unit.render([Signal.impulse(3 * frames + 1)])[0]
    for echo in 1...3 {
      #expect(output[echo * frames] == Float(Math.pow(0.5, Double(echo - 1))))
    }
    #expect(output[0] == 0)
    if frames > 10 { #expect(Measured.peak(Array(output[..<frames])) == 0) }
  }

  @Test func `a time between two frames is interpolated`() throws {
    let unit = try delay(parameters: ["time": 0.01 + 0.5 / 8000, "feedback": 0])
    let input = Signal.tone(400, sampleRate: 8000, 1200)
    let output = unit.render([input])[0]
    let wanted = Signal.tone(400, sampleRate: 16000, 2400)
    // 80.5 frames are 161 half frames.
    var error: Float = 0
    for frame in 800..<1200 { error = max(error, abs(output[frame] - wanted[2 * frame - 161])) }
    #expect(error < 0.004)
  }

  @Test func `the tail lasts until an echo has fallen by 90 dB`() throws {
    let unit = try delay(parameters: ["time": 0.01, "feedback": 0.5, "lowCut": 20])
    guard case .frames(let tail) = unit.instance.tail else {
      Issue.record("no tail")
      return
    }
    let output = unit.render([Signal.impulse(tail + 400)])[0]
    #expect(Measured.peakLevel(Array(output[tail...])) < -90)
    #expect(Measured.peakLevel(Array(output[(tail - 1000)...])) > -90)
    let endless = try delay(parameters: ["time": 5, "feedback": 0.98])
    #expect(endless.instance.tail == .frames(60 * 8000))
  }

  @Test func `the filters in the loop take more from every echo`() throws {
    func echoes(_ hertz: Double, _ parameters: [String: Double]) throws -> [Double] {
      let unit = try delay(parameters: ["time": 0.1, "feedback": 0.5].merging(parameters) { $1 })
      let burst = Signal.tone(hertz, sampleRate: 8000, 400) + Signal.silence(2000)
      let output = unit.render([burst])[0]
      return [1, 2].map { Measured.rmsLevel(output[($0 * 800 + 100)..<($0 * 800 + 400)]) }
    }
    let treble = try echoes(2000, ["highCut": 500])
    #expect(treble[0] < -3 - 9)
    #expect(treble[1] < treble[0] - 6 - 9)
    let bass = try echoes(50, ["lowCut": 500])
    #expect(bass[1] < bass[0] - 6 - 9)
  }

  @Test func `ping-pong echoes change sides`() throws {
    let unit = try delay(
      channels: 2, pingPong: true, parameters: ["time": 0.02, "feedback": 0.5])
    let output = unit.render([Signal.impulse(500), Signal.impulse(500)])
    for (echo, level) in [(1, 1), (2, 0.5), (3, 0.25)] as [(Int, Float)] {
      let side = (echo + 1) % 2
      #expect(output[side][160 * echo] == level)
      #expect(output[1 - side][160 * echo] == 0)
    }
  }

  @Test func `a gliding time bends the pitch and does not click`() throws {
    let unit = try delay(
      parameters: ["feedback": 0], motions: ["time": .line(from: 0.1, to: 0.2, frames: 1500..<3100)]
    )
    let output = unit.render([Signal.tone(400, sampleRate: 8000, 4000)])[0]
    // The line moves by half a frame each frame: the tone falls by an octave, to 200 Hz.
    let during = Array(output[1900..<2700])
    let bent = Measured.spectrum(during, at: 200, sampleRate: 8000).magnitude
    let kept = Measured.spectrum(during, at: 400, sampleRate: 8000).magnitude
    #expect(bent > 20 * kept)
    #expect(Measured.largestStep(Array(output[900...])) < 0.35)
  }

  @Test func `nothing is heard before the first echo, and silence gives silence`() throws {
    let unit = try delay(channels: 2)
    let nothing = [Signal.silence(400), Signal.silence(400)]
    #expect(unit.render(nothing) == nothing)
  }

  @Test func `infinities and not-a-number do not stay in the loop`() throws {
    let unit = try delay(parameters: ["time": 0.01])
    let spoilt: [Float] = [.nan, .infinity, -.infinity, 1]
    let output = unit.render([spoilt + Signal.silence(300)])[0]
    let isFinite = output.allSatisfy(\.isFinite)
    #expect(isFinite)
    #expect(output[83] > 0.9)
  }

  @Test(arguments: [1, 2, 3], [true, false])
  func `the output does not depend on block sizes`(channels: Int, pingPong: Bool) throws {
    let unit = try delay(
      channels: channels, pingPong: pingPong,
      motions: [
        "time": .line(from: 0.01, to: 0.05, frames: 100..<500),
        "feedback": .line(from: 0.2, to: 0.9, frames: 30..<400),
        "highCut": .line(from: 300, to: 4000, frames: 60..<330),
        "lowCut": .line(from: 10, to: 400, frames: 20..<600),
      ])
    let input = (0..<channels).map { Signal.noise(900, seed: UInt64($0)) }
    let whole = unit.render(input, blocks: [900])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }
}
