import FxImport
import FxKit
import FxTestSupport
import Testing

/// Cases in which a chain would sound otherwise without a word.
@Suite struct ImporterTests {
  private func camilla(_ filter: String, channels: String = "[0, 1]") throws -> ImportedChain {
    try Imports.read(
      Array(
        """
        devices: { samplerate: 48000 }
        filters: { one: \(filter) }
        pipeline: [{ type: Filter, channels: \(channels), names: [one] }]
        """.utf8), "one.yml")
  }

  private func pipeWire(_ nodes: String, _ ends: String = "") throws -> ImportedChain {
    try Imports.read(
      Array("filter.graph = { nodes = [ \(nodes) ] \(ends) }".utf8), "one.conf")
  }

  @Test(arguments: [
    "{ type: Conv, parameters: { type: Values, values: [1, x, 0.5] } }",
    "{ type: BiquadCombo, parameters: { type: GraphicEqualizer, freq_min: 20, freq_max: 20000, gains: [1, x, 2] } }",
    "{ type: BiquadCombo, parameters: { type: FivePointPeq, fls: 80, gls: 3, qls: 1 } }",
    "{ type: Biquad, parameters: { type: Peaking, freq: 30000, q: 1, gain: 3 } }",
    "{ type: Delay, parameters: { delay: 1e308, unit: samples } }",
    "{ type: Conv, parameters: { type: Wav, filename: a.wav, channel: 9223372036854775807 } }",
    "{ type: Biquad, parameters: { type: Highshelf, freq: 1000, slope: 1000, gain: 3 } }",
  ])
  func `a filter with a value that cannot be is left out and reported`(_ filter: String) throws {
    let imported = try camilla(filter)
    #expect(imported.graph.nodes.isEmpty)
    #expect(imported.report.count { $0.word == "not possible" } > 0)
  }

  @Test(arguments: ["0", "-1", "1e30", "x", "1e308"])
  func `a sample rate that cannot be is reported`(_ rate: String) throws {
    let imported = try Imports.read(
      Array(
        """
        devices: { samplerate: \(rate) }
        filters: { one: { type: Delay, parameters: { delay: 3, unit: samples } } }
        pipeline: [{ type: Filter, names: [one] }]
        """.utf8), "rate.yml")
    #expect(imported.graph.sampleRate == nil)
    #expect(!imported.report.isFaithful)
  }

  @Test func `dynamics are never called the same`() throws {
    let imported = try Imports.read(
      Array(
        """
        devices: { samplerate: 48000 }
        filters: {}
        processors:
          comp: { type: Compressor, parameters: { channels: 2, attack: 0.01, release: 0.2, threshold: -20, factor: 4 } }
        pipeline: [{ type: Processor, name: comp }]
        """.utf8), "comp.yml")
    #expect(imported.graph.nodes.map(\.name) == ["comp"])
    #expect(!imported.report.isFaithful)
  }

