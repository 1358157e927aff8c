import FxAudio
@testable import FxKit
import Testing

/// The options of a request, which are declared once.
@Suite struct RequestOptionTests {
  private static let values: [String: OptionValue] = [
    "start": .number(1.5), "duration": .number(20), "repeat": .number(3), "reverse": .flag(true),
    "mono": .flag(true),
    "channels": .text("2,1"), "loudness": .number(-16), "sampleRate": .number(48000),
    "resampling": .text("low"), "blockSize": .number(64), "threads": .number(2),
    "memory": .number(1_000_000), "streamBuffer": .number(2), "streamTimeout": .number(9),
    "streamAttempts": .number(4), "tagsFromInput": .flag(false), "cover": .text("a.png"),
    "chapters": .text("a.cue"), "chaptersTo": .text("b.json"),
    "captureChannels": .number(4), "hardwareLatency": .number(0.01), "period": .number(128),
    "periods": .number(4), "volume": .number(-6), "rest": .number(30), "format": .text("flac"),
    "bits": .number(32), "integer": .flag(true), "dither": .flag(false),
    "noiseShaping": .flag(true), "normalize": .number(-1), "bitRate": .number(128),
    "quality": .number(0.5), "compression": .number(3), "loudnessTags": .flag(true),
    "tags": .texts(["title": "a"]), "fadeIn": .number(1), "fadeOut": .number(2),
    "padStart": .number(3), "padEnd": .number(4), "split": .text("silence"),
    "silenceLevel": .number(-60), "silenceTime": .number(1), "silenceKeep": .number(0.1),
    "record": .text("level"), "startLevel": .number(-30), "stopLevel": .number(-50),
    "stopTime": .number(3), "preRoll": .number(1), "cutSilence": .text("ends"),
    "silenceFade": .number(0.01),
  ]

  @Test func `every option is stored in the request and read back`() {
    #expect(Set(RequestOption.all.map(\.key)) == Set(Self.values.keys))
    for (key, value) in Self.values {
      var request = RenderRequest()
      // The options that another one needs.
      var needs: [String: OptionValue] = [:]
      if key.hasPrefix("silence") {
        needs = ["cutSilence": .text("all"), "split": .text("silence")]
      }
      if ["startLevel", "stopLevel", "stopTime", "preRoll"].contains(key) {
        needs["record"] = .text("level")
      }
      if key == "integer" { needs["bits"] = .number(32) }
      request.set(needs.merging([key: value]) { $1 })
      #expect(request.values[key] == value, "\(key)")
    }
  }

  @Test func `all options together are read back, and later ones keep earlier ones`() {
    var request = RenderRequest()
    request.set(Self.values)
    #expect(request.values == Self.values)
    request.set(["fadeIn": .number(9)])
    #expect(request.values == Self.values.merging(["fadeIn": .number(9)]) { $1 })
  }

  @Test(arguments: [
    ("fadeIn", "1:30", OptionValue.number(90)), ("fadeIn", "20ms", .number(0.02)),
    ("start", "1:02:03.5", .number(3723.5)), ("volume", "-6dB", .number(-6)),
    ("volume", "-6", .number(-6)), ("silenceLevel", "-60 dB", .number(-60)),
    ("memory", "512M", .number(536_870_912)), ("channels", "2,1", .text("2,1")),
    ("split", "10min", .text("600.0 s")), ("resampling", "HIGH", .text("high")),
    ("sampleRate", "48 kHz", .number(48000)),
  ])
  func `a text is read in the unit of its option`(
    _ key: String, _ text: String, _ value: OptionValue
  ) throws {
    #expect(try RequestOption[key].read(text) == [key: value])
  }

  @Test func `a number of bits may be that of whole numbers`() throws {
    #expect(
      try RequestOption["bits"].read("int32") == ["bits": .number(32), "integer": .flag(true)])
    #expect(
      try RequestOption["bits"].read("16") == ["bits": .number(16), "integer": .flag(false)])
  }

  @Test func `the name of a file may look like a number`() throws {
    for name in ["2026", "inf", "1e3", "0x10"] {
      #expect(try RequestOption["cover"].read(name) == ["cover": .text(name)])
    }
  }

  @Test(arguments: [
    ("fadeIn", "-1", "--fade-in"), ("fadeIn", "soon", "--fade-in"), ("bits", "int64", "--bits"),
    ("normalize", "3", "--normalize"), ("blockSize", "0", "--block-size"),
    ("blockSize", "1.5", "--block-size"), ("resampling", "best", "--resampling"),
    ("channels", "0,1", "--channels"), ("split", "often", "--split"),
    ("memory", "much", "--memory"),
  ])
  func `a wrong text is refused with the name of the option`(
    _ key: String, _ text: String, _ name: String
  ) {
    #expect(throws: ChainFailure.self) { try RequestOption[key].read(text) }
    do {
      _ = try RequestOption[key].read(text)
    } catch let failure {
      #expect(failure.kind == .request)
      #expect(failure.message.contains(name), "\(failure.message)")
    }
  }
}
