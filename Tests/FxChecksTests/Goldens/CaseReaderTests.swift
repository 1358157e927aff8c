import FxChain
@testable import FxChecks
import FxKit
import FxUnits
import Testing

@Suite struct CaseReaderTests {
  private func read(_ text: String, path: String = "tests/voice.test.json") -> CaseFile {
    CaseFile(bytes: Array(text.utf8), path: path)
  }

  @Test func `a version is enough for a case`() throws {
    let file = read("{ \"version\": 1 }")
    #expect(file.diagnostics.text() == "")
    let voice = try #require(file.cases.first)
    #expect(file.cases.count == 1)
    #expect(voice.name == "voice")
    #expect(voice.chain == "tests/voice.json")
    #expect(voice.expectation == .sound("tests/golden/voice.wav"))
    #expect(voice.inputs.isEmpty)
    #expect(voice.duration == 2)
    #expect(voice.tolerance.isExact)
    #expect(voice.cost == nil)
  }

  @Test func `every key is read, and paths are relative to the case file`() throws {
    let file = read(
      """
      { "version": 1, "comment": "x", "chain": "../chains/voice.json", "input": "take.wav",
        "inputs": { "key": { "signal": "Sweep", "level": "-6 dB", "from": 40, "to": "8 kHz" },
                    "hit": { "signal": "impulse", "start": "10 ms" },
                    "hum": { "signal": "tone", "frequency": "50 Hz" },
                    "air": { "signal": "pinkNoise", "seed": 7 } },
        "duration": "1500 ms", "sampleRate": "44.1 kHz", "channels": 1, "blockSize": 64,
        "define": { "amount": 3, "name": "x" }, "scene": "loud",
        "set": { "comp.threshold": "-20 dB", "comp.ratio": 4, "comp.auto": true },
        "expect": "/golden/v.golden.json", "cost": "25 %",
        "tolerance": { "peak": "-90 dB", "rms": -100, "spectral": "0.5 dB" } }
      """)
    #expect(file.diagnostics.text() == "")
    let voice = try #require(file.cases.first)
    #expect(voice.chain == "tests/../chains/voice.json")
    #expect(voice.inputs["main"] == .file("tests/take.wav"))
    var sweep = TestSignal(.sweep)
    (sweep.level, sweep.from, sweep.to) = (-6, 40, 8000)
    #expect(voice.inputs["key"] == .signal(sweep))
    var impulse = TestSignal(.impulse)
    impulse.start = 0.01
    #expect(voice.inputs["hit"] == .signal(impulse))
    var tone = TestSignal(.tone)
    tone.frequency = 50
    #expect(voice.inputs["hum"] == .signal(tone))
    var noise = TestSignal(.pinkNoise)
    noise.seed = 7
    #expect(voice.inputs["air"] == .signal(noise))
    #expect(voice.duration == 1.5 && voice.sampleRate == 44100)
    #expect(voice.channels == 1 && voice.blockSize == 64)
    #expect(voice.variables == ["amount": "3", "name": "x"])
    #expect(voice.settings.map(\.parameter) == ["comp.threshold", "comp.ratio", "comp.auto"])
    #expect(voice.settings.map(\.value) == ["-20 dB", "4", "true"])
    #expect(voice.scene == "loud")
    #expect(voice.expectation == .manifest("/golden/v.golden.json"))
    #expect(voice.tolerance == Tolerance(peak: -90, rms: -100, spectral: 0.5))
    #expect(voice.cost?.tolerance == 0.25)
  }

  @Test func `the cases of a file change the common values`() throws {
    let file = read(
      """
      { "version": 1, "input": "take.wav", "tolerance": "-90 dB", "duration": 3,
        "set": { "comp.ratio": 2, "comp.threshold": -10 },
        "cases": { "plain": {},
                   "quiet": { "input": { "signal": "programme", "level": -40 },
                              "set": { "comp.ratio": 8, "comp.makeup": 1 },
                              "tolerance": "Exact", "expect": "golden/hush.wav" } } }
      """)
    #expect(file.diagnostics.text() == "")
    try #require(file.cases.map(\.name) == ["voice/plain", "voice/quiet"])
    let (plain, quiet) = (file.cases[0], file.cases[1])
    #expect(plain.chain == "tests/voice.json" && quiet.chain == "tests/voice.json")
    #expect(plain.expectation == .sound("tests/golden/voice-plain.wav"))
    #expect(quiet.expectation == .sound("tests/golden/hush.wav"))
    #expect(plain.tolerance == Tolerance(peak: -90) && quiet.tolerance.isExact)
    #expect(plain.inputs["main"] == .file("tests/take.wav") && plain.duration == 3)
    #expect(quiet.settings.map(\.parameter) == ["comp.ratio", "comp.threshold", "comp.makeup"])
    #expect(quiet.settings.map(\.value) == ["8", "-10", "1"])
  }

