import ArgumentParser
@testable import FxRun
import Testing

/// `PlainRun` parses some command lines of `RunCommand`, with the same result.
@Suite struct PlainRunTests {
  @Test(arguments: [
    ["c.json"], ["c.json", "a.mp3"], ["c.json", "-o", "b.wav"], ["c.json", "a.mp3", "-o", "b.wav"],
    ["-o", "b.wav", "c.json", "-", "-q"], ["c.json", "a.mp3", "-o", "-", "--json"],
    ["c.json", "a.mp3", "-o", "b.wav", "-o", "b.flac", "--quiet"], ["none"],
    ["c.json", "--bits", "16", "-o", "b.wav"], ["c.json", "--bits", "8", "--bits", "int32"],
    ["c.json", "--set", "a.gain=-3 dB", "a.mp3", "--set", "b.q=1"],
    ["--define", "a=1", "c.json", "--define", "b=-2"],
  ])
  func `the short parser and the full command read the usual arguments alike`(
    _ arguments: [String]
  ) throws {
    let plain = try #require(PlainRun(arguments))
    let full = try RunCommand.parse(arguments)
    #expect(plain.chain == full.file.chain)
    #expect(plain.define == full.file.define)
    #expect(plain.quiet == full.quiet)
    #expect(plain.json == full.json)
    #expect(described(try plain.request()) == described(try full.request()))
  }

  @Test(arguments: [
    [], ["-q"], ["c.json", "a.mp3", "b.mp3"], ["c.json", "--threads", "1"], ["c.json", "--bits"],
    ["c.json", "--bits=16"],
    ["c.json", "--set", "-3"], ["c.json", "-o"],
    ["c.json", "-o", "-q"],
    ["c.json", "-ob.wav"], ["c.json", "--output", "main=b.wav"], ["c.json", "--", "a.mp3"],
    ["c.json", "--quiet=yes"], ["--help"], ["--version"], ["c.json", "-qo", "b.wav"],
  ])
  func `anything else is left to the full command`(_ arguments: [String]) {
    let plain = PlainRun(arguments)
    #expect(plain == nil)
  }

  private func described(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }
}
