import FxTestSupport
import Testing

/// `fxrun export`; `scripts/test-imports` compares the sounds.
@Suite struct ExportCommandTests {
  private let folder = Folder()
  private static let chain = """
    { "version": 2, "chain": [
      { "id": "low", "unit": "highPass", "parameters": { "frequency": "80 Hz" } },
      { "id": "room", "unit": "reverb" },
      { "id": "level", "unit": "gain", "parameters": { "gain": "-3 dB" } } ] }
    """

  @Test(arguments: [
    (
      "camilladsp",
      "low: { type: Biquad, parameters: { type: Highpass, freq: 80, q: 0.707106781 } }"
    ),
    ("apo", "Filter: ON HPQ Fc 80 Hz Q 0.707106781\n"),
    ("pipewire", "label = bq_"), ("sox", "highpass 80 0.707106781q gain -3\n"),
    ("ffmpeg", "highpass=f=80:t=q:w=0.707106781,volume=-3dB\n"),
  ])
  func `a chain is printed as another program writes it, and the report names what is lost`(
    _ program: String, _ line: String
  ) throws {
    try folder.write("chain.json", Self.chain)
    let exported = try folder.run("export", "chain.json", "--to", program)
    #expect(exported.exitCode == 0)
    #expect(exported.text.contains(line), "\(exported.text)")
    #expect(exported.errorText.contains("2 translated, 0 approximated, 1 not possible"))
    #expect(
      exported.errorText.contains(
        "chain.json:3: room: not possible: no other program has the unit 'reverb'"))
    let strict = try folder.run("export", "chain.json", "--to", program, "--strict", "-o", "out")
    #expect(strict.exitCode == 7)
  }

  @Test func `a chain whose paths divide is refused`() throws {
    try folder.write(
      "chain.json",
      """
      { "version": 2, "nodes": {
        "in": { "source": { "input": "main" } }, "a": { "unit": "gain" }, "b": { "unit": "gain" },
        "mix": { "unit": "mixer" }, "out": { "sink": { "output": "main" } } },
        "connections": ["in -> a -> mix", "in -> b -> mix", "mix -> out"] }
      """)
    let refused = try folder.run("export", "chain.json", "--to", "sox")
    #expect(refused.exitCode == 64)
    #expect(refused.errorText.contains("its paths divide behind 'in'"))
  }

  @Test func `a chain with a mistake, another program and the chain's own name are refused`() throws
  {
    try folder.write("wrong.json", #"{ "version": 2, "chain": [ { "unit": "none" } ] }"#)
    #expect(try folder.run("export", "wrong.json", "--to", "sox").exitCode == 2)
    try folder.write("chain.json", Self.chain)
    #expect(try folder.run("export", "chain.json", "--to", "easyeffects").exitCode == 64)
    #expect(try folder.run("export", "chain.json", "--to", "sox", "-o", "chain.json").exitCode == 5)
    #expect(try folder.run("check", "chain.json").exitCode == 0)
  }
}
