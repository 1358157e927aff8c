import FxAudio
@testable import FxChain
import FxEngine
import FxPlaying
import Testing

/// Sources and sinks as chains write them, by the declarations of their kinds.
@Suite struct EndpointTests {
  private func messages(_ source: String) -> [String] {
    build(list("{ \"source\": \(source) }, { \"unit\": \"highPass\" }")).diagnostics.all
      .filter { $0.severity == .error }.map(\.message)
  }

  /// `'a' and 'b'`: the kinds of source that have an option `channels`.
  private static let kindsWithChannels = SourceKind.all.map(\.spec)
    .filter { $0.options.contains { $0.key == "channels" } }.map { "'\($0.key)'" }
    .joined(separator: " and ")

  private func source(_ text: String) throws -> SourceEndpoint {
    let built = try #require(
      build(list("{ \"source\": \(text) }, { \"unit\": \"highPass\" }")).chain)
    guard case .source(let endpoint) = built.graph.nodes[0].content else {
      throw ValueProblem(.unknownNode, "no source")
    }
    return endpoint
  }

  @Test func `a signal has its options in their own units of measure`() throws {
    let sweep = try source(
      "{ \"signal\": \"Sweep\", \"from\": \"0.1 kHz\", \"duration\": \"500 ms\", \"channels\": 1 }")
    #expect(sweep.kind == "signal" && sweep.target == "sweep" && sweep.nature == .generated)
    #expect(sweep.options.number("from") == 100)
    #expect(sweep.options.number("duration") == 0.5)
    #expect(sweep.options.number("level") == -12)
    #expect(sweep.channels == 1)
  }

  @Test(arguments: [
    ("{ \"signal\": \"sin\" }", "'signal' cannot be \"sin\""),
    ("{ \"signal\": true }", "'signal' is \"silence\""),
    ("{ \"signal\": \"tone\", \"duration\": 0 }", "'duration' 0 is below the minimum of 0.001 s"),
    ("{ \"signal\": \"tone\", \"channels\": 300 }", "'channels' 300 is above the maximum of 256"),
    ("{ \"file\": \"a.wav\", \"seed\": 1 }", "'seed' goes with 'signal', not with 'file'"),
    (
      "{ \"stdin\": true, \"channels\": 1 }",
      "'channels' goes with \(EndpointTests.kindsWithChannels), not with 'stdin'"
    ), ("{ \"signal\": \"tone\", \"null\": true }", "a source is one kind"),
    (
      "{ \"comment\": \"\" }",
      "a source needs one of 'input', 'file', 'url', 'stdin', 'player', 'signal'"
    ),
    ("{ \"url\": \"ftp://a\" }", "'url' is an address that starts with http:// or https://"),
    ("{ \"file\": \"http://a/b.wav\" }", "'file' names a file, not an address"),
  ])
  func `a wrong source has one message`(_ source: String, _ message: String) {
    let found = messages(source)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  @Test func `every kind is complete: a sentence, what it can do, options with a range`() {
    let kinds = SourceKind.all.map(\.spec) + SinkKind.all.map(\.spec)
    for kind in kinds {
      #expect(kind.summary.hasSuffix("."), "\(kind.key)")
      #expect(!kind.channels.isEmpty, "\(kind.key)")
      for option in kind.options {
        #expect(option.summary.hasSuffix("."), "\(kind.key).\(option.key)")
        #expect(!option.describedRange.isEmpty)
      }
    }
    // One table of the format has the options of all kinds.
    for specs in [SourceKind.all.map(\.spec), SinkKind.all.map(\.spec)] {
      let options = Dictionary(grouping: specs.flatMap(\.options), by: \.key)
      for (key, options) in options {
        #expect(Set(options.map(\.kind)).count == 1, "\(key) is of several kinds")
      }
    }
    #expect(Set(SourceKind.all.map(\.spec.key)).count == SourceKind.all.count)
    #expect(Set(SinkKind.all.map(\.spec.key)).count == SinkKind.all.count)
  }

  @Test func `a source without a rate of its own leaves the rate to the others`() throws {
    let text = """
      { "version": 1,
        "nodes": {
          "in": { "source": "main" }, "tone": { "source": { "signal": "tone" } },
          "mix": { "unit": "mixer" }, "out": { "sink": "main" } },
        "connections": ["in -> mix", "tone -> mix", "mix -> out"] }
      """
    let environment = ChainEnvironment(sourceFacts: { endpoint in
      SourceFacts(
        StreamFormat(sampleRate: endpoint.nature == .generated ? 48000 : 22050, channelCount: 2),
        .finite)
    })
    #expect(build(text, environment).chain?.sampleRate == 22050)
  }
}
