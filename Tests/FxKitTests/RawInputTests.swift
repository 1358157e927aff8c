import FxAudio
@testable import FxKit
import FxTestSupport
import Testing

/// Inputs without a header.
@Suite struct RawInputTests {
  private let folder = TemporaryFolder()

  /// Frames 0 to 999, big-endian, behind a header of three bytes.
  private func write() -> String {
    folder.write(
      "in.raw", [1, 2, 3] + (0..<1000).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
  }

  private let format = "s16be,1000,1,offset=3"

  private func render(
    _ chain: Chain = .empty, _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> [Int] {
    let received = SampleCollector()
    var request = RenderRequest(inputs: ["main": write()])
    request.rawInputs = ["main": format]
    request.sampleOutputs["main"] = .push { channels, _ in received.add(channels) }
    change(&request)
    _ = try chain.render(request)
    return received.samples[0].map { Int(($0 * 32768).rounded()) }
  }

  @Test func `a raw input is rendered, in parts, backwards and repeated`() throws {
    #expect(try render() == Array(0..<1000))
    #expect(
      try render {
        $0.start = 0.25
        $0.duration = 0.5
      } == Array(250..<750))
    #expect(try render { $0.mainInput.isReversed = true } == Array((0..<1000).reversed()))
    #expect(
      try render {
        $0.start = 0.9
        $0.mainInput.playCount = 2
      } == Array(900..<1000) + Array(900..<1000))
    #expect(try render { $0.mainInput.cut = SilenceCut(.start) }.count < 1000)
  }

  @Test func `a chain describes its raw sources`() throws {
    let path = write()
    for source in [
      #""source": { "file": "\#(path)", "raw": "\#(format)" }"#,
      #""source": { "file": "\#(path)", "raw": "\#(format)", "reverse": true }"#,
      #""source": { "input": "main", "raw": "\#(format)" }"#,
    ] {
      let chain = list("{ \(source) }, { \"sink\": \"main\" }")
      let samples = try render(chain) {
        $0.rawInputs = [:]
        if source.contains("file") { $0.inputs = [:] }
      }
      let expected = Array(0..<1000)
      #expect(samples == (source.contains("reverse") ? expected.reversed() : expected))
    }
    let chain = list(
      #"{ "source": { "file": "\#(path)", "raw": "s16,1000" } }, { "sink": "main" }"#)
    #expect(failure { _ = try chain.render(RenderRequest()) } != nil)
  }

  @Test func `a loudness is measured for each format of the same bytes`() throws {
    let bytes = noise(2 * 48000).flatMap { sample in
      let value = Int16(sample * 3000)
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    let path = folder.write("n.raw", bytes)
    var gains: [Double] = []
    for format in ["s16le,48000,1", "s16be,48000,1"] {
      var request = RenderRequest(input: path, output: folder.file("o.wav"))
      request.rawInputs = ["main": format]
      request.loudness = -23
      let output = try Chain.empty.render(request)
      #expect(abs((output.outputs[0].loudness ?? 0) + 23) < 0.05)
      let gain = try #require(output.readings.first { $0.name == "loudness.gain" })
      gains.append(gain.values.first ?? 0)
    }
    #expect(abs(gains[0] - gains[1]) > 1)
  }

  @Test func `a wrong format and a format without a file are refused`() {
    let wrong = failure { _ = try render { $0.rawInputs = ["main": "s16,48000,2"] } }
    #expect(wrong?.kind == .request)
    #expect(wrong?.message.contains("there is no coding 's16'") == true)
    #expect(wrong?.hints.first?.contains("s16le") == true)
    let lost = failure { _ = try render { $0.rawInputs = ["side": "s16le,48000,2"] } }
    #expect(lost?.message.contains("the input 'side', and this input has none") == true)
  }

  @Test func `the properties of raw files are described`() throws {
    let info = try SoundInfo(path: write(), raw: format)
    #expect(info.properties.container == "raw" && info.properties.codec == "PCM")
    #expect(info.properties.frameCount?.count == 1000)
    #expect(info.properties.dataOffset == 3 && info.properties.bitsPerSample == 16)
    #expect(info.warnings == [])
  }
}
