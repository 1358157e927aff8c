@testable import FxKit
import Testing

/// Sources, sinks and the keys that every node may have.
struct EndpointNodeTests {
  private func written(_ node: some ChainNode) -> ChainValue { .object(node.node.keys) }

  @Test func `sources are written as in a chain file`() {
    #expect(written(Input()) == ["source": ["input": "main"]])
    #expect(
      written(
        Source.file(
          "take.wav", layout: .surround51, cutSilence: .ends, start: 2, loop: .forever, gain: -3,
          fadeIn: Fade(.seconds(1), .sCurve), speed: .percent(90), keepPitch: true))
        == [
          "source": [
            "file": "take.wav", "layout": "5.1", "cutSilence": "ends", "start": 2,
            "loop": "forever", "gain": -3, "fadeIn": ["time": "1 s", "curve": "sCurve"],
            "speed": "90 %", "keepPitch": true,
          ]
        ])
    #expect(
      written(
        Source.player([
          Region("intro.flac", id: "intro"),
          Region("bed.flac", at: 0, until: .with("intro"), loop: 3),
          Region("talk.flac", after: "intro", until: .at(.minutes(2)), crossfade: 0.5),
        ]))
        == [
          "source": [
            "player": [
              ["file": "intro.flac", "id": "intro"],
              ["file": "bed.flac", "at": 0, "until": "intro", "loop": 3],
              ["file": "talk.flac", "after": "intro", "until": "2 min", "crossfade": 0.5],
            ]
          ]
        ])
    #expect(
      written(Source.signal(.sweep, duration: 5, from: 50))
        == ["source": ["signal": "sweep", "duration": 5, "from": 50]])
    #expect(written(Source.silent()) == ["source": ["null": true]])
    #expect(
      written(Source.device("hw:1", channels: 1)) == ["source": ["alsa": "hw:1", "channels": 1]])
  }

  @Test func `sinks are written as in a chain file`() {
    #expect(written(Output("radio")) == ["sink": ["output": "radio"]])
    #expect(
      written(
        Sink.file(
          "cd.wav", bits: 16, noiseShaping: true, tags: ["title": "x", "artist": "y"],
          fadeOut: .milliseconds(500), align: false))
        == [
          "sink": [
            "file": "cd.wav", "bits": 16, "noiseShaping": true,
            "tags": ["artist": "y", "title": "x"], "fadeOut": "500 ms", "align": false,
          ]
        ])
    #expect(
      written(Sink.standardOutput(format: .flac)) == ["sink": ["stdout": true, "format": "flac"]])
    #expect(written(Sink.discarded()) == ["sink": ["null": true]])
  }

  @Test func `a chain with sources and sinks of its own has no mistakes`() {
    let chain = Chain {
      Source.signal(.pinkNoise, duration: 1, level: -20).tap("noise.wav", bits: 24)
      Reverb(preset: .largeHall, wet: 0.3).wetLaw(.power).comment("far away")
      Delay().revision(1)
      Sink.file("far.flac", bits: 24)
    }
    #expect(chain.check() == [])
  }

  @Test func `every node may have a comment, a tap and any other key`() {
    #expect(
      written(Gain().comment("x").tap("a.wav").wetLaw(.power).revision(1).key("y", [1]))
        == [
          "unit": "gain@1", "comment": "x", "tap": "a.wav", "wetLaw": "power", "y": [1],
        ])
    #expect(written(Gain().tap("a.wav", bits: 24))["tap"] == ["file": "a.wav", "bits": 24])
    #expect(Gain().revision(1).node.unit == "gain")
    #expect(Input().revision(2) == Input())
  }

  @Test func `plugins and included chains are written as in a chain file`() {
    #expect(
      written(
        Node(
          plugin: "http://example.org/a", parameters: ["wet": 0.5, "drive": "3 dB"],
          options: ["isolated": true]))
        == [
          "lv2": "http://example.org/a", "isolated": true, "wet": 0.5,
          "parameters": ["drive": "3 dB"],
        ])
    #expect(
      written(Node(chain: "a.json", variables: ["cut": "80 Hz"], scene: "loud"))
        == ["use": "a.json", "variables": ["cut": "80 Hz"], "scene": "loud"])
  }

  @Test func `quantities are read back`() {
    #expect(Frequency(chainValue: "3.2 kHz") == .kilohertz(3.2))
    #expect(Level(chainValue: "-inf dB") == .silence)
    #expect(Level(-.infinity) == .silence && Level.decibels(-.infinity) == .silence)
    #expect(Level.decibels(-3) != -3)
    #expect(Time(chainValue: true) == nil)
    #expect(Time.note(3, 16).chainValue == "3/16")
    #expect(Time.note(1, 8, .triplet).chainValue == "1/8t")
    #expect(Beats.note(1, 8, .dotted).chainValue == "1/8.")
    #expect(Fade(chainValue: ["time": 1, "curve": "linear"]) == Fade(1, .linear))
    #expect(Fade(chainValue: 2) == 2)
    #expect(Repetition(chainValue: "forever") == .forever)
    #expect(Repetition(chainValue: 3) == 3)
    #expect(RegionEnd(chainValue: "intro") == .with("intro"))
    #expect(RegionEnd(chainValue: "1:30") == .at(Time(written: "1:30")))
    #expect(ChainTail(chainValue: "none") == ChainTail.none)
    #expect(WetLaw(chainValue: "power") == .power)
    #expect([Int](chainValue: [1, "x"]) == nil)
    #expect([String: String](chainValue: ["a": "b"]) == ["a": "b"])
  }
}
