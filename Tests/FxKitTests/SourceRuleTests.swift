import FxKit
import Testing

/// Which source says how long a render is, and at which rate it runs.
@Suite struct SourceRuleTests {
  private let folder: Folder
  private let request: RenderRequest

  /// 0.2 s at 22050 Hz, 0.1 s at 44100 Hz, 0.05 s at 8000 Hz.
  init() throws {
    folder = try Folder()
    _ = try folder.write("slow.wav", noise(4410), rate: 22050)
    _ = try folder.write("fast.wav", noise(4410), rate: 44100)
    _ = try folder.write("short.wav", noise(400), rate: 8000)
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
  func `without a main input the longest source and the highest rate hold, in any order`(
    _ order: [Int]
  ) throws {
    let sources = [#""slow.wav""#, #""fast.wav""#, #"{ "null": true }"#]
    let summary = try mixed(order.map { sources[$0] }).render(request)
    #expect(summary.sampleRate == 44100)
    #expect(summary.frames == 8820)
  }

  @Test(arguments: orders)
  func `the rate and the length of a bound main input hold, in any order`(
    _ order: [Int]
  ) throws {
    let sources = [#""slow.wav""#, #""main""#, #""fast.wav""#]
    var request = request
    request.inputs["main"] = folder.file("short.wav")
    let summary = try mixed(order.map { sources[$0] }).render(request)
    #expect(summary.sampleRate == 8000)
    #expect(summary.frames == 400)
  }

  @Test func `the chain's own rate goes before that of its sources`() throws {
    let summary = try mixed([#""slow.wav""#, #""fast.wav""#], #""sampleRate": 48000,"#)
      .render(request)
    #expect(summary.sampleRate == 48000)
    #expect(summary.frames == 9600)
  }

  @Test(arguments: [[#""slow.wav""#, #""fast.wav""#], [#""fast.wav""#, #""slow.wav""#]])
  func `a check and a plan see the rates of the files that are there`(
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
}
