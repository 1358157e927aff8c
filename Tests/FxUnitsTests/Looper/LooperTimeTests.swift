import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `Time of a looper` {
  private let fade = LoopRun.fade

  /// Everything that a player can do, several times within a fade too.
  private static let everything = LoopRun(
    presses: [
      "pedal": [700, 2200, 3000, 4100, 9000, 9400, 9415, 9430, 14000],
      "undo": [5000, 5020, 6000, 9500], "stop": [8000, 15000, 15500],
      "play": [9700], "overdub": [10000, 12000], "record": [16000, 17000],
    ],
    held: ["halfSpeed": 6500..<7321, "reverse": 7000..<7100],
    parameters: ["feedback": 0.8, "through": -3])

  @Test func `every split into blocks gives the same bits`() throws {
    var run = Self.everything
    let input = [Signal.noise(20000, seed: 1), Signal.noise(20000, seed: 2)]
    var random = SeededRandom(3)
    let lengths = (0..<4000).map { _ in Int.random(in: 1...60, using: &random) }
    for quantize in ["off", "beat"] {
      run.options["quantize"] = .text(quantize)
      run.tempo = TempoMap(tempo: 300)
      let whole = try run.renderer(channels: 2).render(input, blocks: [4096])
      for blocks in [[1], [64], [333], lengths] {
        #expect(try run.renderer(channels: 2).render(input, blocks: blocks) == whole)
      }
      let inPlace = try run.renderer(channels: 2).render(input, blocks: [64], inPlace: true)
      #expect(inPlace == whole)
    }
  }

  @Test func `nothing that a player does clicks`() throws {
    let tone = Signal.tone(100, decibels: -12, sampleRate: LoopRun.sampleRate, 20000)
    var run = Self.everything
    run.parameters = [:]
    let output = try run(tone)
    // Of a sine of 100 Hz, and of fades over 40 frames of several layers.
    let largest = zip(output, output.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(largest < 0.12)
    let louder = output.map { abs($0) }.max() ?? 0
    #expect(louder > 0.3)
  }

  @Test func `a loop of beats begins and ends where the beats do`() throws {
    let input = Signal.noise(24000)
    var run = LoopRun(presses: ["pedal": [1000]], parameters: ["beats": 2])
    run.tempo = TempoMap(tempo: 300)
    // A beat has 1600 frames.
    let free = try run(input)
    #expect(free[4200 + fade..<7300] == input[1000 + fade..<4100])
    run.options["quantize"] = .text("beat")
    let beat = try run(input)
    #expect(beat[4800 + fade..<7900] == input[1600 + fade..<4700])
    run.options["quantize"] = .text("bar")
    let bar = try run(input)
    #expect(bar[9600 + fade..<12700] == input[6400 + fade..<9500])
  }

  @Test func `a loop of beats that are no whole number of frames has the length of its beats`()
    throws
  {
    var run = LoopRun(
      presses: ["pedal": [100]], parameters: ["beats": 3], options: ["quantize": .text("beat")])
    run.tempo = TempoMap(tempo: 327)
    let renderer = try run.renderer()
    _ = renderer.render([Signal.noise(9000)])
    // From frame 1467.89 to frame 5871.56.
    #expect(renderer.readings("length") == [Float(Double(5872 - 1468) / 8000)])
  }

  @Test func `with quantize, presses wait for a beat, and the last one counts`() throws {
    let input = Signal.noise(20000)
    var run = LoopRun(presses: ["pedal": [100, 2000], "stop": [5000, 7000], "play": [5500]])
    run.options["quantize"] = .text("beat")
    run.tempo = TempoMap(tempo: 300)
    let output = try run(input)
    #expect(output[3200 + fade..<4700] == input[1600 + fade..<3100])
    // `play` replaced `stop`: the loop begins again at 6400.
    #expect(output[6400 + fade..<7900] == input[1600 + fade..<3100])
    #expect(output[8000 + fade..<20000].allSatisfy { $0 == 0 })
  }

  @Test func `an undo acts at once and leaves the waiting press alone`() throws {
    var run = LoopRun(presses: ["pedal": [100, 3000], "undo": [3100]])
    run.options["quantize"] = .text("beat")
    run.tempo = TempoMap(tempo: 300)
    let renderer = try run.renderer()
    _ = renderer.render([Signal.noise(3200)])
    // The undo has discarded the recording; at 3200 the pedal begins another.
    #expect(renderer.readings("state") == [0])
    _ = renderer.render([Signal.noise(10)])
    #expect(renderer.readings("state") == [1])
  }

  @Test func `where the musical time stands still, presses act at once`() throws {
    let input = Signal.noise(6000)
    var run = LoopRun(presses: ["pedal": [1000, 3000]], options: ["quantize": .text("bar")])
    run.tempo = nil
    #expect(try run(input)[3000 + fade..<4900] == input[1000 + fade..<2900])
    // Two beats of 120 a minute.
    run = LoopRun(
      presses: ["pedal": [1000]], parameters: ["beats": 2], options: ["seconds": .number(2)])
    run.tempo = nil
    let renderer = try run.renderer()
    _ = renderer.render([Signal.noise(12000)])
    #expect(renderer.readings("length") == [1])
  }

  @Test func `with press change, each change of a button is a press`() throws {
    let input = Signal.noise(8000)
    let run = LoopRun(held: ["pedal": 1000..<3000], options: ["press": .text("change")])
    let output = try run(input)
    #expect(output[3000 + fade..<4900] == input[1000 + fade..<2900])
  }

  @Test func `a press at the first frame counts`() throws {
    let input = Signal.noise(4000)
    let output = try LoopRun(presses: ["pedal": [0, 1500]])(input)
    #expect(output[1500 + fade..<2900] == input[fade..<1400])
  }

  @Test func `a loop is never shorter than two fades`() throws {
    let renderer = try LoopRun(presses: ["pedal": [1000], "play": [1003]]).renderer()
    _ = renderer.render([Signal.noise(3000)])
    #expect(renderer.readings("state") == [2])
    #expect(renderer.readings("length") == [Float(80.0 / 8000)])
  }
}
