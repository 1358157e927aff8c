import Foundation
import FxAudio
@testable import FxChain
@testable import FxKit
import FxTestSupport
import Testing

/// The models in Tests/NeuralModels, and the output that a separate program computed for them in
/// doubles.
@Suite struct `A neural amplifier` {
  private struct Reference {
    let input: [Float]
    /// The model's document and its output.
    let cases: [(name: String, model: [UInt8], output: [Double])]
  }

  private let folder = TemporaryFolder()

  private func reference() throws -> Reference {
    let path = URL(filePath: Fixture.tests).appending(path: "NeuralModels/reference.json")
    let root = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
    let input = try #require(root["input"] as? [Double])
    let cases = try #require(root["cases"] as? [[String: Any]])
    return Reference(
      input: input.map { Float($0) },
      cases: try cases.map {
        (
          try #require($0["name"] as? String),
          try [UInt8](JSONSerialization.data(withJSONObject: try #require($0["model"]))),
          try #require($0["output"] as? [Double])
        )
      })
  }

  private func chain(_ model: [UInt8], _ more: String = "") throws -> Chain {
    try Data(model).write(to: URL(filePath: folder.file("m.nam")))
    return Chain(
      json: """
        { "version": 1, "tail": "none",
          "chain": [ { "id": "amp", "unit": "neuralAmp", "model": "m.nam" \(more) } ] }
        """, path: folder.file("chain.json"))
  }

  /// Decibels of the largest error, relative to the peak of the expected output.
  private func error(_ output: [Float], _ expected: [Double]) -> Double {
    var worst = 0.0
    for (sample, exact) in zip(output, expected) {
      worst = max(worst, (Double(sample) - exact).magnitude)
    }
    let peak = expected.map(\.magnitude).max() ?? 0
    return output.count == expected.count ? Math.decibels(amplitude: worst / peak) : .infinity
  }

  @Test func `computes each architecture as a separate program does`() throws {
    let reference = try reference()
    #expect(reference.cases.count >= 16)
    for (name, model, expected) in reference.cases {
      let output = try ChainRenderer(chain(model), sampleRate: 48000, channels: 1).render([
        reference.input
      ])[0]
      #expect(error(output, expected) < -100, "\(name)")
    }
  }

  @Test func `brings the loudness that the file states to -18 dB, unless normalize is off`() throws
  {
    let reference = try reference()
    let (_, model, expected) = reference.cases[0]
    let text = String(decoding: model, as: UTF8.self)
    let loud = [UInt8](text.replacing(#""loudness":null"#, with: #""loudness":-30"#).utf8)
    #expect(loud != model)
    for (more, gain) in [("", 12.0), (#", "normalize": false"#, 0)] {
      let output = try ChainRenderer(chain(loud, more), sampleRate: 48000, channels: 1).render([
        reference.input
      ])[0]
      let scaled = expected.map { $0 * Math.amplitude(decibels: gain) }
      #expect(error(output, scaled) < -100, "\(more)")
    }
  }

  @Test func `a changed model is another unit`() throws {
    let cases = try reference().cases
    let chain = try chain(cases[0].model)
    let first = try ChainRenderer(chain, channels: 1).render([[0.5, 0.2, -0.7, 0.1]])
    try Data(cases[1].model).write(to: URL(filePath: folder.file("m.nam")))
    let second = try ChainRenderer(chain, channels: 1).render([[0.5, 0.2, -0.7, 0.1]])
    #expect(first != second)
  }

  @Test func `a file that is missing or no model is reported at its place, by a check too`() throws
  {
    let chain = try chain(Array("{".utf8))
    let mistake = try #require(chain.checked().all.first)
    #expect(mistake.code == .invalidValue && mistake.place != nil)
    #expect(mistake.message.contains("m.nam' cannot be played: line 1, column"))
    try FileManager.default.removeItem(atPath: folder.file("m.nam"))
    #expect(chain.checked().all.first?.code == .unreadableFile)
  }
}
