@testable import FxKit
import Testing

@Suite struct ChainTests {
  @Test func `a check names every mistake with its line and column`() throws {
    let chain = Chain(
      json: """
        { "version": 1,
          "chain": [
            { "unit": "gian" },
            { "unit": "gain", "parameters": { "gain": "60 dB" } } ] }
        """, path: "voice.json")
    let found = chain.check()
    #expect(found.map(\.severity) == [.error, .error])
    #expect(found.map(\.line) == [3, 4])
    #expect(found.map(\.column) == [15, 47])
    #expect(found.map(\.path) == ["/chain/0/unit", "/chain/1/parameters/gain"])
    #expect(found.allSatisfy { $0.file == "voice.json" })
    #expect(found[0].hints.contains { $0.contains("did you mean 'gain'?") })
    #expect(found[1].code == "out-of-range")
    #expect(found[0].description.hasPrefix("voice.json:3:15: error: "))
  }

  @Test func `columns count characters, lines count any line break`() throws {
    let chain = Chain(json: "{ \"version\": 1,\r\n\"name\": \"ÄÖ🎸\", \"chian\": [] }")
    let found = try #require(chain.check().first { $0.code == "unknown-key" })
    #expect((found.line, found.column) == (2, 16))
  }

  @Test func `a good chain has no diagnostics`() {
    #expect(list(#"{ "unit": "gain" }"#).check() == [])
    #expect(list("").check() == [])
  }

  @Test func `a check takes the channels that the chain gives`() {
    let chain = Chain(
      json: """
        { "version": 2, "channels": 6, "nodes": {
          "in": { "source": { "input": "main" } }, "centre": { "unit": "gain" },
          "out": { "sink": { "output": "main" } } },
          "connections": [{ "from": "in", "to": "centre", "channels": [3] }, "centre -> out"] }
        """)
    #expect(chain.check().filter { $0.severity == .error }.isEmpty)
    #expect(chain.check(channels: 2).contains { $0.message.contains("no channel 3") })
  }

  @Test func `a check depends on the sample rate`() {
    let chain = list(#"{ "unit": "lowPass", "parameters": { "frequency": "20 kHz" } }"#)
    #expect(chain.check() == [])
    #expect(chain.check(sampleRate: 22050).map(\.severity) == [.error])
  }

  @Test func `a missing file is reported in one sentence`() {
    let failed = failure { _ = try Chain(contentsOfFile: "/nowhere/voice.json") }
    #expect(failed?.kind == .chain)
    #expect(failed?.path == "/nowhere/voice.json")
    #expect(failed?.description.hasPrefix("/nowhere/voice.json: the chain cannot be read") == true)
  }

  @Test func `variables are given when a chain is loaded`() throws {
    let json =
      #"{ "version": 1, "tail": "none", "variables": { "g": "-20 dB" }, "chain": [{ "unit": "gain", "parameters": { "gain": "${g}" } }] }"#
    let loud = try ChainRenderer(Chain(json: json, variables: ["g": "-6 dB"]), channels: 1)
    #expect(abs(try loud.render([[1]])[0][0] - 0.501187) < 1e-5)
    #expect(
      Chain(json: json, variables: ["h": "1"]).check().map(\.severity) == [.error])
  }
}
