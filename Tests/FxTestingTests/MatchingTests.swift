import Foundation
import FxKit
@testable import FxTesting
import Testing

@Suite struct MatchingTests {
  private let folder = GoldenFolder()

  private func rendering(_ chain: Chain, blockSize: Int? = nil) throws -> Rendering {
    try chain.rendering(.noise, seconds: 0.05, blockSize: blockSize)
  }

  private func record(_ chain: Chain, _ name: String = "voice") throws {
    let outcome = GoldenCheck(try rendering(chain), folder.golden(name), mode: .all).outcome
    #expect(outcome.failure == nil, "\(outcome.failure?.message ?? "")")
  }

  @Test func `a rendering matches its golden at any block size`() throws {
    try record(.voice())
    for blockSize in [1, 64, 480, 8192] {
      expect(try rendering(.voice(), blockSize: blockSize), matches: folder.golden("voice"))
      #expect(try rendering(.voice(), blockSize: blockSize) ≈ folder.golden("voice"))
    }
  }

  @Test func `a different sound is an issue with the reason`() throws {
    try record(.voice())
    let louder = try rendering(.voice(gain: -2.9))
    let issues = Issues()
    withKnownIssue {
      expect(louder, matches: folder.golden("voice"))
    } matching: {
      issues.add($0)
      return true
    }
    let message = try #require(issues.messages.first)
    let lines = message.split(separator: "\n").map(String.init)
    #expect(lines[0] == "voice.json does not sound like its golden 'voice'")
    // First the chain, then the sound, then the place where the difference begins.
    #expect(lines[1] == "the chain differs: fader.gain is -2.9, was -3")
    #expect(lines[2] == "the audio differs: 0.10 dB louder, nothing else")
    #expect(message.contains("\nbegins at node 'fader' (gain), frame 0: "))
    #expect(message.contains("\nfiles: "))
  }

  @Test func `the operator stores the reason in the golden`() throws {
    try record(.voice())
    let golden = folder.golden("voice")
    let louder = try rendering(.voice(gain: -2.9))
    #expect(!(louder ≈ golden))
    #expect("\(golden)".contains("0.10 dB louder, nothing else"))
    let issues = Issues()
    withKnownIssue {
      #expect(louder ≈ golden)
    } matching: {
      issues.add($0)
      return true
    }
    #expect(issues.count == 1)
  }

  @Test func `the rendered sound is written for listening`() throws {
    try record(.voice())
    let louder = try rendering(.voice(gain: -2.9))
    let golden = folder.golden("voice")
    let failure = try #require(GoldenCheck(louder, golden, mode: .off).outcome.failure)
    let files = FailureFiles(louder, golden, failure)
    let line = try #require(files.lines.first)
    let written = String(line.dropFirst("files: ".count))
    defer { try? FileManager.default.removeItem(atPath: written) }
    let names = try FileManager.default.contentsOfDirectory(atPath: written)
    #expect(names.sorted() == ["actual.wav", "difference.txt", "report.html"])
    let page = try String(contentsOfFile: "\(written)/report.html", encoding: .utf8)
    #expect(page.contains("0.10 dB louder, nothing else") && page.contains("fader"))
    #expect(written.hasSuffix("-voice"))
  }

  @Test func `a difference within the tolerance matches`() throws {
    try record(.voice())
    let louder = try rendering(.voice(gain: -2.999))
    #expect(louder ≈ folder.golden("voice", within: .peak(-60)))
    #expect(louder ≈ folder.golden("voice", within: .rms(-70)))
    #expect(louder ≈ folder.golden("voice", within: .spectral(0.1)))
    #expect(!(louder ≈ folder.golden("voice", within: .peak(-120))))
    #expect(!(louder ≈ folder.golden("voice", within: .init(peak: -60, rms: -120))))
    #expect(!(louder ≈ folder.golden("voice")))
  }

  @Test func `a damaged golden fails with what is wrong`() throws {
    try record(.voice())
    let path = "\(folder.path)/voice.golden.json"
    try "{".write(toFile: path, atomically: true, encoding: .utf8)
    let failure = GoldenCheck(
      try rendering(.voice()), folder.golden("voice"), mode: .off
    ).outcome.failure
    #expect(failure?.message.contains(path) == true)
  }

  @Test func `every output of a chain is compared with its golden`() throws {
    func crossover(_ gain: Double) -> Chain {
      Chain(
        json: """
          { "version": 1, "tail": "none", "nodes": {
              "in": { "source": "main" },
              "low": { "unit": "lowPass", "parameters": { "frequency": "200 Hz" } },
              "high": { "unit": "highPass", "parameters": { "frequency": "200 Hz" } },
              "fader": { "unit": "gain", "parameters": { "gain": "\(gain) dB" } },
              "left": { "sink": "low" }, "right": { "sink": "high" } },
            "connections": ["in -> low -> left", "in -> high -> fader -> right"] }
          """)
    }
    try record(crossover(0), "crossover")
    expect(try rendering(crossover(0)), matches: folder.golden("crossover"))
    let changed = try rendering(crossover(-1))
    #expect(changed.outputs == ["low", "high"])
    let failure = try #require(
      GoldenCheck(changed, folder.golden("crossover"), mode: .off).outcome.failure)
    #expect(failure.message.contains("the audio of 'high' differs: 1.00 dB quieter, nothing else"))
    #expect(!failure.message.contains("'low'"))
  }

  @Test func `two renderings are compared`() throws {
    let one = try rendering(.voice())
    expect(one, matches: try rendering(.voice(), blockSize: 64))
    #expect(one ≈ one)
    let louder = try rendering(.voice(gain: -2.9))
    #expect(!(one ≈ louder))
    expect(louder, matches: one, within: .peak(-30))
    let issues = Issues()
    withKnownIssue {
      expect(louder, matches: one)
    } matching: {
      issues.add($0)
      return true
    }
    let message = try #require(issues.messages.first)
    #expect(message.hasPrefix("two renderings of voice.json do not sound the same\n"))
    #expect(message.contains("sound: 0.10 dB louder, nothing else"))
  }

  @Test func `values are compared with a margin`() {
    #expect(-16.4 ≈ (-16 ± 0.5))
    #expect(!(-16.6 ≈ (-16 ± 0.5)))
    #expect(3.0 ≈ (3 ± -0.5))
    #expect(!(Double.nan ≈ (3 ± 0.5)))
    #expect(!(3.0 ≈ (Double.nan ± 0.5)))
  }
}

/// The issues of a test.
final class Issues: @unchecked Sendable {
  // Sendable: `withKnownIssue` calls its matcher on the test's own thread.
  private(set) var messages: [String] = []
  private(set) var count = 0

  func add(_ issue: Issue) {
    count += 1
    messages += issue.comments.map(\.rawValue)
  }
}
