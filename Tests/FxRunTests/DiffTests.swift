import FxTestSupport
import Testing

/// `fxrun diff`: its report and its exit status.
@Suite struct DiffTests {
  private let folder = Folder()
  private let sound = Sound([Signal.noise(4800), Signal.noise(4800, seed: 2)])

  @Test func `the same file twice is the same`() throws {
    try folder.write("a.wav", sound)
    let outcome = try folder.run("diff", "a.wav", "a.wav")
    #expect(outcome.exitCode == 0)
    #expect(outcome.text.hasPrefix("the same to the bit: 4800 frames, 2 channels"))
    #expect(outcome.errorText == "")
  }

  @Test func `a difference is explained and has its own exit status`() throws {
    try folder.write("a.wav", sound)
    try folder.write("b.wav", Sound([sound.channels[1], sound.channels[0]]))
    let outcome = try folder.run("diff", "a.wav", "b.wav")
    #expect(outcome.exitCode == 7)
    #expect(outcome.text == "left and right are swapped\n")
  }

  @Test func `a tolerance decides about the exit status`() throws {
    try folder.write("a.wav", sound)
    try folder.write("b.wav", sound, bits: 16)
    #expect(try folder.run("diff", "a.wav", "b.wav").exitCode == 7)
    let within = try folder.run("diff", "a.wav", "b.wav", "--tolerance", "-80 dB")
    #expect(within.exitCode == 0)
    #expect(within.text.contains("the same but for rounding to 16 bits\n"))
    #expect(within.text.contains("within the tolerance: peak -9"))
    let beyond = try folder.run("diff", "a.wav", "b.wav", "--tolerance", "peak=-120")
    #expect(beyond.exitCode == 7)
    #expect(beyond.text.contains("beyond the tolerance"))
  }

  @Test func `a file that is cut off is reported`() throws {
    try folder.write("a.wav", sound)
    let bytes = try folder.bytes("a.wav")
    try folder.write("b.wav", Array(bytes.prefix(bytes.count / 2)))
    let outcome = try folder.run("diff", "a.wav", "b.wav")
    #expect(outcome.exitCode == 7)
    #expect(outcome.errorText.hasPrefix("warning: b.wav: truncated: "), "\(outcome.errorText)")
    let json = try folder.run("diff", "b.wav", "b.wav", "--json")
    #expect(json.errorText == "")
    #expect(try JSONValue(json.output)["warnings"].elements.count == 2)
  }

  @Test func `JSON has the figures`() throws {
    try folder.write("a.wav", sound)
    try folder.write(
      "b.wav", Sound(sound.channels.map { [Float](repeating: 0, count: 64) + $0.dropLast(64) }))
    let outcome = try folder.run("diff", "a.wav", "b.wav", "--json")
    #expect(outcome.exitCode == 7)
    let value = try JSONValue(outcome.output)
    #expect(value["category"].text == "latency")
    #expect(value["explanation"]["lag"].number == 64)
    #expect(value["isWithinTolerance"] == .bool(false))
    #expect(value["channels"].elements.count == 2)
    #expect(value["expected"]["frames"].number == 4800)
  }

  @Test func `a file that cannot be read is an input failure`() throws {
    try folder.write("a.wav", sound)
    try folder.write("words.txt", "no sound at all")
    let missing = try folder.run("diff", "a.wav", "b.wav")
    #expect(missing.exitCode == 4)
    #expect(missing.errorText.hasPrefix("error: b.wav: no such file"))
    #expect(try folder.run("diff", "words.txt", "a.wav").exitCode == 4)
    let asJSON = try folder.run("diff", "b.wav", "a.wav", "--json")
    #expect(asJSON.exitCode == 4)
    #expect(try JSONValue(asJSON.output)["error"]["path"].text == "b.wav")
  }

  @Test func `arguments that do not fit are refused`() throws {
    try folder.write("a.wav", sound)
    let tolerance = try folder.run("diff", "a.wav", "a.wav", "--tolerance", "loud")
    #expect(tolerance.exitCode == 64)
    #expect(tolerance.errorText.contains("--tolerance: a tolerance is a level like '-90 dB'"))
    #expect(try folder.run("diff", "-", "-").exitCode == 64)
    #expect(try folder.run("diff", "a.wav").exitCode == 64)
  }

  @Test func `one of the two may come through a pipe, and MP3 is read`() throws {
    try folder.write("a.wav", sound)
    let outcome = try folder.run("diff", "-", "a.wav", input: .bytes(try folder.bytes("a.wav")))
    #expect(outcome.exitCode == 0)
    let voice = Fixture.audio("voice.mp3")
    #expect(try folder.run("diff", voice, voice).exitCode == 0)
  }
}
