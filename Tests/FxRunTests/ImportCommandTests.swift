import Foundation
import FxTestSupport
import Testing

@Suite struct ImportCommandTests {
  private let folder = Folder()

  private static let camilla = """
    devices: { samplerate: 48000, chunksize: 1024, capture: { type: Stdin, channels: 2, format: FLOAT32LE } }
    filters:
      bell:
        type: Biquad
        parameters: { type: Peaking, freq: 1000, q: 2, gain: -6 }
      room:
        type: Conv
        parameters: { type: Values, values: [1, 0.5] }
    pipeline:
      - { type: Filter, channels: [0, 1], names: [bell] }

    """

  @Test func `an imported chain plays as it is`() throws {
    try folder.write("eq.yml", Self.camilla)
    let imported = try folder.run("import", "eq.yml", "-o", "chains/eq.json")
    #expect(imported.exitCode == 0)
    #expect(imported.text.isEmpty)
    #expect(imported.errorText.hasPrefix("eq.yml: CamillaDSP: "))
    #expect(imported.errorText.contains("eq.yml:1: devices.capture (2 keys): approximated: "))
    #expect(try folder.run("check", "chains/eq.json").text == "chains/eq.json: no mistakes\n")
  }

  @Test func `without -o the chain is printed, and the report goes to standard error`() throws {
    try folder.write("eq.yml", Self.camilla)
    let printed = try folder.run("import", "eq.yml")
    #expect(printed.exitCode == 0)
    #expect(printed.text.hasPrefix("{\n  \"version\": 2,"))
    try folder.write("eq.json", printed.text)
    #expect(try folder.run("check", "eq.json").exitCode == 0)
  }

