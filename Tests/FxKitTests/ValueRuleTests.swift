@testable import FxKit
import FxTestSupport
import Testing

/// Wrong units, keys without effect and values beyond a limit are errors.
@Suite struct ValueRuleTests {
  private func mistakes(_ chain: Chain, sampleRate: Double = 48000) -> [String] {
    chain.check(sampleRate: sampleRate).map { "\($0.code): \($0.message)" }
  }

  @Test(arguments: ["-16 LUFS", "-16 LKFS", "3 LU", "-6 dBFS", "-1 dBTP"])
  func `a gain is a change of level and accepts only dB`(_ value: String) {
    let gain = list(#"{ "unit": "gain", "parameters": { "gain": "\#(value)" } }"#)
    #expect(mistakes(gain) == [#"wrong-unit: 'gain' "\#(value)" has the wrong unit of measure"#])
    #expect(gain.check().first?.hints.first?.hasSuffix("write dB") == true)
    let delay = list(#"{ "unit": "delay", "parameters": { "feedback": "\#(value)" } }"#)
    #expect(delay.check().map(\.code) == ["wrong-unit"])
    let connection = Chain(
      json: """
        { "version": 1, "nodes": { "in": { "source": "main" }, "out": { "sink": "main" } },
          "connections": [ { "from": "in", "to": "out", "gain": "\(value)" } ] }
        """)
    #expect(connection.check().map(\.code) == ["wrong-unit"])
  }

  @Test func `thresholds and ceilings are levels against full scale`() {
    let chain = list(
      #"""
      { "unit": "gate", "parameters": { "threshold": "-50 dBFS" } },
      { "unit": "compressor", "parameters": { "threshold": "-20 dbfs", "makeup": "3 dB" } },
      { "unit": "limiter", "parameters": { "ceiling": "-1 dBFS" } },
      { "unit": "limiter", "parameters": { "ceiling": "-1 dBTP" } },
      { "unit": "loudness", "parameters": { "target": "-16 LUFS", "ceiling": "-1 dBTP" } }
      """#)
    #expect(mistakes(chain).isEmpty)
    let limiter = list(#"{ "unit": "limiter", "parameters": { "ceiling": "-1 LUFS" } }"#)
    #expect(limiter.check().map(\.code) == ["wrong-unit"])
    let gate = list(#"{ "unit": "gate", "parameters": { "threshold": "-50 dBTP" } }"#)
    #expect(gate.check().map(\.code) == ["wrong-unit"])
  }

  @Test(arguments: ["lowPass", "highPass"], [1, 3, 4, 8])
  func `a q without effect at the filter's order is an error`(_ unit: String, _ order: Int) {
    let chain = list(#"{ "unit": "\#(unit)", "order": \#(order), "parameters": { "q": 8 } }"#)
    #expect(
      mistakes(chain) == [#"unused-parameter: 'q' has no effect with "order": \#(order)"#])
    #expect(
      chain.check().first?.hints == [#"leave it out, or write "order": 2"#])
  }

  @Test(arguments: ["lowPass", "highPass", "bandPass", "notch", "allPass"])
  func `a gain of a band type without gain is an error`(_ type: String) {
    let band = #"{ "gain": "6 dB", "type": "\#(type)" }"#
    let chain = list(#"{ "unit": "equalizer", "bands": [ { "q": 2 }, \#(band) ] }"#)
    #expect(
      mistakes(chain) == [
        #"unused-parameter: 'bands.2.gain' has no effect with "type": "\#(type)""#
      ])
  }

  @Test func `a change of a parameter without effect is reported`() throws {
    let chain = Chain(
      json: """
        { "version": 1, "chain": [ { "unit": "lowPass", "order": 4 } ],
          "automation": [ { "parameter": "lowPass.q", "points": [ [0, 1] ] } ],
          "scenes": { "a": { "parameters": { "lowPass.q": 3 } } },
          "midi": [ { "cc": 1, "parameter": "lowPass.q" } ] }
        """)
    #expect(chain.check().count { $0.code == "unused-parameter" } == 3)
    let plain = list(
      #"{ "unit": "lowPass", "order": 4, "parameters": { "q": 0.7071067811865476 } }"#)
    #expect(plain.check().isEmpty)
    let renderer = try ChainRenderer(plain)
    #expect(failure { try renderer.set("lowPass.q", to: 3) }?.code == "unused-parameter")
    var request = RenderRequest(input: "none.wav", output: "none.wav")
    request.settings = [.init("lowPass.q", "3")]
    let folder = TemporaryFolder()
    request.inputs["main"] = try folder.writeSound("in.wav", [0, 0])
    #expect(failure { _ = try plain.render(request) }?.code == "unused-parameter")
  }

  @Test(arguments: [(44100.0, 21609.0), (48000, 23520), (96000, 47040), (192000, 94080)])
  func `filters reach to 0.49 of the sample rate`(_ rate: Double, _ highest: Double) throws {
    func chain(_ frequency: Double) -> Chain {
      list(
        #"""
        { "unit": "lowPass", "parameters": { "frequency": \#(frequency) } },
        { "unit": "equalizer", "bands": [ { "frequency": \#(frequency) } ] }
        """#)
    }
    #expect(mistakes(chain(highest), sampleRate: rate).isEmpty)
    let high = chain(highest + 1).check(sampleRate: rate)
    #expect(high.map(\.code) == ["out-of-range", "out-of-range"])
    #expect(high.first?.message.contains("above the maximum of \(Int(highest)) Hz") == true)
    #expect(high.first?.hints.first?.contains("\(Int(rate)) Hz") == true)
    let renderer = try ChainRenderer(chain(highest), sampleRate: rate)
    try renderer.set("lowPass.frequency", to: highest)
    #expect(
      failure { try renderer.set("lowPass.frequency", to: highest + 1) }?.code == "out-of-range")
  }

  @Test func `a default above the limit of the sample rate is reduced and is no mistake`() throws {
    let chain = list(#"{ "unit": "lowPass" }, { "unit": "delay" }, { "unit": "reverb" }"#)
    #expect(chain.check(sampleRate: 8000).isEmpty)
    _ = try ChainRenderer(chain, sampleRate: 8000)
    let written = list(#"{ "unit": "lowPass", "parameters": { "frequency": 8000 } }"#)
    #expect(written.check(sampleRate: 8000).map(\.code) == ["out-of-range"])
  }

  @Test func `automation and scenes obey the limit of the sample rate`() {
    let chain = Chain(
      json: """
        { "version": 1, "sampleRate": 44100, "chain": [ { "unit": "highPass" } ],
          "automation": [ { "parameter": "highPass.frequency", "points": [ [0, 22000] ] } ] }
        """)
    #expect(chain.check().map(\.code) == ["out-of-range"])
    let scenes = Chain(
      json: """
        { "version": 1, "sampleRate": 44100, "chain": [ { "unit": "highPass" } ],
          "scenes": { "a": { "parameters": { "highPass.frequency": "22 kHz" } } } }
        """)
    #expect(scenes.check().map(\.code) == ["out-of-range"])
  }

  @Test func `dither is for 16 bits only`() {
    let chain = list(#"{ "sink": { "file": "a.wav", "bits": 24, "dither": true } }"#)
    #expect(chain.check().map(\.code) == ["conflicting-keys"])
    let right = list(#"{ "sink": { "file": "a.wav", "bits": 16, "dither": true } }"#)
    #expect(right.check().isEmpty)
    let off = list(#"{ "sink": { "file": "a.wav", "bits": 24, "dither": false } }"#)
    #expect(off.check().isEmpty)
  }
}
