import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct LooperTests {
  private let fade = LoopRun.fade

  @Test func `a second press closes the loop, which repeats to the bit`() throws {
    let input = Signal.noise(12000)
    // Both presses are inside of a block.
    let output = try LoopRun(presses: ["pedal": [1003, 3010]])(input)
    let length = 2007
    #expect(output[..<3011].allSatisfy { $0 == 0 })
    // The first pass fades in, and the last frames are crossfaded.
    let plain = fade..<length - fade
    #expect(
      output[3010 + plain.lowerBound..<3010 + plain.upperBound]
        == input[1003 + plain.lowerBound..<1003 + plain.upperBound])
    let second = 3010 + length
    #expect(output[second..<second + fade] == input[1003..<1003 + fade])
    #expect(output[second..<second + length] == output[second + length..<second + 2 * length])
  }

  @Test func `the input goes through with its level`() throws {
    let input = Signal.noise(3000)
    #expect(try LoopRun(parameters: ["through": 0])(input) == input)
    let quieter = try LoopRun(parameters: ["through": -6])(input)
    let amplitude: Double = Math.amplitude(decibels: -6)
    let factor = Float(amplitude)
    #expect(quieter == input.map { $0 * factor })
  }

  @Test func `an overdub adds to the loop, and undo and redo restore it to the bit`() throws {
    let input = Signal.noise(20000)
    // The loop has 1000 frames from 2000 on; the overdub lasts from pass 3 to pass 4.
    let run = LoopRun(presses: ["pedal": [1000, 2000, 4200, 5600], "undo": [8100, 10100, 12100]])
    let output = try run(input)
    let before = output[3000..<4000]
    let after = output[7000..<8000]
    #expect(before != after)
    #expect(output[9000..<10000] == before)
    #expect(output[11000..<12000] == after)
    #expect(output[13000..<14000] == before)
    // Two passes of input from 4240 on lie over frame 250.
    let sum = before[3250] + input[4250] + input[5250]
    #expect(abs(after[7250] - sum) < 1e-6)
    #expect(after[7700] == before[3700] + input[4700])
  }

  @Test func `an undo removes only the last of two overdubs, and an undone one is forgotten`()
    throws
  {
    let input = Signal.noise(20000)
    let run = LoopRun(
      presses: [
        // Overdubs of frames 200 to 600, 400 to 800 and 500 to 900.
        "pedal": [1000, 2000, 3200, 3600, 5400, 5800, 9500, 9900], "undo": [7900, 11900],
      ])
    let output = try run(input)
    let first = output[4000..<5000]
    let second = output[6000..<7000]
    #expect(first != second)
    #expect(output[8000..<9000] == first)
    let third = output[10000..<11000]
    #expect(third[10700] == first[4700] + input[9700])
    #expect(output[13000..<14000] == first)
  }

  @Test func `feedback turns earlier layers down with every pass of an overdub`() throws {
    var input = Signal.silence(12000)
    for index in 1000..<2000 { input[index] = 0.5 }
    let run = LoopRun(presses: ["pedal": [1000, 2000, 3000]], parameters: ["feedback": 0.5])
    let output = try run(input)
    #expect(output[3500] == 0.5)
    #expect(output[4500] == 0.25)
    #expect(output[6500] == 0.0625)
  }

  @Test func `half speed has half the rate and the same samples`() throws {
    let input = Signal.tone(400, sampleRate: LoopRun.sampleRate, 20000)
    let output = try LoopRun(
      presses: ["pedal": [0, 4000]], held: ["halfSpeed": 3000..<30000])(input)
    let even = stride(from: 8000, to: 11000, by: 2).map { output[$0] }
    #expect(even == Array(input[2000..<3500]))
    #expect(abs(LoopRun.level(200, output[8000..<11200])) < 0.01)
    #expect(LoopRun.level(400, output[8000..<11200]) < -60)
  }

  @Test func `reverse plays the frames backwards`() throws {
    let input = Signal.noise(12000)
    let output = try LoopRun(
      presses: ["pedal": [1000, 3000]], held: ["reverse": 0..<30000])(input)
    let plain = output[5000 + fade..<7000]
    #expect(Array(plain) == input[1000..<3000 - fade].reversed())
  }

  @Test func `an overdub at half speed is an octave higher at full speed`() throws {
    var input = Signal.tone(400, sampleRate: LoopRun.sampleRate, 40000)
    for index in 0..<4100 { input[index] = 0 }
    // Half speed from before the overdub until after it.
    let output = try LoopRun(
      presses: ["pedal": [0, 4000, 8000, 16000]], held: ["halfSpeed": 100..<20000])(input)
    let whole = output[28000..<31200]
    #expect(abs(LoopRun.level(800, whole)) < 0.05)
    #expect(LoopRun.level(400, whole) < -60)
  }

  @Test func `an overdub at half speed lies over the frames that were heard with it`() throws {
    var input = Signal.silence(20000)
    input[9000] = 1
    let output = try LoopRun(
      presses: ["pedal": [0, 2000, 8000, 10000]], held: ["halfSpeed": 0..<11000])(input)
    // At 9000, half speed has moved 3500 frames since 2000: frame 1500.
    let pass = Array(output[14000..<20000])
    let peak = try #require(pass.indices.max { abs(pass[$0]) < abs(pass[$1]) })
    // At 11000, it goes on at full speed from frame 4500: the loop begins at 10500.
    #expect((14000 + peak - 10500) % 2000 == 1500)
  }

  @Test func `a press of stop fades out, and the next pedal plays from the beginning`() throws {
    let input = Signal.noise(12000)
    let output = try LoopRun(presses: ["pedal": [1000, 3000, 8000], "stop": [5300]])(input)
    #expect(output[5300..<5300 + fade].contains { $0 != 0 })
    #expect(output[5300 + fade..<8001].allSatisfy { $0 == 0 })
    #expect(output[8000 + fade..<9000] == input[1000 + fade..<2000])
  }

  @Test func `a second stop clears, or a long one with hold`() throws {
    let input = Signal.noise(14000)
    let twice = try LoopRun(presses: ["pedal": [1000, 3000, 8000, 9000], "stop": [5300, 6000]])(
      input)
    // The pedal records a new loop.
    #expect(twice[5400..<9001].allSatisfy { $0 == 0 })
    #expect(twice[9000 + fade..<9900] == input[8000 + fade..<8900])

    let held = LoopRun(
      presses: ["pedal": [1000, 3000, 9000]], held: ["stop": 5300..<8000],
      options: ["hold": .number(0.25)])
    let renderer = try held.renderer()
    _ = renderer.render([Array(input[..<7299])])
    #expect(renderer.readings("state") == [4])
    _ = renderer.render([Array(input[7299..<7301])])
    #expect(renderer.readings("state") == [0])
  }

  @Test func `a full memory closes the loop`() throws {
    let input = Signal.noise(20000)
    let output = try LoopRun(presses: ["pedal": [500]])(input)
    #expect(output[8500 + fade..<16000] == input[500 + fade..<8000])
    let overdubbed = try LoopRun(
      presses: ["pedal": [500]], options: ["afterRecording": .text("overdub")])(input)
    #expect(overdubbed[17000] == input[1000] + input[9000])
  }

  @Test func `record, play and overdub lead to their state from any other`() throws {
    let input = Signal.noise(20000)
    let run = LoopRun(
      presses: ["record": [1000, 9000], "overdub": [2000], "play": [3000, 4500, 11000]])
    let renderer = try run.renderer()
    var states: [Float] = []
    for end in stride(from: 500, to: 12500, by: 1000) {
      _ = renderer.render([Array(input[renderer.frame..<end])])
      states += renderer.readings("state")
    }
    #expect(states == [0, 1, 3, 2, 2, 2, 2, 2, 2, 1, 1, 2])
    let output = try run(input)
    // Played from its beginning.
    #expect(output[4500 + fade..<5400] == output[3000 + fade..<3900])
    #expect(output[11000 + fade..<12900] == input[9000 + fade..<10900])
  }

  @Test func `an undo while it records discards the recording`() throws {
    let input = Signal.noise(6000)
    let run = LoopRun(presses: ["pedal": [1000, 3000], "undo": [2000]])
    let renderer = try run.renderer()
    #expect(renderer.render([input])[0].allSatisfy { $0 == 0 })
    #expect(renderer.readings("state") == [1])
    #expect(renderer.readings("length") == [Float(3000 / 8000.0)])
  }

  @Test func `readings name state, place, length and layers`() throws {
    let input = Signal.noise(12000)
    let run = LoopRun(
      presses: ["pedal": [1000, 3000, 4000, 5000, 6000, 7000], "undo": [8000], "stop": [9000]])
    let renderer = try run.renderer()
    func readings(at frame: Int) -> [Float] {
      _ = renderer.render([Array(input[renderer.frame..<frame])])
      return ["state", "position", "length", "layers"].flatMap { renderer.readings($0) }
    }
    #expect(readings(at: 500) == [0, 0, 0, 0])
    #expect(readings(at: 2000) == [1, 0.125, 0.125, 0])
    #expect(readings(at: 3500) == [2, 0.0625, 0.25, 1])
    #expect(readings(at: 4500) == [3, 0.1875, 0.25, 2])
    #expect(readings(at: 7500) == [2, 0.0625, 0.25, 3])
    #expect(readings(at: 8500) == [2, 0.1875, 0.25, 2])
    #expect(readings(at: 9500) == [4, 0, 0.25, 2])
  }
}
