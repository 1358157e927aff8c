import Foundation
import FxKit
import FxTestSupport
import Testing

/// The unit `looper` in a chain that is played.
@Suite struct LiveLooperTests {
  private func chain(_ device: String, _ file: String) -> Chain {
    Chain(
      json: #"""
        { "version": 2, "tail": "none", "nodes": {
          "in": { "source": "main" }, "loop": { "unit": "looper", "seconds": 1 },
          "dev": { "sink": \#(device) }, "rec": { "sink": { "file": "\#(file)", "bits": 32 } } },
        "connections": ["in -> loop -> dev", "loop -> rec"],
        "scenes": { "down": { "parameters": { "loop.pedal": true } }, "up": { "parameters": { "loop.pedal": false } } } }
        """#)
  }

  @Test func `requests and scenes press its buttons, and a replay has the same bits`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("changes.jsonl")
    let input = try folder.writeSound("in.wav", noise(44100))
    var request = RenderRequest(inputs: ["main": input])
    request.loop = LiveLoop()
    request.live.log = LiveLog.Destination(path)
    let played = folder.file("played.wav")
    _ = try FxKitTests.playing(chain(#"{ "alsa": "null" }"#, played), request) {
      (control: LiveControl) throws in
      for scene in ["down", "up", "down", "up", "down", "up"] {
        try control.ask(.scene(scene))
        usleep(3000)
      }
      for button in ["undo", "halfSpeed", "stop"] {
        try control.ask(.set(parameter: "loop.\(button)", to: "true"))
        usleep(3000)
      }
      let refused = failure { try control.ask(.rest(seconds: 5)) }
      #expect(refused?.message.contains("'loop' sounds by itself") == true)
    }
    var again = RenderRequest(inputs: ["main": input])
    let log = try LiveLog(contentsOfFile: path)
    #expect(log.entries.count >= 9)
    again.replay = log
    let file = folder.file("again.wav")
    let summary = try chain(#"{ "file": "\#(folder.file("out.wav"))" }"#, file).render(again)
    let (first, second) = (try samples(played), try samples(file))
    #expect(second.count == summary.frames)
    #expect(first.prefix(second.count).elementsEqual(second))
    // The loop was added to its input, whose peak is 0.5.
    #expect(second.contains { Float(bitPattern: $0).magnitude > 0.7 })
  }

  /// The bits of a sound of one channel.
  private func samples(_ path: String) throws -> [UInt32] {
    try PCMBuffer(contentsOfFile: path).interleaved(as: Float.self).map(\.bitPattern)
  }
}
