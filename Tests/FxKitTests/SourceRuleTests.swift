import Foundation
import FxChain
@testable import FxKit
import FxTestSupport
import Testing

/// The sources that determine the length and the sample rate of a render.
@Suite struct SourceRuleTests {
  private let folder: TemporaryFolder
  private let request: RenderRequest

  /// 0.2 s at 22050 Hz, 0.1 s at 44100 Hz, 0.05 s at 8000 Hz.
  init() throws {
    folder = TemporaryFolder()
    _ = try folder.writeSound("slow.wav", noise(4410), rate: 22050)
    _ = try folder.writeSound("fast.wav", noise(4410), rate: 44100)
    _ = try folder.writeSound("short.wav", noise(400), rate: 8000)
    request = RenderRequest(outputs: ["main": folder.file("out.wav")])
  }

  private func mixed(_ sources: [String], _ settings: String = "") -> Chain {
    let nodes = sources.map { #""\#($0.filter(\.isLetter))": { "source": \#($0) }"# }
    let connections = sources.map { #""\#($0.filter(\.isLetter)) -> mix""# }
    return Chain(
      json: """
        { "version": 1, "tail": "none", \(settings)
          "nodes": { \((nodes + [#""mix": { "unit": "mixer" }"#]).joined(separator: ", ")),
            "out": { "sink": "main" } },
          "connections": [ \((connections + [#""mix -> out""#]).joined(separator: ", ")) ] }
        """, path: folder.file("chain.json"))
  }

  private static let orders = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
  ]

  @Test(arguments: orders)
  func `without a main input the longest source and the highest rate apply, in any order`(
    _ order: [Int]
  ) throws {
    let sources = [#""slow.wav""#, #""fast.wav""#, #"{ "null": true }"#]
    let summary = try mixed(order.map { sources[$0] }).render(request)
    #expect(summary.sampleRate == 44100)
    #expect(summary.frames == 8820)
  }

  @Test(arguments: orders)
  func `the rate and the length of a bound main input apply, in any order`(
    _ order: [Int]
  ) throws {
    let sources = [#""slow.wav""#, #""main""#, #""fast.wav""#]
    var request = request
    request.inputs["main"] = folder.file("short.wav")
    let summary = try mixed(order.map { sources[$0] }).render(request)
    #expect(summary.sampleRate == 8000)
    #expect(summary.frames == 400)
  }

  @Test func `the chain's own rate overrides the rates of its sources`() throws {
    let summary = try mixed([#""slow.wav""#, #""fast.wav""#], #""sampleRate": 48000,"#)
      .render(request)
    #expect(summary.sampleRate == 48000)
    #expect(summary.frames == 9600)
  }

  @Test(arguments: [[#""slow.wav""#, #""fast.wav""#], [#""fast.wav""#, #""slow.wav""#]])
  func `a check uses the rates of the existing files`(
    _ sources: [String]
  ) throws {
    let chain = mixed(sources + [#""nothing.wav""#])
    let notes = chain.check(sampleRate: 96000).filter { $0.code == "mixed-rates" }
    #expect(notes.map(\.severity) == [.note])
    #expect(
      notes.first?.message == "sources have 22050 and 44100 Hz; the chain runs at 44100 Hz")
    #expect(chain.check().allSatisfy { $0.severity == .note })
  }

  @Test func `sources of one rate give no note`() throws {
    #expect(mixed([#""fast.wav""#, #""main""#]).check().isEmpty)
    #expect(mixed([#""fast.wav""#, #"{ "null": true }"#]).check().isEmpty)
  }

  // MARK: - Signals

  private static let bursts = """
    { "signal": "bursts", "frequency": 440, "duration": "0.1 s", "channels": 1, "level": -6 }
    """

  private func recorded(_ source: String, _ rate: Int) throws -> [[Float]] {
    let chain = Chain(
      json: #"{ "version": 1, "sampleRate": \#(rate), "tail": "none", "chain": [ { "source": "#
        + source + #" }, { "sink": { "file": "\#(folder.file("signal.wav"))", "bits": 32 } } ] }"#)
    _ = try chain.render(RenderRequest())
    let bytes = try Array(Data(contentsOf: URL(filePath: folder.file("signal.wav"))))
    let samples = bytes.suffix(4 * rate / 10).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    return [samples]
  }

  @Test(arguments: [44100, 48000])
  func `a signal determines the length of a chain without a file, at the chain's own rate`(
    _ rate: Int
  ) throws {
    let samples = try recorded(Self.bursts, rate)[0]
    #expect(samples.count == rate / 10)
    // A sine of 440 Hz with peaks of -6 dB for 50 ms, then silence.
    for frame in [0, 17, rate / 40] {
      let wanted = 0.501_187_2 * sin(2 * .pi * 440 * Double(frame) / Double(rate))
      #expect(abs(Double(samples[frame]) - wanted) < 1e-5)
    }
    #expect(samples[(rate / 20)...].allSatisfy { $0 == 0 })
  }

  @Test func `with a signal and a file, the file determines the length`() throws {
    let summary = try mixed([Self.bursts, #""short.wav""#], #""sampleRate": 8000,"#).render(request)
    #expect(summary.frames == 400)
  }

  @Test func `a signal without an end needs a duration`() throws {
    let chain = Chain(
      json:
        #"{ "version": 1, "chain": [ { "source": { "signal": "noise" } }, { "sink": "null" } ] }"#)
    #expect(failure { _ = try chain.render(RenderRequest()) }?.code == "no-length")
    var request = RenderRequest()
    request.duration = 0.01
    #expect(try chain.render(request).frames == 480)
  }

  @Test func `a frequency above half the rate is refused with its reason`() throws {
    let chain = Chain(
      json: #"{ "version": 1, "sampleRate": 8000, "chain": [ "#
        + #"{ "source": { "signal": "tone", "frequency": 5000, "duration": 1 } }, { "sink": "null" } ] }"#
    )
    let found = failure { _ = try chain.render(RenderRequest()) }
    #expect(found?.kind == .chain)
    #expect(found?.details.all.first?.place != nil)
    #expect(
      found?.details.all.first?.message.contains("below 4000 Hz, half the sample rate") == true)
  }
}
