import FxChain
@testable import FxKit
import FxTestSupport
import Testing

@Suite("Version 2 of the chain format") struct ChainUpgradeTests {
  private let folder = TemporaryFolder()

  private func upgraded(_ text: String) throws -> String? {
    try ChainUpgrade(Chain(json: text, path: "\(folder.path)/chain.json")).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  /// The sound of a chain whose main input is noise.
  private func sound(_ text: String, _ variables: [String: String] = [:]) throws -> [[Float]] {
    let received = SampleCollector()
    var request = RenderRequest(inputs: ["main": "\(folder.path)/noise.wav"])
    request.sampleOutputs["main"] = .push { channels, _ in received.add(channels) }
    var state: UInt32 = 1
    let noise = (0..<8000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state) >> 8) / Float(1 << 24)
    }
    _ = try folder.writeSound("noise.wav", noise, rate: 8000, channels: 1)
    _ = try Chain(json: text, path: "\(folder.path)/chain.json", variables: variables)
      .render(request)
    return received.samples
  }

  private func delay(_ time: String, version: Int, settings: String = "\"tempo\": 240") -> String {
    """
    { "version": \(version), \(settings), "tail": "none",
      "chain": [ { "unit": "delay", "parameters": { "time": "\(time)", "feedback": 0 } } ] }
    """
  }

  @Test(
    arguments: [
      // A beat is 0.25 s.
      ("1/8", 1, "\"tempo\": 240", "31.25 ms"), ("1/8", 2, "\"tempo\": 240", "125 ms"),
      ("1/8.", 2, "\"tempo\": 240", "187.5 ms"), ("1/4t", 2, "\"tempo\": 200", "200 ms"),
      ("1/8", 1, "\"tempo\": 240, \"metre\": \"6/8\"", "31.25 ms"),
      ("1/8", 2, "\"tempo\": 240, \"metre\": \"6/8\"", "250 ms"),
      ("0.5 beats", 1, "\"tempo\": 240", "125 ms"), ("0.5 beats", 2, "\"tempo\": 240", "125 ms"),
    ])
  func `a note is a note, and in version 1 a part of a beat`(
    _ time: String, _ version: Int, _ settings: String, _ same: String
  ) throws {
    #expect(
      try sound(delay(time, version: version, settings: settings))
        == sound(delay(same, version: version)))
  }

  @Test func `an upgrade keeps order, spacing, comments and ratios`() throws {
    let old = """
      {
        "comment": "1/8",   "version":1,
        "tempo" : 120,
        "variables": { "echo": "2/4", "half": "1/2" },
        "chain": [
          { "unit": "delay", "parameters": { "time": "${echo}", "feedback": "${half}" } },
          { "id": "duck", "unit": "compressor", "parameters": { "ratio": "4/1" }, "comment": "1/4" },
          { "unit": "tremolo", "parameters": { "rate": "3/4" } },
          { "id": "late", "unit": "delay", "parameters": { "time": "1/3" } } ],
        "automation": [ { "parameter": "late.time", "points": [ ["1/2", "1/2"], ["9/2", "1/4", "linear"] ] } ],
        "scenes": { "a": { "parameters": { "delay.time": "1/16" } } }
      }
      """
    var new = old
    for (was, `is`) in [
      ("\"version\":1", "\"version\":2"), ("\"echo\": \"2/4\"", "\"echo\": \"1/8\""),
      ("\"rate\": \"3/4\"", "\"rate\": \"3/16\""), ("\"time\": \"1/3\"", "\"time\": \"1/12\""),
      ("[\"1/2\", \"1/2\"]", "[\"1/8\", \"1/8\"]"), ("[\"9/2\", \"1/4\"", "[\"9/8\", \"1/16\""),
      ("\"delay.time\": \"1/16\"", "\"delay.time\": \"1/64\""),
    ] { new = new.replacing(was, with: `is`) }
    #expect(try upgraded(old) == new)
    #expect(try sound(old) == sound(new))
    #expect(try upgraded(new) == nil)
  }

  @Test func `a metre in eighths makes other notes, and a changing one beats`() throws {
    #expect(
      try upgraded(delay("1/2", version: 1, settings: "\"tempo\": 120, \"metre\": \"6/8\""))
        == delay("1/16", version: 2, settings: "\"tempo\": 120, \"metre\": \"6/8\""))
    let changing =
      "\"tempo\": [ { \"bar\": 1, \"tempo\": 240 }, { \"bar\": 2, \"metre\": \"6/8\" } ]"
    #expect(
      try upgraded(delay("1/2", version: 1, settings: changing))
        == delay("0.5 beats", version: 2, settings: changing))
  }

  @Test func `a version may be a text or a variable`() throws {
    for version in ["\"1\"", "\"${v}\""] {
      let text = """
        { "version": \(version), "variables": { "v": 1 }, "tempo": 240, "tail": "none",
          "chain": [ { "unit": "delay", "parameters": { "time": "1/8", "feedback": 0 } } ] }
        """
      #expect(try sound(text) == sound(delay("31.25 ms", version: 1)))
      let new = try #require(try upgraded(text))
      #expect(new.contains("\"version\": 2,") && new.contains("\"time\": \"1/32\""))
    }
  }

  @Test func `a time for an included chain becomes beats`() throws {
    for version in [1, 2] {
      let inner = """
        { "version": \(version), "variables": { "time": "1/4" },
          "chain": [ { "unit": "delay", "parameters": { "time": "${time}" } } ] }
        """
      _ = folder.write("inner.json", Array(inner.utf8))
      let outer = """
        { "version": 1, "tempo": 200,
          "chain": [ { "use": "inner.json", "variables": { "time": "1/2" } } ] }
        """
      let new = try #require(try upgraded(outer))
      // An inner chain of version 2 has always read a note.
      #expect(new.contains(version == 1 ? "\"time\": \"0.5 beats\"" : "\"time\": \"1/2\""))
      #expect(try sound(outer) == sound(new))
    }
  }

  @Test func `regions, notes and loops in beats move too`() throws {
    let text = """
      { "version": 1, "tempo": 240, "sampleRate": 8000,
        "nodes": {
          "in": { "source": { "player": [ { "file": "noise.wav", "at": "1/2", "duration": "3/2", "fadeIn": "1/8" } ] } },
          "mix": { "unit": "mixer" }, "low": { "unit": "lowPass" }, "out": { "sink": "main" } },
        "connections": [ "in -> mix -> low -> out",
          { "from": "low", "to": "mix", "feedback": true, "delay": "1/4", "gain": "-6 dB" } ] }
      """
    _ = try sound(delay("1/8", version: 1))
    let new = try #require(try upgraded(text))
    for part in [
      "\"at\": \"1/8\"", "\"duration\": \"3/8\"", "\"fadeIn\": \"1/32\"", "\"delay\": \"1/16\"",
    ] {
      #expect(new.contains(part), "\(new)")
    }
  }

  @Test func `a value typed at a running chain is read by the chain's version`() throws {
    for (version, seconds) in [(1, 0.03125), (2, 0.125)] {
      let chain = Chain(json: delay("1 s", version: version), path: "chain.json")
      let built = try chain.planned().built
      let parameter = try built.parameter("delay.time")
      #expect(try built.value("1/8", for: parameter) == seconds)
      var request = RenderRequest()
      request.settings = [.init("delay.time", "1/8")]
      let node = try chain.planned(asked: request).built.graph.nodes.first { $0.id == "delay" }
      guard case .unit(let unit)? = node?.content else { throw CancellationError() }
      #expect(unit.values[parameter.slot] == seconds)
    }
  }
}
