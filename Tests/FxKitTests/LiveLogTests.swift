import Foundation
import FxAudio
@testable import FxKit
import FxTestSupport
import Testing

/// The log file of the changes while a chain played.
struct LiveLogTests {
  private static let header =
    #"{"log":1,"program":"fxrun 1","chain":"a.json","hash":"0","sampleRate":48000,"blockSize":64,"startFrame":0}"#

  @discardableResult
  private func log(_ lines: String...) throws(ChainFailure) -> LiveLog {
    try LiveLog(bytes: Array(lines.map { $0 + "\n" }.joined().utf8), path: "a.jsonl")
  }

  @Test func `every change is read with its frame and its line`() throws {
    let log = try log(
      Self.header, #"{"frame":64,"set":"fader.gain","to":-12.5}"#, "",
      #"{"frame":64,"set":"fader.gain","to":"-inf","seconds":0.25}"#)
    #expect(log.header.blockSize == 64)
    #expect(
      log.entries.map(\.change) == [
        .set(parameter: "fader.gain", to: -12.5, seconds: nil),
        .set(parameter: "fader.gain", to: -.infinity, seconds: 0.25),
      ])
    #expect(log.entries.map(\.frame) == [64, 64])
  }

  @Test func `the last line of a complete log has the end frame`() throws {
    let change = #"{"frame":64,"set":"fader.gain","to":-12.5}"#
    #expect(try log(Self.header, change, #"{"frame":64,"end":true}"#).endFrame == 64)
    #expect(try log(Self.header, change).endFrame == nil)
    for (line, reason) in [
      (#"{"frame":63,"end":true}"#, "frame 63 comes after frame 64"),
      (#"{"frame":64,"end":false}"#, "'end' has to be true"),
      (#"{"frame":64,"end":true,"why":"stop"}"#, "'why' is not known"),
      ("{\"frame\":64,\"end\":true}\n\(change)", "nothing comes after the end"),
    ] {
      let refused = failure { try log(Self.header, change, line) }
      #expect(refused?.message.contains(reason) == true, "\(refused?.message ?? "")")
    }
  }

  @Test(arguments: [
    (#"{"frame":64,"sing":"fader.gain"}"#, "'sing'"),
    (#"{"frame":64}"#, "is no change that this fxrun can replay"),
    (#"{"set":"fader.gain","to":1}"#, "'frame' has to be a number"),
    (#"{"frame":-1,"set":"fader.gain","to":1}"#, "'frame' is not a possible whole number"),
    (#"{"frame":1e300,"set":"fader.gain","to":1}"#, "'frame' is not a possible whole number"),
    (#"{"frame":0.5,"set":"fader.gain","to":1}"#, "'frame' is not a possible whole number"),
    (#"{"frame":64,"set":"fader.gain","to":null}"#, "'to' has to be a number"),
    (#"{"frame":64,"set":"fader.gain","to":1,"seconds":-1}"#, "'seconds' is out of range"),
    (#"{"frame":64,"set":"fader.gain","to":1,"slowly":true}"#, "'slowly' is not known"),
    (#"{"frame":64,"set":"fader.ga"#, "cut off"),
    (
      #"{"frame":64,"seek":0,"loopFrom":500000,"crossfade":480001,"faded":true}"#,
      "'crossfade' is not a possible whole number"
    ),
    ("[]", "not a JSON object"),
  ])
  func `a wrong line is reported with its number`(_ line: String, _ reason: String) {
    let refused = failure { try log(Self.header, "", line) }
    #expect(refused?.kind == .input)
    #expect(refused?.message.hasPrefix("a.jsonl:3: ") == true)
    #expect(refused?.message.contains(reason) == true, "\(refused?.message ?? "")")
  }

  @Test(arguments: [
    (#""sampleRate":48000"#, #""sampleRate":1"#, "'sampleRate' is out of range"),
    (#""sampleRate":48000"#, #""sampleRate":768001"#, "'sampleRate' is out of range"),
    (#""startFrame":0"#, #""startFrame":8e15"#, "'startFrame' is not a possible whole number"),
  ])
  func `a log with an impossible rate or start is refused`(
    _ former: String, _ other: String, _ reason: String
  ) {
    let header = Self.header.replacingOccurrences(of: former, with: other)
    #expect(failure { try log(header) }?.message.contains(reason) == true)
  }

  @Test func `the longest crossfade of a loop is read`() throws {
    let change = #"{"frame":64,"seek":0,"loopFrom":500000,"crossfade":480000,"faded":true}"#
    #expect(try log(Self.header, change).entries.count == 1)
  }

  @Test func `a log without a header, of another version or out of order is refused`() {
    #expect(failure { try log() }?.message.contains("empty") == true)
    #expect(failure { try log(#"{"frame":0,"set":"a.b","to":1}"#) }?.code == "bad-log")
    let newer = Self.header.split(separator: "1", maxSplits: 1).joined(separator: "2")
    #expect(failure { try log(newer) }?.message.contains("version 2") == true)
    let order = failure {
      try log(
        Self.header, #"{"frame":128,"set":"a.b","to":1}"#, #"{"frame":64,"set":"a.b","to":1}"#)
    }
    #expect(order?.message.hasPrefix("a.jsonl:3: frame 64") == true)
  }
}

/// The order of a log's lines, which several parts of a performance report.
struct WaitingEntriesTests {
  private func set(_ frame: Int, _ value: Double) -> LiveLog.Entry {
    LiveLog.Entry(frame: frame, .set(parameter: "fader.gain", to: value, seconds: nil))
  }

  @Test func `entries are sorted by frame, whatever reports them first`() {
    var waiting = WaitingEntries()
    let pause = LiveLog.Entry(frame: 64, .pause)
    let resume = LiveLog.Entry(frame: 192, .resume)
    for entry in [set(128, -1), set(128, -2), pause, resume] { waiting.add(entry) }
    #expect(waiting.take(before: 192) == [pause, set(128, -1), set(128, -2)])
    #expect(waiting.take(before: 192).isEmpty)
    waiting.add(set(192, -3))
    #expect(waiting.take(before: Int.max) == [resume, set(192, -3)])
  }

  @Test func `at the same frame, changes of files come before changes of parameters`() {
    var waiting = WaitingEntries()
    let pause = LiveLog.Entry(frame: 64, .pause)
    for entry in [set(64, -1), pause] { waiting.add(entry) }
    #expect(waiting.take(before: 65) == [pause, set(64, -1)])
  }

  @Test func `an entry never gets a frame before a reported rest`() {
    var waiting = WaitingEntries()
    waiting.add(LiveLog.Entry(frame: 256, .rested))
    #expect(waiting.take(before: 512).count == 1)
    waiting.add(set(192, -1))
    #expect(waiting.take(before: 512) == [set(256, -1)])
  }
}

/// Replays of a log.
@Suite struct ReplayTests {
  private static let chain = Chain(
    json: #"""
      { "version": 1, "sampleRate": 44100, "tail": "0 s",
        "chain": [ { "id": "fader", "unit": "gain" } ] }
      """#)

  private func log(
    _ entries: [LiveLog.Entry], blockSize: Int = 64, endFrame: Int? = nil
  ) -> LiveLog {
    LiveLog(
      path: "a.jsonl",
      header: LiveLog.Header(
        program: "", chain: "", hash: "", sampleRate: 44100, blockSize: blockSize, startFrame: 0),
      entries: entries, endFrame: endFrame)
  }

  private static let frameCount = 1024

  /// A steady signal through the chain.
  private func render(_ entries: [LiveLog.Entry], blockSize: Int? = nil) throws -> [Float] {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", [Float](repeating: 0.5, count: Self.frameCount))
    var request = RenderRequest(input: input, output: folder.file("out.wav"))
    request.replay = log(entries)
    request.blockSize = blockSize
    request.encoding.depth = .float32
    _ = try Self.chain.render(request)
    let bytes = try Data(contentsOf: URL(filePath: folder.file("out.wav")))
    let data = try #require(bytes.range(of: Data("data".utf8))).upperBound + 4
    return bytes[data...].withUnsafeBytes { raw in
      (0..<Self.frameCount).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  /// A ramp through the chain, as a file of 32 bits.
  private func renderAll(
    _ entries: [LiveLog.Entry], endFrame: Int?, seconds: Double? = nil, chain: Chain = chain
  ) throws -> [Float] {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", (0..<Self.frameCount).map { Float($0) / 1024 })
    var request = RenderRequest(input: input, output: folder.file("out.wav"))
    request.replay = log(entries, endFrame: endFrame)
    request.duration = seconds
    request.encoding.depth = .float32
    _ = try chain.render(request)
    let bytes = try Data(contentsOf: URL(filePath: folder.file("out.wav")))
    let data = try #require(bytes.range(of: Data("data".utf8))).upperBound + 4
    return bytes[data...].withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  private static let round = LiveLog.Entry(
    frame: 0,
    .seek(to: 0, loop: SourceLoop(from: 256, to: 512, crossfade: 0), isFaded: false))

  /// The expected samples of the loop.
  private static func rounds(_ frameCount: Int) -> [Float] {
    (0..<frameCount).map { Float($0 < 512 ? $0 : 256 + ($0 - 512) % 256) / 1024 }
  }

  @Test func `a replay of a looped performance ends where it was stopped`() throws {
    #expect(try renderAll([Self.round], endFrame: 3000) == Self.rounds(3000))
    #expect(try renderAll([], endFrame: 300) == Self.rounds(300))
    #expect(try renderAll([], endFrame: 5000).count == Self.frameCount)
  }

  @Test func `a duration limits a replay with seeks and loops`() throws {
    let second = 1 / 44100.0
    #expect(try renderAll([Self.round], endFrame: 3000, seconds: 2000 * second).count == 2000)
    #expect(try renderAll([Self.round], endFrame: 3000, seconds: 1).count == 3000)
    #expect(try renderAll([Self.round], endFrame: nil, seconds: 2000 * second).count == 2000)
    // The duration limits the playing time, not the place in the files.
    let far = LiveLog.Entry(frame: 64, .seek(to: 960, loop: nil, isFaded: false))
    let end = try renderAll([far], endFrame: nil, seconds: 100 * second)
    let places: [Int] = Array(0..<64) + Array(960..<996)
    #expect(end == places.map { Float($0) / 1024 })
  }

  @Test func `a replay of an incomplete log ends with its file, or needs a duration`() throws {
    let back = LiveLog.Entry(frame: 64, .seek(to: 0, loop: nil, isFaded: false))
    #expect(try renderAll([back], endFrame: nil).count == Self.frameCount + 64)
    let pause = LiveLog.Entry(frame: 64, .pause)
    for (entries, why) in [([Self.round], "were looped"), ([back, pause], "paused")] {
      let refused = failure { _ = try renderAll(entries, endFrame: nil) }
      #expect(refused?.code == "no-length")
      #expect(refused?.message.contains(why) == true, "\(refused?.message ?? "")")
      #expect(refused?.message.contains("--duration") == true)
    }
  }

  @Test func `after the end the tail sounds, and the files are silent`() throws {
    let chain = Chain(
      json: #"""
        { "version": 1, "sampleRate": 44100, "tail": "0.01 s",
          "chain": [ { "id": "fader", "unit": "gain" } ] }
        """#)
    let output = try renderAll([Self.round], endFrame: 600, chain: chain)
    let tail = [Float](repeating: 0, count: 441)
    #expect(output == Self.rounds(600) + tail)
  }

  @Test func `a change takes effect at its frame`() throws {
    let output = try render([
      LiveLog.Entry(frame: 128, .set(parameter: "fader.gain", to: -.infinity, seconds: nil))
    ])
    #expect(output.prefix(128).allSatisfy { $0 == 0.5 })
    #expect(output[150] < 0.5)
    // A change of gain takes 20 ms.
    #expect(output.dropFirst(128 + 884).allSatisfy { $0 == 0 })
  }

  @Test func `a change within a block takes effect at the next block`() throws {
    let output = try render([
      LiveLog.Entry(frame: 65, .set(parameter: "fader.gain", to: -6, seconds: 0))
    ])
    #expect(output.prefix(128).allSatisfy { $0 == 0.5 })
    #expect(output[150] < 0.5)
  }

  @Test func `names, values and blocks that do not fit are refused`() {
    let unknown = failure {
      _ = try render([LiveLog.Entry(frame: 0, .set(parameter: "fader.gian", to: 0, seconds: nil))])
    }
    #expect(unknown?.code == "unknown-parameter")
    let wild = failure {
      _ = try render([LiveLog.Entry(frame: 0, .set(parameter: "fader.gain", to: 99, seconds: nil))])
    }
    #expect(wild?.code == "out-of-range")
    let other = failure { _ = try render([], blockSize: 128) }
    #expect(other?.code == "other-replay")
    #expect(
      other?.message
        == "the log was played in blocks of 64 frames, not of 128; leave the option out")
  }
}
