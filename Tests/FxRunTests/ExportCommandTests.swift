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

  @Test(arguments: [
    (#"{ "id": "n", "unit": "align", "distance": 3 }"#, "no other program has its 'distance'"),
    (
      #"{ "id": "n", "unit": "convolver", "impulse": "taps.txt", "normalize": true }"#,
      "its 'normalize'"
    ),
    (
      #"{ "id": "n", "unit": "gain", "parameters": { "gain": -3 }, "wet": 0.5 }"#,
      "a share of the dry signal"
    ),
    (
      #"{ "id": "n", "unit": "compressor", "parameters": { "keyHighPass": "200 Hz" } }"#,
      "without 'keyHighPass'"
    ),
  ])
  func `a setting that no other program has is reported`(_ node: String, _ reason: String) throws {
    try folder.write("taps.txt", "1\n0.5\n")
    try folder.write("chain.json", #"{ "version": 2, "chain": [ \#(node) ] }"#)
    let exported = try folder.run("export", "chain.json", "--to", "camilladsp", "--strict")
    #expect(exported.exitCode == 7)
    #expect(exported.errorText.contains(reason), "\(exported.errorText)")
  }

  @Test func `frames of a delay are exported, and a source of the chain's own is refused`() throws {
    try folder.write(
      "delay.json",
      #"{ "version": 2, "sampleRate": 48000, "chain": [ { "unit": "align", "frames": 96 } ] }"#)
    #expect(try folder.run("export", "delay.json", "--to", "apo").text.contains("Delay: 2 ms"))
    try folder.write(
      "sine.json",
      #"{ "version": 2, "chain": [ { "source": { "signal": "sine" } }, { "unit": "gain" } ] }"#)
    let refused = try folder.run("export", "sine.json", "--to", "apo")
    #expect(refused.exitCode == 64 && refused.text.isEmpty, "\(refused.errorText)")
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
