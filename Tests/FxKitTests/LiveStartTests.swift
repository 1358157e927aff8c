import Foundation
import FxChain
import FxEngine
@testable import FxKit
import FxTestSupport
import Testing

/// The start of a performance. The null device accepts all frames at once.
@Suite struct LiveStartTests {
  private func job(_ folder: TemporaryFolder, sampleRate: String = "") throws -> RenderJob {
    try #"{ "version": 1, "chain": [ { "unit": "gain" } ] }"#
      .write(toFile: folder.file("inner.json"), atomically: true, encoding: .utf8)
    let chain = Chain(
      json: #"""
        { "version": 1, "tail": "none", \#(sampleRate)
          "chain": [ { "use": "inner.json" }, { "id": "ears", "sink": { "alsa": "null" } }] }
        """#, path: folder.file("chain.json"))
    return try RenderJob(
      chain, RenderRequest(inputs: ["main": try folder.writeSound("in.wav", noise(4410))]))
  }

  @Test func `a live chain is read and built once`() throws {
    let job = try job(TemporaryFolder())
    #expect(job.isLive)
    #expect(job.read.builder.graphCount == 1)
    let summary = try job.play()
    #expect(summary.frames == 4410)
    #expect(job.read.builder.graphCount == 1)
  }

  @Test func `the files that a live chain names are known from the start`() throws {
    let folder = TemporaryFolder()
    let job = try job(folder)
    #expect(job.read.files.texts.paths.contains(folder.file("inner.json")))
  }

  @Test func `a chain that renders into a file is built once`() throws {
    let folder = TemporaryFolder()
    var request = RenderRequest(inputs: ["main": try folder.writeSound("in.wav", noise(100))])
    request.outputs = ["main": folder.file("out.wav")]
    let job = try RenderJob(list(#"{ "unit": "gain" }"#), request)
    #expect(job.read.builder.graphCount == 1)
  }
}
