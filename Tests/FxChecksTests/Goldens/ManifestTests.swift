import Foundation
import FxChain
@testable import FxChecks
import FxKit
import Testing

@Suite struct ManifestTests {
  private let folder = CaseFolder()

  private let chain = #"""
    { "version": 1, "tail": "none", "seed": 7, "nodes": {
        "in": { "source": "main" },
        "eq": { "unit": "equalizer", "bands": [ { "id": "low", "type": "lowShelf", "frequency": "120 Hz", "gain": "3 dB" } ] },
        "out": { "sink": "main" } },
      "connections": ["in -> eq", { "from": "eq", "to": "out", "gain": "-1 dB" }] }
    """#

  private func manifest(_ chain: String) throws -> Manifest {
    let rendering = try folder.rendering(chain)
    let environment = try #require(rendering.environment)
    return Manifest(
      outputs: rendering.outputs.map {
        Manifest.Output(
          name: $0.name,
          shape: .init(
            channelCount: $0.sound.channelCount, frameCount: $0.sound.frameCount,
            sampleRate: $0.sound.sampleRate), digest: $0.digest, sound: "voice.wav")
      }, environment: environment, fingerprints: rendering.fingerprints,
      cost: NodeCosts(total: 2.5, nodes: [.init(id: "eq", cost: 2.25)]))
  }

  @Test func `a written manifest is read back unchanged`() throws {
    let manifest = try manifest(chain)
    let path = "\(folder.path)/voice.golden.json"
    try manifest.json.text().write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try Manifest(contentsOfFile: path) == manifest)
  }

  @Test(arguments: [
    ("", "not JSON"), ("[]", "has no 'golden'"), ("{}", "has no 'golden'"),
    (#"{"golden": 2}"#, "version 2"), (#"{"golden": 1, "outputs": 3}"#, "is no list"),
    (#"{"golden": 1e300}"#, "no whole number"),
  ])
  func `a file that is not a manifest is refused with the reason`(_ text: String, _ mistake: String)
    throws
  {
    let path = "\(folder.path)/bad.golden.json"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let failure = #expect(throws: ChainFailure.self) { try Manifest(contentsOfFile: path) }
    #expect(failure?.kind == .input)
    #expect(failure?.message.contains(path) == true)
    if !text.isEmpty {
      #expect(failure?.message.contains(mistake) == true, "\(failure?.message ?? "")")
    }
  }

  @Test(arguments: ["9000000000000000000", "0", "-256", "300", "2147483648"])
  func `a manifest with an impossible window length is refused`(_ length: String) throws {
    let path = "\(folder.path)/voice.golden.json"
    let text = try manifest(chain).json.text().replacingOccurrences(
      of: #""windowFrames": *[0-9]+"#, with: "\"windowFrames\": \(length)",
      options: .regularExpression)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let failure = #expect(throws: ChainFailure.self) { try Manifest(contentsOfFile: path) }
    #expect(failure?.code == "bad-golden")
    #expect(failure?.message.contains("'windowFrames'") == true, "\(failure?.message ?? "")")
  }

  @Test func `the same chain has the same environment`() throws {
    let then = try manifest(chain).environment
    #expect(try manifest(chain).environment.changes(since: then).isEmpty)
  }

  @Test(arguments: [
    ("3 dB", "3.1 dB", "eq.bands.low.gain is 3.1, was 3", "eq"),
    ("\"gain\": \"-1 dB\" }", "\"gain\": \"-2 dB\" }", "gain of eq -> out is", "out"),
    ("\"none\"", "\"1 s\"", "tail is 1 s, was none", nil),
    ("\"in -> eq\", ", "\"in -> eq\", \"in -> out\", ", "the connection in -> out is new", "out"),
    ("lowShelf", "highShelf", "eq.low.type is", "eq"),
  ])
  func `a change of the chain is named`(
    _ text: String, _ other: String, _ message: String, _ node: String?
  ) throws {
    let then = try manifest(chain).environment
    let changed = chain.split(separator: text, omittingEmptySubsequences: false).joined(
      separator: other)
    let changes = try manifest(changed).environment.changes(since: then)
    #expect(changes.map(\.kind).contains(.chain))
    #expect(
      changes.contains { $0.message.contains(message) && $0.node == node },
      "\(changes.map(\.message))")
  }

  @Test func `changes of rate, block, seed, input, unit and plugin have different kinds`() throws {
    let then = try manifest(chain).environment
    var now = then
    now.blockSize = 64
    now.seed = 8
    now.inputs["in"] = 1
    now.units[0].version = "2"
    now.processor = "other"
    #expect(
      now.changes(since: then).map(\.kind)
        == [.input, .blockSize, .seed, .unit, .processor])
    // At another rate every input has other samples.
    now.sampleRate = 44100
    #expect(
      now.changes(since: then).map(\.kind)
        == [.sampleRate, .blockSize, .seed, .unit, .processor])
    var plugin = then
    plugin.units = [.init(node: "p", unit: "urn:p", version: "1.2", binary: "aa", state: "cc")]
    var other = then
    other.units = [.init(node: "p", unit: "urn:p", version: "1.2", binary: "bb", state: "dd")]
    let changes = other.changes(since: plugin)
    #expect(changes.map(\.kind) == [.plugin, .state])
    #expect(changes[0].message.contains("another build"))
  }

  @Test func `a digest of a file is what sha256sum prints`() throws {
    let path = "\(folder.path)/abc"
    try "abc".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(
      SHA256.digest(ofFile: path)
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(SHA256.digest(ofFile: path + ".not") == nil)
    #expect(SHA256.digest(ofFile: folder.path) != nil)
  }
}
