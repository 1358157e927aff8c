import FxAudio
@testable import FxChain
import Testing

struct ValueTests {
  private let context = ValueContext(sampleRate: 48000, tempo: 120)

  private func read(_ text: String, _ measure: Measure, _ context: ValueContext) -> String {
    let spec = ParameterSpec("p", "", measure, -(.infinity)...(.infinity), default: 0)
    do throws(ValueProblem) {
      return shortNumber(try spec.value(.text(text), context: context))
    } catch {
      return error.code.rawValue
    }
  }

  @Test(
    arguments: [
      ("-6 dB", Measure.decibels, "-6"), ("-6dB", .decibels, "-6"), ("-6 db", .decibels, "-6"),
      (" +6.5 dB ", .decibels, "6.5"), ("−6 dB", .decibels, "-6"), ("-inf dB", .decibels, "-inf"),
      ("-inf", .decibels, "-inf"), ("-18", .decibels, "-18"), ("-1e1 dB", .decibels, "-10"),
      (".5 dB", .decibels, "0.5"), ("80 Hz", .hertz, "80"), ("3.2 kHz", .hertz, "3200"),
      ("3.2khz", .hertz, "3200"), ("20 ms", .seconds, "0.02"), ("20ms", .seconds, "0.02"),
      ("1.8 s", .seconds, "1.8"), ("250 us", .seconds, "0.00025"), ("2 min", .seconds, "120"),
      ("1 h", .seconds, "3600"), ("1:30", .seconds, "90"), ("0:10", .seconds, "10"),
      ("1:02:03.5", .seconds, "3723.5"), ("480 frames", .seconds, "0.01"),
      ("1/8", .seconds, "0.25"), ("2 beats", .seconds, "1"), ("1/8", .beats, "0.5"),
      ("1/8.", .beats, "0.75"), ("1/4t", .frames, "16000"), ("1/4 T", .seconds, "invalid-value"),
      ("3/16", .seconds, "0.375"), ("1/8t", .ratio, "wrong-unit"), ("1/8.", .none, "wrong-unit"),
      ("500 ms", .beats, "1"), ("2 st", .semitones, "2"), ("1 oct", .semitones, "12"),
      ("50 ct", .semitones, "0.5"), ("1 oct", .octaves, "1"), ("6 st", .octaves, "0.5"),
      ("50 %", .ratio, "0.5"), ("50%", .ratio, "0.5"), ("4:1", .ratio, "4"),
      ("3/4", .ratio, "0.75"),
      ("0 dB", .ratio, "1"), ("0.3", .ratio, "0.3"), ("480 frames", .frames, "480"),
      ("10 ms", .frames, "480"), ("1/4", .frames, "24000"), ("90°", .degrees, "90"),
      ("90 deg", .degrees, "90"), ("120 bpm", .bpm, "120"), ("5", .none, "5"), ("4:1", .none, "4"),
      ("3/4", .none, "0.75"),
      // Mistakes.
      ("5 ms", .decibels, "wrong-unit"), ("6 dB", .hertz, "wrong-unit"),
      ("3 Hz", .seconds, "wrong-unit"),
      ("5 Hz", .none, "wrong-unit"), ("1:30", .decibels, "wrong-unit"),
      ("1:02:03", .none, "wrong-unit"),
      ("5 parsec", .seconds, "wrong-unit"), ("loud", .decibels, "invalid-value"),
      ("", .decibels, "invalid-value"), ("dB", .decibels, "invalid-value"),
      ("1 2", .decibels, "invalid-value"), ("--1", .decibels, "invalid-value"),
      ("1.", .decibels, "invalid-value"), ("nan", .decibels, "invalid-value"),
      ("1/0", .beats, "invalid-value"), ("1:99", .seconds, "invalid-value"),
      ("-1:30", .seconds, "invalid-value"), ("1:2:3:4", .seconds, "invalid-value"),
      ("1e400 dB", .decibels, "invalid-value"),
    ] as [(String, Measure, String)])
  func `a text is read with its unit of measure`(
    _ text: String, _ measure: Measure, _ expected: String
  ) {
    #expect(read(text, measure, context) == expected)
  }

  @Test func `frames need a sample rate and beats a tempo`() {
    #expect(read("480 frames", .seconds, ValueContext(tempo: 120)) == "needs-sample-rate")
    #expect(read("10 ms", .frames, ValueContext()) == "needs-sample-rate")
    #expect(read("1/8", .seconds, ValueContext(sampleRate: 48000)) == "needs-tempo")
    #expect(read("480 frames", .frames, ValueContext()) == "480")
    #expect(read("1/8", .beats, ValueContext()) == "0.5")
  }

