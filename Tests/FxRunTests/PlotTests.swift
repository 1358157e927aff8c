import Foundation
import FxTestSupport
import Testing

/// `fxrun plot`: what it draws, writes and refuses.
@Suite struct PlotTests {
  private let folder = Folder()

  private func json(_ arguments: String...) throws -> JSONValue {
    let outcome = try Program.run(
      ["plot"] + arguments + ["--json"], in: folder.path, environment: TestPlugins.environment)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    return try JSONValue(outcome.output)
  }

  /// A harmonic of a sine through a curve, in dB relative to the fundamental, by definition.
  private func harmonic(_ order: Int, amplitude: Double, _ curve: (Double) -> Double) -> Double {
    func size(_ order: Int) -> Double {
      let count = 4096
      let sum = (0..<count).reduce(0.0) { sum, index in
        let angle = 2 * Double.pi * Double(index) / Double(count)
        return sum + curve(amplitude * sin(angle)) * sin(Double(order) * angle)
      }
      return abs(sum)
    }
    return 20 * log10(size(order) / size(1))
  }

  @Test func `a plugin has reached its gain before it is measured`() throws {
    try OwnPlugin.build(in: folder.file("lv2"), "RAMPS")
    let outcome = try Program.run(
      ["plot", OwnPlugin.uri, "--what", "magnitude", "--json"], in: folder.path,
      environment: ["LV2_PATH": folder.file("lv2")])
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let magnitude = try JSONValue(outcome.output)["channels"].elements[0]["magnitude"]
    let levels = magnitude["decibels"].elements.compactMap(\.number)
    #expect(levels.count > 100)
    #expect(levels.allSatisfy { abs($0 + 6.02) < 0.01 }, "\(levels.prefix(4))")
  }

  @Test func `an LV2 saturator has the harmonics of its curve`() throws {
    let value = try json("urn:fxrun:saturator:mono", "drive=12dB", "--what", "harmonics")
    let drive = pow(10, 12.0 / 20)
    let results = value["channels"].elements[0]["harmonics"].elements
    for level in [-24.0, -12, -4] {
      let result = try #require(results.first { $0["level"].number == level })
      for order in [3, 5] {
        let measured = try #require(result["harmonics"].elements[order - 2].number)
        let expected = harmonic(order, amplitude: pow(10, level / 20)) { sample in
          let x = min(max(sample * drive, -3), 3)
          return x * (27 + x * x) / (27 + 9 * x * x)
        }
        #expect(abs(measured - expected) < 0.3, "\(level) dB, harmonic \(order)")
      }
    }
    #expect(value["latencyFrames"].number == 32)
  }

