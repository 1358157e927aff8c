import FxAudio
@testable import FxChain
import FxEngine
import Testing

/// A chain's tempo map, and values in beats.
@Suite struct TempoTests {
  private let delay = "{ \"unit\": \"delay\", \"parameters\": { \"time\": \"1/2\" } }"

  @Test func `a tempo map is a list of points by bar or time`() throws {
    let built = try #require(
      build(
        list(
          "",
          """
          "metre": "3/4", "tempo": [
            { "bar": 1, "tempo": 120 }, { "bar": 3, "tempo": "60 bpm", "metre": "4/4" },
            { "time": "5 s", "tempo": 90, "curve": "linear" } ]
          """)
      ).chain)
    let spans = try #require(built.tempoMap?.spans)
    #expect(spans.map(\.start) == [0, 3, 5])
    #expect(spans.map(\.tempo) == [120, 60, 90] && spans[1].slope == 15)
    #expect(spans.map(\.metre.text) == ["3/4", "4/4", "4/4"])
  }

  @Test(arguments: [
    ("\"tempo\": []", "a tempo map begins with a tempo"),
    ("\"tempo\": [ { \"bar\": 2, \"tempo\": 90 } ]", "a tempo map begins with a tempo"),
    ("\"tempo\": [ { \"bar\": 1, \"metre\": \"3/4\" } ]", "a tempo map begins with a tempo"),
    (
      "\"tempo\": [ { \"bar\": 1, \"tempo\": 90 }, { \"bar\": 1, \"tempo\": 80 } ]",
      "this point is not later"
    ),
    ("\"tempo\": [ { \"tempo\": 90 } ]", "a tempo point needs 'bar' or 'time'"),
    ("\"tempo\": [ { \"bar\": 1 } ]", "a tempo point needs 'tempo' or 'metre'"),
    (
      "\"tempo\": [ { \"bar\": 1, \"time\": 0, \"tempo\": 90 } ]",
      "a tempo point has either 'bar' or 'time'"
    ),
    ("\"tempo\": [ { \"bar\": 1, \"tempo\": 90, \"curve\": \"sine\" } ]", "'curve' cannot be"),
    ("\"tempo\": [ { \"bar\": 1, \"tempo\": 0 } ]", "'tempo' 0 is below the minimum"),
    ("\"tempo\": 90, \"metre\": \"4\"", "'metre' cannot be \"4\""),
    ("\"metre\": \"3/4\"", "'metre' needs a 'tempo'"),
    ("\"tempo\": [ 90 ]", "a tempo point is an object"),
  ])
  func `a mistake in it has its place`(_ text: String, _ message: String) {
    let (_, diagnostics) = build(list("", text))
    let first = diagnostics.all.first
    #expect(first?.message.hasPrefix(message) == true, "\(first?.message ?? "no message")")
    #expect(first?.place != nil)
  }

  @Test func `a value in beats follows the map as automation`() throws {
    let (chain, diagnostics) = build(
      list(
        delay,
        """
        "sampleRate": 48000,
        "tempo": [ { "bar": 1, "tempo": 120 }, { "time": "4 s", "tempo": 60 } ]
        """))
    #expect(diagnostics.isEmpty)
    let unit = try #require(chain?.unit("delay"))
    let slot = try #require(unit.parameters.firstIndex { $0.path == "time" })
    #expect(unit.values[slot] == 0.25 && unit.beats == [slot: 0.5])
    #expect(
      unit.automation == [
        Automation(
          slot: slot,
          points: [
            Automation.Point(seconds: 0, value: 0.25), Automation.Point(seconds: 4, value: 0.5),
          ])
      ])
    // One tempo needs none.
    let plain = build(list(delay, "\"tempo\": 120")).chain?.unit("delay")
    #expect(plain?.automation == [] && plain?.beats == [slot: 0.5])
  }

  @Test func `a gradual tempo change makes lines of automation`() throws {
    let unit = try #require(
      build(
        list(
          delay,
          """
          "sampleRate": 48000, "tempo": [ { "bar": 1, "tempo": 60 },
            { "time": "2 s", "tempo": 120, "curve": "linear" } ]
          """)
      ).chain?.unit("delay"))
    let points = try #require(unit.automation.first).points
    #expect(points.count == 42)
    for point in points.dropLast() {
      let tempo = 60 + 30 * point.seconds
      #expect(abs(point.value - 30 / tempo) < 1e-4)
    }
    #expect(points.last?.seconds == 2 && points.last?.value == 0.25)
  }

  @Test func `a value that is out of range at a later tempo is an error`() {
    let (_, diagnostics) = build(
      list(
        "{ \"unit\": \"delay\", \"parameters\": { \"time\": \"4 beats\" } }",
        "\"tempo\": [ { \"bar\": 1, \"tempo\": 240 }, { \"bar\": 9, \"tempo\": 10 } ]"))
    #expect(diagnostics.codes == [.outOfRange])
    #expect(diagnostics.all.first?.message.hasSuffix("at a tempo of 10 bpm") == true)
  }

  @Test func `automation and a set value take precedence over beats`() throws {
    let map = "\"tempo\": [ { \"bar\": 1, \"tempo\": 120 }, { \"bar\": 3, \"tempo\": 60 } ]"
    let set = build(
      list(delay, map),
      ChainEnvironment(overrides: [ParameterSetting("delay.time", "0.3")]))
    #expect(set.chain?.unit("delay")?.automation == [])
    let moved = build(
      list(
        delay,
        map
          + ", \"automation\": [ { \"parameter\": \"delay.time\", \"points\": [ [\"2 beats\", \"1/4\"], [\"9 beats\", \"0.1 s\"] ] } ]"
      ))
    let points = moved.chain?.unit("delay")?.automation.first?.points
    // The ninth beat is one beat of 60 after the change.
    #expect(points?.map(\.seconds) == [1, 5])
  }
}
