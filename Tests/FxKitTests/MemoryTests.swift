import FxChain
import FxEngine
@testable import FxKit
import FxTestSupport
import Testing

/// The memory that a chain may need is added up before anything is allocated.
@Suite struct MemoryTests {
  private func memory(_ json: String, channels: Int = 2, rate: Double = 48000) throws -> MemoryNeed
  {
    let chain = try Chain(json: json).planned(sampleRate: rate, channels: channels)
    return try #require(chain.memory)
  }

  private func refusal(
    _ json: String, channels: Int = 2, rate: Double = 48000, limit: Int = 1 << 30
  ) -> Diagnostic? {
    Chain(json: json).checked(sampleRate: rate, channels: channels, memoryLimit: limit).all
      .first { $0.code == .memoryLimit }
  }

  private func row(_ node: String, count: Int) -> String {
    let nodes = [String](repeating: node, count: count).joined(separator: ", ")
    return #"{ "version": 1, "chain": [ \#(nodes) ] }"#
  }

  @Test func `a thousand latencies of 200 seconds are refused at the first node`() throws {
    let found = try #require(
      refusal(row(#"{ "unit": "gain", "latency": 10000000, "wet": 0.5 }"#, count: 1000)))
    #expect(found.message.contains("of memory and may have 1 GiB"))
    #expect(found.message.contains("'gain' ") && found.message.contains("and 1000 more"))
    #expect(found.place != nil && found.hints.first?.hasPrefix("take shorter delays") == true)
  }

  @Test func `ten thousand delays are refused before they are made`() throws {
    let found = try #require(refusal(row(#"{ "unit": "delay" }"#, count: 10000)))
    #expect(found.message.contains("'delay' 2 MiB"))
  }

  @Test func `long feedback on many channels is refused before it is compiled`() throws {
    let taps = (0..<2000).map { #""t\#($0)": { "unit": "gain" }"# }.joined(separator: ", ")
    let ways = (0..<2000).map {
      #"""
      { "from": "sum", "to": "t\#($0)", "feedback": true, "delay": "1 s" }, "t\#($0) -> sum"
      """#
    }.joined(separator: ", ")
    let found = try #require(
      refusal(
        #"""
        { "version": 1, "nodes": { "in": { "source": "main" }, "sum": { "unit": "gain" }, \#(taps),
          "out": { "sink": "main" } }, "connections": [ "in -> sum -> out", \#(ways) ] }
        """#, channels: 32))
    #expect(found.message.contains("'sum -> t0' 8 MiB"))
  }

  @Test func `a render is refused like a check`() throws {
    let folder = TemporaryFolder()
    var request = RenderRequest(
      input: try folder.writeSound("in.wav", noise(100)), output: folder.file("out.wav"))
    request.memoryLimit = 10 << 20
    let found = try #require(
      failure { _ = try list(#"{ "unit": "delay" }"#).render(request) })
    #expect((found.kind, found.code) == (.chain, "memory-limit"))
    #expect(folder.names == ["in.wav"])
    request.memoryLimit = 17 << 20
    _ = try list(#"{ "unit": "delay" }"#).render(request)
  }

  @Test func `the memory of a chain grows with its delays`() throws {
    let short = try memory(row(#"{ "unit": "gain" }"#, count: 1)).total
    let long = try memory(row(#"{ "unit": "delay" }"#, count: 1)).total
    // Five seconds of two channels, in a ring whose length is a power of two.
    #expect((2 << 20...3 << 20).contains(long - short))
    let wide = try memory(row(#"{ "unit": "delay" }"#, count: 1), channels: 8).total
    #expect(wide - long > 6 << 20)
  }

  @Test func `a check creates no built-in unit`() throws {
    let chain = try Chain(json: row(#"{ "unit": "reverb" }"#, count: 3)).planned()
    #expect(chain.instances.allSatisfy { $0 == nil })
    #expect(chain.tail.declaredFrames == 3 * 149_287)
  }

  @Test func `a list is as long as its unit allows`() throws {
    func codes(_ count: Int) -> [String] {
      let bands = [String](repeating: "{}", count: count).joined(separator: ", ")
      let chain = list(#"{ "unit": "equalizer", "bands": [ \#(bands) ] }"#)
      return chain.checked().all.map { "\($0.code.rawValue): \($0.message)" }
    }
    #expect(codes(64) == [])
    #expect(codes(65) == ["out-of-range: unit 'equalizer' has at most 64 bands, here are 65"])
  }

  @Test func `sizes are read and written with the usual units`() {
    #expect(MemorySize.bytes("512M") == 512 << 20)
    #expect(MemorySize.bytes("4G") == 4 << 30)
    #expect(MemorySize.bytes("1.5gib") == 3 << 29)
    #expect(MemorySize.bytes("100") == 100)
    for text in ["", "M", "-1G", "1X", "1e3", "0", "inf", "9999999999999999999G"] {
      #expect(MemorySize.bytes(text) == nil, "\(text)")
    }
    #expect(MemorySize.text(137 << 30) == "137 GiB")
    #expect(MemorySize.text(3 << 29) == "1.5 GiB")
    #expect(MemorySize.text(900) == "900 bytes")
  }

  @Test func `the default is half of the available memory, at most 4 GiB`() {
    #expect(MemoryBudget.standard <= 4 << 30)
    #expect(MemoryBudget.standard <= MemoryBudget.available / 2)
    #expect(MemoryBudget.standard > 1 << 20 && MemoryBudget.standard <= MemoryBudget.most)
  }
}
