import Foundation
@testable import FxKit
import FxTestSupport
import Testing

/// Requests for pause, seek, loop, volume, rest and two chains.
struct LiveTransportTests {
  private static let chain = #"""
    { "version": 1, "chain": [
      { "id": "fader", "unit": "gain" }, { "sink": { "alsa": "null" } } ] }
    """#

  /// Plays a second of noise in a loop while `body` sends requests.
  private func playing(
    _ chain: Chain = Chain(json: chain), log: String? = nil, _ body: (LiveControl) throws -> Void
  ) throws {
    let folder = TemporaryFolder()
    var request = RenderRequest()
    request.inputs["main"] = try folder.writeSound("in.wav", noise(44100))
    request.loop = LiveLoop()
    request.live.log = log.map { LiveLog.Destination($0) }
    _ = try FxKitTests.playing(chain, request, body)
  }

  private func transport(_ answer: LiveAnswer) throws -> LiveTransport {
    guard case .transport(let transport) = answer else { throw CancellationError() }
    return transport
  }

  @Test func `pause, jump and loop move a file and report its position`() throws {
    try playing { (control: LiveControl) throws in
      let begun = try transport(control.ask(.transport))
      #expect(begun.totalSeconds == 1)
      #expect(begun.loopStart == 0)
      #expect(begun.loopEnd == 1)
      #expect(try transport(control.ask(.pause)).isPaused)
      #expect(try transport(control.ask(.seek(to: .seconds(0.25)))).seconds == 0.25)
      #expect(try transport(control.ask(.skip(seconds: -0.1))).frame == 11025 - 4410)
      #expect(try transport(control.ask(.seek(to: .frame(44099)))).frame == 44099)
      let behind = failure { try control.ask(.seek(to: .seconds(1))) }
      #expect(behind?.message.contains("lasts 1.0 s") == true)
      let part = LiveLoop(from: .seconds(0.5), to: .seconds(0.75))
      let round = try transport(control.ask(.loop(part)))
      #expect(round.loopEnd == 0.75)
      #expect(round.seconds == 0.5)
      let nothing = LiveLoop(from: .seconds(0.75), to: .seconds(0.5))
      let empty = failure { try control.ask(.loop(nothing)) }
      #expect(empty?.code == "out-of-range")
      #expect(try transport(control.ask(.resume)).isPaused == false)
      #expect(try transport(control.ask(.seek(to: .seconds(0.1)))).loopStart == 0.5)
      #expect(try transport(control.ask(.seek(to: .seconds(0.9)))).loopStart == nil)
    }
  }

  @Test func `a log has the stop frame, and its replay has the same length`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("changes.jsonl")
    let rendered = try folder.writeSound("in.wav", noise(44100))
    try playing(log: path) { (control: LiveControl) throws in
      try control.ask(.transport)
      try control.ask(.set(parameter: "fader.gain", to: -20.0))
    }
    let log = try LiveLog(contentsOfFile: path)
    let end = try #require(log.endFrame)
    #expect(log.entries.allSatisfy { $0.frame <= end })
    var request = RenderRequest(input: rendered, output: folder.file("out.wav"))
    request.replay = log
    #expect(try Chain(json: Self.chain).render(request).frames == end)
  }

  @Test func `a log of alternating pauses and values is sorted by frame`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("changes.jsonl")
    try playing(log: path) { (control: LiveControl) throws in
      try control.ask(.transport)
      for turn in 0..<60 {
        try control.ask(turn % 2 == 0 ? .pause : .resume)
        try control.ask(.set(parameter: "fader.gain", to: .number(-Double(turn))))
        usleep(1000)
      }
    }
    let log = try LiveLog(contentsOfFile: path)
    let pauses = log.entries.filter { $0.change == .pause || $0.change == .resume }
    #expect(pauses.count == 60)
    #expect(log.entries.count >= 120)
  }

  @Test func `modulation in beats is the same in a replay, through a pause`() throws {
    // On a machine that is busy for long, a file may be late, and its silence is no change.
    var isSame = false
    for _ in 0..<4 where !isSame { isSame = try isSameInReplay() }
    #expect(isSame)
  }

  private func isSameInReplay() throws -> Bool {
    let folder = TemporaryFolder()
    func chain(_ device: String, _ file: String) -> Chain {
      Chain(
        json: #"""
          { "version": 1, "tempo": 120, "tail": "0 s", "nodes": {
            "in": { "source": "main" }, "g": { "unit": "gain" },
            "swing": { "unit": "lfo", "parameters": { "rate": "1 beats" } },
            "dev": { "sink": \#(device) }, "rec": { "sink": { "file": "\#(file)", "bits": 32 } } },
          "connections": ["in -> g -> dev", "g -> rec",
            { "from": "swing", "to": "g.gain", "depth": "6 dB" } ] }
          """#)
    }
    let path = folder.file("changes.jsonl")
    let input = try folder.writeSound("in.wav", noise(44100))
    var request = RenderRequest(inputs: ["main": input])
    request.loop = LiveLoop()
    request.live.log = LiveLog.Destination(path)
    let played = folder.file("played.wav")
    _ = try FxKitTests.playing(chain(#"{ "alsa": "null" }"#, played), request) {
      (control: LiveControl) throws in
      for (change, isRolling) in [(LiveRequest.pause, false), (.resume, true)] {
        try control.ask(change)
        var asked = 0
        while asked < 3000, try transport(control.ask(.transport)).isRolling != isRolling {
          usleep(1000)
          asked += 1
        }
      }
    }
    var again = RenderRequest(inputs: ["main": input])
    let log = try LiveLog(contentsOfFile: path)
    let changes: [LiveLog.Change] = log.entries.map(\.change)
    #expect(changes.contains(.pause) && changes.contains(.resume))
    again.replay = log
    let file = folder.file("again.wav")
    let summary = try chain(#"{ "file": "\#(folder.file("out.wav"))" }"#, file).render(again)
    func samples(_ path: String) throws -> [UInt32] {
      let bytes = try Data(contentsOf: URL(filePath: path))
      let start = try #require(bytes.range(of: Data("data".utf8))).upperBound + 4
      return bytes[start...].withUnsafeBytes { raw in
        (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
      }
    }
    let count = summary.frames
    let (first, second) = (try samples(played), try samples(file))
    #expect(second.count == count)
    return first.prefix(count).elementsEqual(second)
  }

  @Test func `the volume is set and muted, and impossible volumes are refused`() throws {
    try playing { (control: LiveControl) throws in
      #expect(try transport(control.ask(.volume(decibels: -12))).volume == -12)
      #expect(try transport(control.ask(.muteOutput())).isMuted)
      #expect(try transport(control.ask(.muteOutput())).isMuted == false)
      #expect(try transport(control.ask(.muteOutput(true))).volume == -12)
      for wrong in [99, -Double.infinity, Double.nan] {
        let refused = failure { try control.ask(.volume(decibels: wrong)) }
        #expect(refused?.code == "out-of-range")
      }
      #expect(try transport(control.ask(.rest(seconds: 5))).isResting == false)
      let negative = failure { try control.ask(.rest(seconds: -1)) }
      #expect(negative?.code == "out-of-range")
      let alone = failure { try control.ask(.ab()) }
      #expect(alone?.message.contains("--ab") == true)
    }
  }

  @Test func `of two compared chains the first is heard, and both need open ends`() throws {
    let folder = TemporaryFolder()
    func chain(_ name: String, _ gain: String) throws -> Chain {
      let text =
        #"{ "version": 1, "sampleRate": 44100, "chain": [ { "unit": "gain", "parameters": { "gain": "\#(gain)" } } ] }"#
      try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
      return try Chain(contentsOfFile: folder.file(name))
    }
    let (a, b) = (try chain("a.json", "-3 dB"), try chain("b.json", "-9 dB"))
    let both = try a.compared(with: b)
    #expect(both.check().isEmpty)
    // A mixer sends one channel to both sides.
    let input = try folder.writeSound("in.wav", noise(3000))
    let alone = try a.render(RenderRequest(input: input, output: folder.file("a.wav")))
    let mixed = try both.render(RenderRequest(input: input, output: folder.file("ab.wav")))
    #expect(alone.outputs.first?.peak == mixed.outputs.first?.peak)
    #expect(alone.frames == mixed.frames)
    let ends = failure { _ = try a.compared(with: Chain(json: Self.chain)) }
    #expect(ends?.code == "not-comparable")
  }

  @Test func `a file render with a loop needs a duration, and a negative rest is refused`()
    throws
  {
    let folder = TemporaryFolder()
    var request = RenderRequest(
      input: try folder.writeSound("in.wav", noise(1000)), output: folder.file("out.wav"))
    request.loop = LiveLoop(from: .frame(200), to: .frame(500), crossfade: 0)
    let chain = list(#"{ "unit": "gain" }"#)
    #expect(failure { _ = try chain.render(request) }?.code == "no-length")
    request.duration = 1000.0 / 44100
    let summary = try chain.render(request)
    #expect(summary.frames == 1000)
    request.live.rest = -1
    #expect(failure { _ = try chain.render(request) }?.code == "out-of-range")
  }
}