  @Test func `coefficients need a file beside the chain`() throws {
    try folder.write("room.yml", Self.camilla.replacing("names: [bell]", with: "names: [room]"))
    let printed = try folder.run("import", "room.yml")
    #expect(printed.exitCode == 64)
    #expect(
      printed.errorText.contains(
        "the chain reads a file that fxrun makes, room-room.txt: name the chain with -o"))
    #expect(try folder.run("import", "room.yml", "-o", "room.json").exitCode == 0)
    #expect(try folder.read("room-room.txt") == "1.0\n0.5\n")
    #expect(try folder.run("check", "room.json").exitCode == 0)
  }

  @Test func `strict fails where a part is not translated`() throws {
    try folder.write("eq.yml", Self.camilla)
    let strict = try folder.run("import", "eq.yml", "-o", "eq.json", "--strict")
    #expect(strict.exitCode == 7)
    try folder.write(
      "plain.yml",
      Self.camilla.replacing(
        ", capture: { type: Stdin, channels: 2, format: FLOAT32LE }", with: ""))
    #expect(try folder.run("import", "plain.yml", "-o", "eq.json", "--strict").exitCode == 0)
  }

  @Test func `a folder of configurations becomes a folder of chains`() throws {
    try folder.write("presets/one.yml", Self.camilla)
    try folder.write("presets/two.yml", Self.camilla)
    try folder.write("presets/notes.txt", "nothing\n")
    let imported = try folder.run("import", "presets", "-o", "chains", "--json")
    #expect(imported.exitCode == 0, "\(imported.errorText)")
    #expect(imported.text.contains(#""chain": "chains/one.json""#))
    #expect(try folder.run("check", "chains/two.json").exitCode == 0)
    #expect(try folder.run("import", "presets").exitCode == 64)
  }

  @Test func `the configuration and files of others are kept`() throws {
    try folder.write("eq.yml", Self.camilla)
    let same = try folder.run("import", "eq.yml", "-o", "./eq.yml")
    #expect(same.exitCode == 5)
    #expect(same.errorText.contains("the chain would replace the configuration"))
    #expect(try folder.read("eq.yml") == Self.camilla)
    // Two presets whose filters have one name do not share their coefficients.
    let room = Self.camilla.replacing("names: [bell]", with: "names: [room]")
    try folder.write("presets/one.yml", room)
    try folder.write("presets/two.yml", room.replacing("[1, 0.5]", with: "[1, 0.25]"))
    #expect(try folder.run("import", "presets", "-o", "chains").exitCode == 0)
    #expect(try folder.read("chains/one-room.txt") == "1.0\n0.5\n")
    #expect(try folder.read("chains/two-room.txt") == "1.0\n0.25\n")
    let named = room.replacing(
      "type: Values, values: [1, 0.5]", with: "type: Text, filename: taps.txt")
    try folder.write("from/room.yml", named)
    try folder.write("from/taps.txt", "1\n")
    try folder.write("to/taps.txt", "2\n")
    let taken = try folder.run("import", "from/room.yml", "-o", "to/room.json", "--collect")
    #expect(taken.exitCode == 5)
    #expect(try folder.read("to/taps.txt") == "2\n")
  }

  @Test func `a chain that fxrun refuses as a whole is an error`() throws {
    try folder.write(
      "loop.conf",
      """
      context.modules = [ { name = libpipewire-module-filter-chain args = { filter.graph = {
        nodes = [ { type = builtin name = a label = copy } { type = builtin name = b label = copy } ]
        links = [ { output = "a:Out" input = "b:In" } { output = "b:Out" input = "a:In" } ]
        inputs = [ "a:In" ] outputs = [ "b:Out" ] } } } ]
      """)
    let refused = try folder.run("import", "loop.conf", "-o", "loop.json")
    #expect(refused.exitCode == 2)
    #expect(refused.errorText.contains("error:"))
  }

  @Test(arguments: [
    ("--sox", "highpass 80 gain -2"), ("--ffmpeg", "highpass=f=80,volume=-2dB"),
  ])
  func `effects of a command line become a chain`(_ option: String, _ effects: String) throws {
    let imported = try folder.run("import", option, effects, "-o", "voice.json")
    #expect(imported.exitCode == 0)
    #expect(imported.errorText.hasPrefix("\(option): "))
    #expect(imported.errorText.contains("2 translated, 0 approximated, 0 not possible"))
    let units = try folder.run("plan", "voice.json").text
    #expect(units.contains("equalizer") && units.contains("gain"))
    #expect(try folder.run("import").exitCode == 64)
  }

  @Test func `a file of another kind is refused with what is possible`() throws {
    try folder.write("notes.txt", "nothing\n")
    let refused = try folder.run("import", "notes.txt")
    #expect(refused.exitCode == 4)
    #expect(refused.errorText.contains("notes.txt: this is no configuration that fxrun can import"))
    #expect(refused.errorText.contains("CamillaDSP"))
    #expect(try folder.run("import", "missing.yml").exitCode == 4)
    try folder.write("broken.yml", "pipeline: [\nfilters: }\n")
    let broken = try folder.run("import", "broken.yml")
    #expect(broken.exitCode == 4)
    #expect(broken.errorText.contains("broken.yml:2:"))
  }

  @Test func `a configuration in the place of a chain is named`() throws {
    try folder.write("eq.yml", Self.camilla)
    let refused = try folder.run("check", "eq.yml")
    #expect(refused.exitCode == 2)
    #expect(
      refused.errorText.contains(
        "eq.yml: this is a CamillaDSP configuration, not a chain: fxrun import eq.yml -o chain.json"
      ))
  }

  @Test func `collected files stand beside the chain, others are named from its folder`() throws {
    let values = "type: Values, values: [1, 0.5]"
    let named = Self.camilla.replacing(values, with: "type: Text, filename: taps.txt")
      .replacing("names: [bell]", with: "names: [room]")
    try folder.write("from/room.yml", named)
    try folder.write("from/taps.txt", "1\n0.25\n")
    #expect(try folder.run("import", "from/room.yml", "-o", "to/room.json").exitCode == 0)
    #expect(try folder.read("to/room.json").contains(#""impulse": "../from/taps.txt""#))
    #expect(try folder.run("check", "to/room.json").exitCode == 0)
    let collected = try folder.run("import", "from/room.yml", "-o", "all/room.json", "--collect")
    #expect(collected.exitCode == 0)
    #expect(try folder.read("all/room.json").contains(#""impulse": "taps.txt""#))
    #expect(try folder.read("all/taps.txt") == "1\n0.25\n")
  }
}
