import FxTestSupport
import Foundation
import Testing

/// Messages and reports that misled people who used fxrun for the first time.
@Suite struct NewUserTests {
  private let folder = Folder()

  @Test func `an unbound input names the file and the sound device`() throws {
    let outcome = try folder.run("none", "-o", "out.wav")
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains("--capture"), "\(outcome.errorText)")
  }

  @Test func `the statistics of a short sound have a decimal, and say that it is too short`() throws
  {
    for (seconds, length, words) in [
      (2.0, "2.0 s", "short-term: too short, under 3 s"), (12.6, "12.6 s", " short-term\n"),
      (75.0, "1:15", " short-term\n"),
    ] {
      try folder.write("in.wav", Sound([Signal.noise(Int(seconds * 8000))], rate: 8000))
      let text = try folder.run("stats", "in.wav").text
      #expect(text.contains("length          \(length), "), "\(text)")
      #expect(text.contains(words) && !text.contains("-inf"), "\(text)")
    }
  }

  @Test func `a request without the name of a performance says what is missing`() throws {
    for words in [["mute"], ["get", "tuner.cents"], ["set", "a.b", "3"]] {
      let outcome = try Program.run(["control"] + words, in: folder.path)
      #expect(outcome.exitCode == 64)
      #expect(outcome.errorText.contains("'\(words[0])' is a request"), "\(outcome.errorText)")
      #expect(outcome.errorText.contains("fxrun control NAME \(words[0])"), "\(outcome.errorText)")
    }
    // A performance may have the name of a request.
    let named = try Program.run(["control", "mute", "status"], in: folder.path)
    #expect(!named.errorText.contains("is a request"))
  }

  @Test func `the help of batch has the options of a batch`() throws {
    for words in [["help", "batch"], ["batch", "--help"], ["batch", "-h"]] {
      let text = try Program.run(words).text
      for option in ["--jobs", "--manifest", "--shard", "--loudness", "merge"] {
        #expect(text.contains(option), "\(words)")
      }
      #expect(!text.contains("OPTIONS:\n  --version"))
    }
  }

  @Test func `JSON names the file once`() throws {
    let render = try JSONValue(
      try folder.run("none", "no.wav", "-o", "out.wav", "--json").output)["error"]
    #expect(render["path"].text == "no.wav")
    #expect(render["message"].text?.hasPrefix("no such file") == true)
    let stats = try JSONValue(try folder.run("stats", "no.wav", "--json").output).elements[0]
    #expect(stats["file"].text == "no.wav")
    #expect(stats["error"].text?.hasPrefix("no such file") == true)
  }

  @Test func `the chain none has no cases`() throws {
    let outcome = try folder.run("test", "none")
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains("has no cases"), "\(outcome.errorText)")
    #expect(outcome.errorText.contains(".test.json"))
  }
}