  @Test func `a case has the text of its file without the other cases`() throws {
    let file = read(
      """
      { "version": 1, "set": { "comp.ratio": 2 },
        "cases": { "plain": {}, "quiet": { "input": { "signal": "noise" } }, "l\\u006fud": {} },
        "duration": 3 }
      """)
    try #require(file.cases.map(\.name) == ["voice/plain", "voice/quiet", "voice/loud"])
    for testCase in file.cases {
      let text = String(decoding: testCase.text, as: UTF8.self)
      let alone = read(text)
      #expect(alone.diagnostics.text() == "")
      #expect(alone.cases.map(\.name) == [testCase.name])
      #expect(alone.cases.first?.duration == 3)
      #expect(alone.cases.first?.settings.map(\.value) == ["2"])
      #expect(alone.cases.first?.inputs == testCase.inputs)
    }
    let single = "{ \"version\": 1 }"
    #expect(read(single).cases.first?.text == Array(single.utf8))
  }

  @Test func `a file is used at its full length, a signal for two seconds`() {
    func duration(_ more: String) -> Double? {
      read("{ \"version\": 1, \(more) }").cases.first?.duration
    }
    #expect(duration("\"input\": \"take.wav\"") == nil)
    #expect(duration("\"input\": { \"signal\": \"noise\" }") == 2)
  }

