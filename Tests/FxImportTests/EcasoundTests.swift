import FxImport
import FxKit
import FxTestSupport
import Testing

/// Chain setups of ecasound that would sound otherwise without a word.
@Suite struct EcasoundTests {
  private func read(_ text: String) throws -> ImportedChain {
    try Imports.read(Array(text.utf8), "setup.ecs")
  }

  private func outcomes(_ imported: ImportedChain) -> [String: String] {
    Dictionary(
      imported.report.parts.map { ($0.name, $0.outcome.word) }, uniquingKeysWith: { $1 })
  }

  @Test(arguments: [
    ("-ea:abc", "not possible"), ("-ea:nan", "not possible"), ("-ea:50,9", "approximated"),
    ("-ea", "translated"), ("-efl", "not possible"), ("-efl:99999", "not possible"),
    ("-efb:1000", "translated"), ("-ef3:1000,0,1", "not possible"),
    ("-ef4:1.5,0", "not possible"), ("-ef4:0.5,3", "not possible"),
    ("-efc:100,1", "not possible"), ("-efc:1e12,0.5", "not possible"),
    ("-etd:1e9,0,1,50", "not possible"), ("-etd:10,0,1e15,50", "not possible"),
    ("-etr:10,0,100", "not possible"), ("-etr:10,1,-100", "not possible"),
    ("-eac:50,400", "not possible"), ("-eac:50", "translated"), ("-chcopy:1", "not possible"),
    ("-chorder:1e30", "not possible"), ("-chmix:0", "not possible"),
    ("-eal:0", "not possible"), ("-eal:150", "translated"), ("-eca:69,0,0.5,2", "not possible"),
    ("-eemp:2,30", "not possible"), ("-ei:120", "not possible"), ("-pn:x", "not possible"),
    ("-exyz:1", "not possible"), ("-efi:8,1e30", "not possible"),
    ("-etd:10,1,2,1e30", "not possible"), ("-etr:10,1,-50", "translated"),
    ("-ezx:2,0,0", "translated"), ("-gm:1", "translated"),
  ])
  func `an operator has one outcome, and never a default in silence`(
    _ option: String, _ outcome: String
  ) throws {
    let imported = try read("-f:f32_le,2,48000 -i:in.wav -o:out.wav\n\(option)\n")
    #expect(outcomes(imported)[option] == outcome, "\(imported.report.parts)")
    if outcome == "not possible" { #expect(imported.graph.nodes.isEmpty) }
  }

  @Test func `what stands before the first chain belongs to the last one`() throws {
    let imported = try read("-ea:50\n-a:one -i:a.wav -o:out.wav\n-a:two -i:a.wav -o:out.wav\n")
    let text = imported.graph.json
    #expect(outcomes(imported)["-ea:50"] == "translated")
    #expect(text.contains("in -> gain") && text.contains("in -> join"), "\(text)")
  }

  @Test func `an operator for several chains is refused`() throws {
    let imported = try read("-a:one,two -i:a.wav -o:out.wav\n-ea:50\n")
    #expect(outcomes(imported)["-ea:50"] == "not possible")
  }

  @Test func `a chain without an input is refused with its operators`() throws {
    let imported = try read("-a:one -i:a.wav -o:out.wav -ea:50\n-a:two -o:out.wav -ea:20\n")
    #expect(outcomes(imported)["-ea:20"] == "not possible")
    #expect(outcomes(imported)["-ea:50"] == "translated")
    #expect(imported.graph.nodes.map(\.unit) == ["gain"])
  }

  @Test func `a loop that feeds itself is refused`() throws {
    let imported = try read(
      "-a:one -i:a.wav -o:out.wav\n-a:two -i:loop,1 -o:loop,1 -ea:50\n")
    #expect(outcomes(imported)["-ea:50"] == "not possible")
    #expect(Chain(json: imported.graph.json).check().filter { $0.severity == .error }.isEmpty)
  }

  @Test func `a loop is a block late`() throws {
    let imported = try read(
      "-b:256 -f:f32_le,2,48000\n-a:a -i:in.wav -o:loop,1\n-a:b -i:loop,1 -o:out.wav\n")
    let align = try #require(imported.graph.nodes.first { $0.unit == "align" })
    #expect(align[key: "frames"] == 256 || align[parameter: "frames"] == 256)
  }

  @Test(arguments: ["null", "loop,9"])
  func `a chain that leads to no output is left out`(_ end: String) throws {
    let imported = try read(
      "-f:f32_le,2,48000\n-a:one -i:a.wav -o:out.wav -ea:50\n-a:two -i:tone,sine,440 -o:\(end) -ea:20\n"
    )
    #expect(outcomes(imported)["-ea:20"] == "translated")
    #expect(!imported.graph.json.contains("tone"))
    #expect(Chain(json: imported.graph.json).check().filter { $0.severity == .error }.isEmpty)
  }

  @Test func `samples without a header have the format before them`() throws {
    let imported = try read("-f:s24_be,1,32000 -i:take.raw\n-f:16,2,48000 -o:out.raw -ea:50\n")
    let json = imported.graph.json
    #expect(json.contains("s24be,32000,1") && !json.contains("s16le"), "\(json)")
    #expect(Chain(json: json).check().filter { $0.severity == .error }.isEmpty)
  }

  @Test func `chains that meet are added, or their mean is taken`() throws {
    let chains = "-f:f32_le,2,48000\n-a:a,b -i:in.wav -o:out.wav\n-a:a -ea:50\n-a:b -efl:90\n"
    let sum = try read(chains).graph.nodes.first { $0.unit == "mixer" }
    let mean = try read("-z:mixmode,avg\n" + chains).graph.nodes.first { $0.unit == "mixer" }
    #expect(sum?[parameter: "gain"] == nil)
    #expect(mean?[parameter: "gain"] == "-6.02059991 dB")
  }

  @Test func `a controller is reported with the operator that keeps its values`() throws {
    let imported = try read("-i:in.wav -o:out.wav\n-ea:80 -kxyz:1 -km:1,0,100,7,1\n")
    let part = imported.report.parts.first { $0.name.hasPrefix("-km") }
    #expect(part?.outcome.word == "not possible")
    #expect(part?.outcome.text?.contains("-ea:80") == true)
  }

  @Test func `filters with coefficients run at the rate that they are made for`() throws {
    let fixed = try read("-f:f32_le,2,96000 -i:in.wav -o:out.wav -efs:1000,100\n")
    #expect(fixed.graph.sampleRate == .hertz(96000))
    let free = try read("-f:f32_le,2,96000 -i:in.wav -o:out.wav -efl:1000\n")
    #expect(free.graph.sampleRate == nil)
  }

  @Test(arguments: [
    "- a\n- b\n", "-x foo\n", "voice: -ea:50\n", "-a:one -i:in.wav\nand a sentence\n", "# -ea:50\n",
  ])
  func `a text that only looks like a chain setup is none`(_ text: String) {
    #expect(throws: ChainFailure.self) { try read(text) }
  }
}