  @Test func `decibels become amplitudes to the last bit or nearly`() {
    #expect(amplitude(decibels: 0) == 1)
    #expect(amplitude(decibels: -.infinity) == 0)
    #expect(abs(amplitude(decibels: 20) - 10) < 4e-15)
    #expect(abs(amplitude(decibels: -20) - 0.1) < 1e-16)
    #expect(abs(amplitude(decibels: -6) - 0.501187233627272285) < 2e-16)
    #expect(amplitude(decibels: 1e6) == .infinity)
    #expect(amplitude(decibels: -1e6) == 0)
  }

  private func problem(_ raw: RawValue, _ spec: ParameterSpec) -> String {
    do throws(ValueProblem) {
      return shortNumber(try spec.value(raw, context: context))
    } catch {
      return ([error.message] + error.hints).joined(separator: " | ")
    }
  }

  @Test func `ranges are errors and never clamps`() {
    let ratio = ParameterSpec("ratio", "", .ratio, 1...20, default: 2)
    #expect(problem(.number(20), ratio) == "20")
    #expect(
      problem(.number(40), ratio)
        == "'ratio' 40 is above the maximum of 20 | (ratio: 1…20, default 2)")
    #expect(
      problem(.text("0.5:1"), ratio)
        == "'ratio' \"0.5:1\" is below the minimum of 1 | (ratio: 1…20, default 2)")
    let gain = ParameterSpec.gain("gain", "")
    #expect(problem(.text("-inf dB"), gain) == "-inf")
    #expect(
      problem(.text("inf dB"), gain)
        == "'gain' \"inf dB\" is above the maximum of 24 dB | (gain: -inf…24 dB, default 0)")
    let frequency = ParameterSpec.frequency("frequency", "", 10...30000, default: 80)
    #expect(
      problem(.number(25000), frequency)
        == "'frequency' 25000 is above half the sample rate, 24000 Hz "
        + "| the chain runs at 48000 Hz")
  }

  @Test func `choices go by label in any case and by value`() {
    let mode = ParameterSpec(
      "mode", "", .none, 0...2, default: 0,
      choices: [.init("Hall", 0), .init("Room", 1), .init("Plate", 2)])
    #expect(problem(.text("Room"), mode) == "1")
    #expect(problem(.text("plate"), mode) == "2")
    #expect(problem(.number(2), mode) == "2")
    #expect(problem(.text("2"), mode) == "2")
    #expect(problem(.number(1.5), mode) == "'mode' cannot be 1.5 | one of: Hall, Room, Plate")
    #expect(
      problem(.text("Rom"), mode)
        == "'mode' cannot be \"Rom\" | did you mean 'Room'? | one of: Hall, Room, Plate")
    let open = ParameterSpec(
      "time", "", .seconds, 0...9, default: 0, choices: [.init("Long", 9)],
      choicesAreExclusive: false)
    #expect(problem(.text("long"), open) == "9")
    #expect(problem(.text("2 s"), open) == "2")
  }

  @Test func `switches are true and false and whole numbers whole`() {
    let mute = ParameterSpec.toggle("mute", "")
    for raw in [RawValue.flag(true), .number(1), .text("true"), .text("On")] {
      #expect(problem(raw, mute) == "1")
    }
    #expect(problem(.flag(false), mute) == "0")
    #expect(problem(.number(0.5), mute) == "'mute' is a switch: true or false")
    #expect(problem(.text("maybe"), mute) == "'mute' is a switch: true or false")
    let voices = ParameterSpec("voices", "", .none, 1...8, default: 4, isInteger: true)
    #expect(problem(.number(3), voices) == "3")
    #expect(
      problem(.number(2.5), voices)
        == "'voices' is a whole number, 2.5 is not | (voices: 1…8, default 4)")
    #expect(problem(.flag(true), voices) == "'voices' is not a switch | (voices: 1…8, default 4)")
  }

  @Test func `suggestions find typing errors and refuse distant words`() {
    let names = ["frequency", "gain", "threshold", "dryWet", "sidechain"]
    #expect(Suggestion.nearest(to: "freqency", in: names) == "frequency")
    #expect(Suggestion.nearest(to: "freq", in: names) == "frequency")
    #expect(Suggestion.nearest(to: "GAIN", in: names) == "gain")
    #expect(Suggestion.nearest(to: "gian", in: names) == "gain")
    #expect(Suggestion.nearest(to: "dry_wet", in: names) == "dryWet")
    #expect(Suggestion.nearest(to: "treshhold", in: names) == "threshold")
    #expect(Suggestion.nearest(to: "xyz", in: names) == nil)
    #expect(Suggestion.nearest(to: "", in: names) == nil)
    #expect(Suggestion.nearest(to: "a", in: ["b"]) == nil)
  }
}