  @Test func `figures of a filter are printed as JSON and nothing is written`() throws {
    let value = try json("lowPass", "frequency=1kHz")
    let magnitude = value["channels"].elements[0]["magnitude"]
    let hertz = magnitude["hertz"].elements.compactMap(\.number)
    let place = try #require(hertz.firstIndex { abs($0 - 1000) < 1e-6 })
    let level = try #require(magnitude["decibels"].elements[place].number)
    #expect(abs(level + 3.01) < 0.01)
    #expect(
      value["panels"].elements.compactMap(\.text)
        == ["magnitude", "phase", "groupDelay", "impulse"])
    #expect(folder.names.isEmpty)
  }

  @Test func `without a name the file is named after the subject and replaces no file`() throws {
    try folder.write(
      "voice.json", #"{ "version": 1, "chain": [ { "unit": "highPass", "id": "low" } ] }"#)
    let outcome = try folder.run("plot", "voice.json", "--set", "low.frequency=200 Hz")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(
      outcome.text.hasPrefix("voice.svg: magnitude, phase, group delay, impulse response\n"),
      "\(outcome.text)")
    #expect(outcome.text.contains("\nNo static curve: the gain at 1 kHz is "))
    #expect(folder.names.sorted() == ["voice.json", "voice.svg"])
    let again = try folder.run("plot", "voice.json")
    #expect(again.exitCode == 5)
    #expect(again.errorText == "error: 'voice.svg' is there already; -o voice.svg replaces it\n")
    #expect(try folder.run("plot", "voice.json", "-o", "voice.svg").exitCode == 0)
  }

  @Test func `SVG and PNG files are written, the same each time`() throws {
    for name in ["a.svg", "b.svg", "a.png", "b.png"] {
      let outcome = try folder.run("plot", "notch", "-o", name, "--theme", "dark")
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
    #expect(try folder.bytes("a.svg") == folder.bytes("b.svg"))
    #expect(try folder.bytes("a.png") == folder.bytes("b.png"))
    #expect(try folder.bytes("a.png").starts(with: [0x89, 0x50, 0x4e, 0x47]))
    let printed = try folder.run("plot", "notch", "-o", "-", "--theme", "dark")
    #expect(try printed.output == folder.bytes("a.svg"))
    #expect(!printed.text.contains("prefers-color-scheme"))
  }

  @Test func `requested panels are drawn even if they show nothing`() throws {
    let outcome = try folder.run(
      "plot", "gain", "--what", "staticCurve,magnitude", "-o", "gain.svg")
    #expect(outcome.text == "gain.svg: static curve, magnitude\n")
  }

  @Test(arguments: [
    (["lowPas"], 64, "there is no unit and no file 'lowPas'\n  did you mean 'lowPass'?"),
    (["missing.json"], 2, "missing.json: the chain cannot be read: "),
    (["urn:nothing:here"], 3, "urn:nothing:here"),
    (["lfo"], 64, "'lfo' makes a control signal and no sound; "),
    (["gain", "gain=-inf"], 2, "nothing of the input 'main' reaches the output 'main'; "),
    (["gain", "gain"], 64, "plot takes name=value, not 'gain'"),
    (["gain", "gain=900dB"], 2, "is above the maximum of 48"),
    (
      ["gain", "--what", "magnitud"], 64, "there is no panel 'magnitud'; did you mean 'magnitude'?"
    ),
    (["gain", "--theme", "blue"], 64, "--theme must be light, dark or auto, not 'blue'"),
    (["gain", "--level", "90"], 64, "--level must be -100 to 24 dB"),
    (["gain", "--feed", "3"], 64, "--feed must be all, sides or 1 to 2, not '3'"),
    (["gain", "-o", "a.jpg"], 64, "the name of a picture ends in .svg or .png, not 'a.jpg'"),
    (["gain", "-o", "-", "--json"], 64, "-o - and --json both write to standard output"),
    (["gain", "--input", "voice"], 64, "the chain has no input 'voice' (its inputs: 'main')"),
    (["gain", "--output", "low"], 64, "the chain has no output 'low' (its outputs: 'main')"),
    (["gain", "--set", "nothing.at=1"], 64, "nothing"),
    (["gain", "-o", "/proc/none/a.svg"], 5, "/proc/none"),
  ])
  func `a subject that cannot be plotted is an error`(
    _ arguments: [String], _ status: Int32, _ words: String
  ) throws {
    let output = arguments.contains("-o") ? [] : ["-o", "x.svg"]
    let outcome = try Program.run(
      ["plot"] + arguments + output, in: folder.path, environment: TestPlugins.environment)
    #expect(outcome.exitCode == status, "\(outcome.errorText)")
    #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
    #expect(folder.names.isEmpty)
    let inJSON = try Program.run(
      ["plot"] + arguments + (arguments.contains("-") ? [] : ["--json"]), in: folder.path,
      environment: TestPlugins.environment)
    #expect(inJSON.exitCode == status)
  }

  @Test func `a value without a node is refused for a chain, with the right option`() throws {
    try folder.write("voice.json", emptyChain)
    let outcome = try folder.run("plot", "voice.json", "gain=3")
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains("--set node.parameter=value"))
  }

  @Test func `a chain for a sound card is plotted without the card`() throws {
    try folder.write(
      "live.json",
      """
      { "version": 1, "nodes": {
        "in": { "source": { "alsa": "hw:42" } }, "low": { "unit": "lowPass" },
        "out": { "sink": { "alsa": "hw:43" } } }, "connections": ["in -> low -> out"] }
      """)
    let outcome = try folder.run("plot", "live.json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(folder.names.contains("live.svg"))
  }
}