  @Test func `an equalizer for several channels keeps them apart`() throws {
    let node = """
      { type = builtin name = eq label = param_eq config = {
        filters1 = [ { type = bq_peaking freq = 100 gain = 3 q = 1 } ]
        filters2 = [ { type = bq_peaking freq = 200 gain = -3 } ] } }
      """
    let imported = try pipeWire(
      node, #"inputs = [ "eq:In 1" "eq:In 2" ] outputs = [ "eq:Out 1" "eq:Out 2" ]"#)
    let bands = try #require(imported.graph.nodes.first?[key: "bands"]).elements
    #expect(imported.graph.isList && imported.graph.channels == 2)
    #expect(bands.map { $0["channels"] } == ["1", "2"])
    // PipeWire's Q where a filter has none.
    #expect(bands[1]["q"] == 1)
    let crossed = try pipeWire(
      node, #"inputs = [ "eq:In 2" "eq:In 1" ] outputs = [ "eq:Out 1" "eq:Out 2" ]"#)
    #expect(crossed.graph.nodes.isEmpty && !crossed.report.isFaithful)
  }

  @Test func `a node with several inputs within a graph is not summed`() throws {
    let imported = try pipeWire(
      """
      { type = ladspa name = rn plugin = librnnoise_ladspa label = noise_suppressor_stereo }
      { type = builtin name = after label = copy }
      """,
      #"links = [ { output = "rn:Output (L)" input = "after:In" } ] inputs = [ "rn:Input (L)" "rn:Input (R)" ] outputs = [ "after:Out" "rn:Output (R)" ]"#
    )
    #expect(imported.graph.nodes.isEmpty)
    #expect(imported.report.count { $0.word == "not possible" } > 3)
  }

  @Test func `a graph may have fewer outputs than inputs`() throws {
    let imported = try pipeWire(
      """
      { type = builtin name = a label = copy } { type = builtin name = b label = copy }
      { type = builtin name = mix label = mixer }
      """,
      #"links = [ { output = "a:Out" input = "mix:In 1" } { output = "b:Out" input = "mix:In 2" } ] inputs = [ "a:In" "b:In" ] outputs = [ "mix:Out" ]"#
    )
    let chain = Chain(json: imported.graph.json)
    #expect(chain.check().filter { $0.severity == .error }.isEmpty)
  }

  @Test func `two files of one name stay two files`() throws {
    let text = """
      devices: { samplerate: 48000 }
      filters:
        a: { type: Conv, parameters: { type: Text, filename: left/taps.txt } }
        b: { type: Conv, parameters: { type: Text, filename: right/taps.txt } }
      pipeline: [{ type: Filter, names: [a, b] }]
      """
    let target = ImportTarget(configuration: "/x/c.yml", chain: "/y/c.json", collects: true)
    let imported = try ImportedChain(bytes: Array(text.utf8), path: "/x/c.yml", target: target)
    #expect(imported.files.map(\.name) == ["taps.txt", "taps-2.txt"])
  }

  private func apo(_ text: String) throws -> ImportedChain {
    try Imports.read(Array(text.utf8), "config.txt", .equalizerAPO)
  }

  private func outcomes(_ imported: ImportedChain) -> [Int: String] {
    Dictionary(uniqueKeysWithValues: imported.report.parts.map { ($0.line, $0.outcome.word) })
  }

  @Test func `lines for a channel that nobody knows change no other channel`() throws {
    let imported = try apo("Channel: TOP\nPreamp: -20 dB\nChannel: L\nPreamp: -3 dB\n")
    #expect(imported.graph.nodes.filter { $0.unit == "gain" }.count == 1)
    #expect(
      outcomes(imported) == [
        1: "not possible", 2: "not possible", 3: "translated", 4: "translated",
      ])
  }

  @Test func `lines under a condition are left out and reported`() throws {
    let imported = try apo("Preamp: -1 dB\nIf: x\nPreamp: -20 dB\nIf: y\nEndIf:\nEndIf:\n")
    #expect(imported.graph.nodes.map(\.unit) == ["gain"])
    #expect(Set(outcomes(imported).values) == ["translated", "not possible"])
    #expect(outcomes(imported)[1] == "translated" && outcomes(imported)[3] == "not possible")
  }

  @Test(arguments: [
    "Copy: L=M", "Copy: L=0.5", "Copy: L", "Copy: L=x*R", "Include: missing.txt",
    "Convolution: missing.wav", "VSTPlugin: Library a.dll", "Delay: 3", "GraphicEQ: 20 x",
    "Filter: ON PK Fc 100 Hz Gain `x` Q 1", "Filter: ON IIR Order 2 Coefficients 1 0 0 1 0",
    "Filter: ON IIR Order 3 Coefficients 1 0 0 0 1 0 0 0",
  ])
  func `a line that fxrun cannot do is reported`(_ line: String) throws {
    let imported = try apo("Preamp: -1 dB\n\(line)\n")
    #expect(outcomes(imported)[2] == "not possible")
    #expect(imported.graph.nodes.count == 1)
  }

  @Test func `a file that includes itself is refused and reported`() throws {
    let folder = TemporaryFolder()
    let path = folder.write("self.txt", Array("Preamp: -1 dB\nInclude: self.txt\n".utf8))
    let imported = try Imports.read(path)
    #expect(imported.report.count { $0.word == "not possible" } > 0)
  }

  /// Text that an importer does not understand must never become a default value.
  @Test(arguments: [
    (ForeignFormat.sox, "gain x", "not possible"), (.sox, "highpass 80 0.7q extra", "approximated"),
    (.sox, "gain -1 treble -2", "translated"), (.sox, "norm -1", "translated"),
    (.sox, "pitch 300x", "not possible"), (.sox, "lowpass -2 900", "translated"),
    (.ffmpeg, "highpass=f=abc", "not possible"), (.ffmpeg, "highpass=f=80:zzz=3", "approximated"),
    (.ffmpeg, "equalizer=f=100:g=3+2", "not possible"),
    (.ffmpeg, "volume=volume=n/2", "not possible"),
    (.ffmpeg, "volume=0.5:precision=fixed", "translated"),
    (.audacity, #"Amplify:Ratio="x""#, "not possible"),
    (.audacity, #"Amplify:Ratio="0.5""#, "translated"),
  ])
  func `an option that is no number or unknown is reported`(
    _ format: ForeignFormat, _ text: String, _ outcome: String
  ) throws {
    let imported = try Imports.read(Array(text.utf8), "effects", format)
    let words = Set(imported.report.parts.map(\.outcome.word))
    #expect(words == [outcome], "\(imported.report.parts)")
    #expect(imported.graph.nodes.isEmpty == (outcome == "not possible"))
  }

  @Test(arguments: [
    "channel: 3\nfilter: yes\n", "Copy: of the letter\nInclude:\n", "Device: x\nStage: 2\n",
  ])
  func `a text that only looks like a configuration is none`(_ text: String) {
    #expect(throws: ChainFailure.self) { try Imports.read(Array(text.utf8), "notes.txt") }
  }

  @Test(arguments: ["-1", "0", "9223372036854775807", "x"])
  func `a number of channels that BruteFIR cannot have is reported`(_ count: String) throws {
    let text = """
      input "a" { channels: \(count); };
      input "b" { channels: \(count); };
      output "c" { channels: 1; };
      filter 0 { from_inputs: "a"; to_outputs: "c"; coeff: -1; };
      """
    let report = try Imports.read(Array(text.utf8), "x.conf").report
    #expect(report.parts.contains { $0.name.hasSuffix("channels") && $0.outcome != .translated })
  }
}