  @Test func `the mistakes of a file are reported together, each with its line and a remedy`() {
    let file = read(
      """
      {
        "version": 1,
        "chian": "voice.json",
        "input": { "signal": "sweeep", "level": "12 kHz" },
        "duration": "-2 s",
        "tolerance": "-90 Hz",
        "expect": "voice.json",
        "cases": {
          "quiet one": {},
          "loud": { "set": { "comp.ratio": [4] }, "blockSize": 0, "cases": {} }
        }
      }
      """, path: "voice.test.json")
    #expect(file.cases.isEmpty)
    #expect(
      file.diagnostics.text() == """
        voice.test.json:3:3: error: a case file has no key 'chian'
          "chian": "voice.json",
          ^~~~~~~
          did you mean 'chain'?
        voice.test.json:4:24: error: there is no signal 'sweeep'
          "input": { "signal": "sweeep", "level": "12 kHz" },
                               ^~~~~~~~
          did you mean 'sweep'?
          one of: silence, impulse, tone, sweep, noise, pinkNoise, brownNoise, blueNoise, violetNoise, bursts, programme
        voice.test.json:5:15: error: 'duration' "-2 s" is below the minimum of 0.0001 s
          "duration": "-2 s",
                      ^~~~~~
          (duration: 0.0001…86400 s)
        voice.test.json:6:16: error: 'tolerance' "-90 Hz" has the wrong unit of measure
          "tolerance": "-90 Hz",
                       ^~~~~~~~
          written in dB
          (tolerance: -400…0 dB)
        voice.test.json:7:13: error: a golden is a WAV file, a FLAC file or a manifest
          "expect": "voice.json",
                    ^~~~~~~~~~~~
          its name ends in .wav, .flac or .golden.json
        voice.test.json:9:5: error: 'quiet one' cannot name a case
            "quiet one": {},
            ^~~~~~~~~~~
          a name is a letter, then letters, digits, '-' and '_', such as 'quiet-one'
        voice.test.json:10:38: error: a value is a number, a string, true or false, not a list
            "loud": { "set": { "comp.ratio": [4] }, "blockSize": 0, "cases": {} }
                                             ^~~
        voice.test.json:10:58: error: 'blockSize' 0 is below the minimum of 1
            "loud": { "set": { "comp.ratio": [4] }, "blockSize": 0, "cases": {} }
                                                                 ^
          (blockSize: 1…8192)
        voice.test.json:10:61: error: a case has no key 'cases'
            "loud": { "set": { "comp.ratio": [4] }, "blockSize": 0, "cases": {} }
                                                                    ^~~~~~~
          its keys: chain, input, inputs, duration, sampleRate, channels, blockSize, define, set, scene, \
        expect, tolerance, cost, comment
        9 errors

        """)
  }

  @Test(arguments: [
    ("[]", "1:1 a case file is an object, not a list"),
    ("{ \"version\": 2, \"x\": 1 }", "1:14 written for a newer fxrun"),
    ("{}", "1:1 a case file needs the key 'version'"),
    ("{ \"version\": 1, \"nodes\": {} }", "1:17 this is a chain, not a case file"),
    ("{ \"version\": 1, \"chain\": [] }", "1:17 this is a chain, not a case file"),
    ("{ \"version\": 1, \"chain\": \"\" }", "1:26 'chain' names no file"),
    ("{ \"version\": 1, \"input\": 5 }", "1:26 'input' is a string or an object, not a number"),
    ("{ \"version\": 1, \"inputs\": { \"a\": 5 } }", "1:34 'a' is a sound file or a signal"),
    ("{ \"version\": 1, \"input\": {} }", "1:26 a signal needs the key 'signal'"),
    (
      "{ \"version\": 1, \"input\": \"a.wav\", \"inputs\": { \"main\": \"b.wav\" } }",
      "1:47 'input' and 'inputs' both say what goes into 'main'"
    ),
    ("{ \"version\": 1, \"inputs\": { \"a b\": \"b.wav\" } }", "1:29 'a b' cannot name an input"),
    (
      "{ \"version\": 1, \"input\": { \"signal\": \"noise\", \"from\": 20 } }",
      "1:47 'from' goes with 'sweep', not with 'noise'"
    ),
    (
      "{ \"version\": 1, \"input\": { \"signal\": \"sweep\", \"from\": 200, \"to\": 100 } }",
      "1:55 a sweep rises, and this one goes from 200 Hz to 100 Hz"
    ),
    (
      "{ \"version\": 1, \"sampleRate\": 8000, \"input\": { \"signal\": \"tone\", \"frequency\": 5000 } }",
      "1:46 the signal goes up to 5000 Hz, above half the sample rate of 8000 Hz"
    ),
    ("{ \"version\": 1, \"tolerance\": {} }", "1:30 a tolerance needs one of 'peak', 'rms'"),
    ("{ \"version\": 1, \"tolerance\": 3 }", "1:30 'tolerance' 3 is above the maximum of 0 dB"),
    ("{ \"version\": 1, \"cases\": {} }", "1:26 'cases' names no case"),
    ("{ \"version\": 1, \"cost\": \"-5 %\" }", "1:25 'cost' \"-5 %\" is below the minimum of 0"),
  ])
  func `a mistake is reported at its place`(_ text: String, _ wanted: String) throws {
    let file = read(text)
    #expect(file.cases.isEmpty)
    let message = try #require(file.diagnostics.all.first)
    let shown = "\(message.line ?? 0):\(message.column ?? 0) \(message.message)"
    #expect(shown.hasPrefix(wanted), "\(shown)")
  }

  @Test func `MP3 in an exact case is a warning, unless there is a tolerance`() {
    let exact = read(
      "{ \"version\": 1, \"input\": \"a.MP3\", \"cases\": { \"a\": {}, \"b\": {} } }")
    #expect(exact.cases.count == 2)
    #expect(exact.diagnostics.codes == [.inexactInput])
    let near = read("{ \"version\": 1, \"input\": \"a.mp3\", \"tolerance\": -80 }")
    #expect(near.diagnostics.isEmpty)
  }

  @Test func `a file with another name must name its chain`() {
    #expect(
      read("{ \"version\": 1 }", path: "voice.json").diagnostics.codes == [.missingKey])
    let file = read("{ \"version\": 1, \"chain\": \"a.json\" }", path: "x/voice.json")
    #expect(file.cases.map(\.name) == ["voice"])
    #expect(file.cases.map(\.chain) == ["x/a.json"])
  }

  @Test func `a missing file is reported`() {
    let file = CaseFile(contentsOfFile: "/nowhere/voice.test.json")
    #expect(file.diagnostics.codes == [.unreadableFile])
  }

  @Test func `a case file that is cut off anywhere is read without a crash`() {
    let text = """
      {"version":1,"input":{"signal":"sweep","from":"20 Hz"},"inputs":{"a":"b.mp3"},
      "tolerance":{"peak":-1},"set":{"a.b":1},"define":{"c":true},"cases":{"q":{"cost":"5 %"}}}
      """
    for count in 0...text.utf8.count {
      let file = CaseFile(bytes: Array(text.utf8.prefix(count)), path: "a.test.json")
      #expect(count == text.utf8.count ? file.cases.count == 1 : file.diagnostics.hasErrors)
    }
  }
}
