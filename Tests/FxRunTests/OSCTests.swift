import Glibc
import Testing

@testable import FxRun

/// OSC messages to a chain that plays in another process, on ALSA's null device.
@Suite struct OSCTests {
  private let folder = Folder()

  private static let chain = #"""
    { "version": 2, "sampleRate": 48000, "chain": [
      { "source": "null" }, { "id": "comp", "unit": "compressor" },
      { "id": "delay", "unit": "delay" },
      { "id": "out", "unit": "gain" }, { "sink": { "alsa": "null" } } ],
      "scenes": { "clean": { "bypass": ["delay"] } }, "expose": { "drive": "comp.threshold" } }
    """#

  /// Plays while `body` sends messages to a port.
  private func playing(
    _ options: String..., body: (OSCClient) throws -> Void
  ) throws -> Program.Outcome {
    try folder.write("chain.json", Self.chain)
    let port = try OSCClient.freePort()
    let program = try Program(
      ["chain.json", "--osc", "\(port)", "--control", folder.file("box.sock")] + options,
      in: folder.path)
    for _ in 0..<1000 where !folder.names.contains("box.sock") { usleep(10_000) }
    do {
      let client = try OSCClient(port)
      // The first answer comes with the first frame.
      _ = client.ask("/out/gain")
      try body(client)
    } catch {
      program.signal(SIGTERM)
      throw error
    }
    program.signal(SIGTERM)
    return try program.finish(limit: 30)
  }

  private static func text(_ argument: OSCMessage.Argument?) -> String {
    if case .text(let text)? = argument { text } else { "" }
  }

  @Test func `messages set parameters and ask for them`() throws {
    let outcome = try playing { client in
      client.send(OSCMessage("/comp/ratio", [.float(3)]))
      #expect(client.ask("/comp/ratio") == OSCMessage("/comp/ratio", [.float(3)]))
      client.send(OSCMessage("/comp/threshold", [.text("-30 dB"), .float(0.1)]))
      #expect(client.ask("/drive") == OSCMessage("/drive", [.float(-30)]))
      client.send(OSCMessage("/delay/bypass", [.flag(true)]))
      #expect(client.ask("/delay/bypass")?.arguments == [.float(1)])
      let refused = client.ask("/comp/ration", [.float(1)])
      #expect(refused?.address == "/fxrun/error")
      let reason = Self.text(refused?.arguments.last)
      #expect(reason.contains("did you mean 'ratio'"))
      client.send(OSCMessage("/{comp,none}/r*o", [.integer(6)]))
      #expect(client.ask("/comp/ratio")?.arguments == [.float(6)])
      #expect(client.ask("/none/*")?.address == "/fxrun/error")
    }
    #expect(outcome.exitCode == 0)
  }

  @Test func `requests of control are messages too`() throws {
    _ = try playing { client in
      #expect(client.ask("/fxrun/bypass", [.text("delay")])?.arguments == [.integer(1)])
      #expect(
        client.ask("/fxrun/bypass", [.text("delay"), .flag(false)])?.arguments == [.integer(0)])
      #expect(client.ask("/fxrun/scene", [.text("clean")])?.arguments == [.text("ok")])
      #expect(client.ask("/delay/bypass")?.arguments == [.float(1)])
      #expect(client.ask("/fxrun/sing")?.address == "/fxrun/error")
      let status = Self.text(client.ask("/fxrun/status")?.arguments.first)
      #expect(status.contains("\"blockFrames\""))
    }
  }

  @Test func `a subscriber hears what others change, and not what it changes itself`() throws {
    _ = try playing { client in
      let other = try OSCClient(client.port)
      client.send(OSCMessage("/fxrun/subscribe", [.text("/comp/*")]))
      #expect(client.receive { $0.address == "/comp/ratio" }?.arguments == [.float(4)])
      client.drain()
      client.send(OSCMessage("/comp/ratio", [.float(5)]))
      other.send(OSCMessage("/out/gain", [.float(-3)]))
      other.send(OSCMessage("/comp/ratio", [.float(7)]))
      #expect(client.receive { _ in true } == OSCMessage("/comp/ratio", [.float(7)]))
      // Under an exposed name too.
      client.send(OSCMessage("/drive", [.float(-30)]))
      other.send(OSCMessage("/comp/ratio", [.float(8)]))
      #expect(client.receive { _ in true } == OSCMessage("/comp/ratio", [.float(8)]))
    }
  }

  @Test func `levels come at a rate until they are ended`() throws {
    _ = try playing { client in
      client.send(OSCMessage("/fxrun/meters", [.float(50)]))
      for _ in 0..<3 { #expect(client.receive { $0.address == "/comp/gainReduction" } != nil) }
      #expect(client.receive { $0.address == "/fxrun/level/output" }?.arguments.count == 2)
      client.send(OSCMessage("/fxrun/meters", [.integer(0)]))
      _ = client.ask("/out/gain")
      client.drain()
      #expect(client.receive(seconds: 0.2) { $0.address == "/fxrun/load" } == nil)
      #expect(client.ask("/fxrun/meters", [.float(1000)])?.address == "/fxrun/error")
    }
  }

  @Test func `a bundle takes effect at its time, and one that comes late is counted`() throws {
    let outcome = try playing { client in
      var clock = timespec()
      clock_gettime(CLOCK_REALTIME, &clock)
      let now = Double(clock.tv_sec) + Double(clock.tv_nsec) / 1e9
      client.send(bundle: now + 0.5, [OSCMessage("/comp/ratio", [.float(9)])])
      #expect(client.ask("/comp/ratio")?.arguments == [.float(4)])
      usleep(700_000)
      #expect(client.ask("/comp/ratio")?.arguments == [.float(9)])
      client.send(bundle: now - 1, [OSCMessage("/comp/ratio", [.float(2)])])
      #expect(client.ask("/comp/ratio")?.arguments == [.float(2)])
      #expect(client.ask("/fxrun/late")?.arguments.first == .integer(1))
      client.send(bundle: now + 1000, [OSCMessage("/comp/ratio", [.float(3)])])
      #expect(client.receive { _ in true }?.address == "/fxrun/error")
    }
    #expect(outcome.errorText.contains("1 message came after the time of the bundle"))
  }

  @Test func `a connection carries packets after their lengths`() throws {
    _ = try playing { client in
      let stream = try OSCClient(client.port, isStream: true)
      stream.send(OSCMessage("/comp/ratio", [.float(3)]))
      #expect(stream.ask("/comp/ratio")?.arguments == [.float(3)])
      // A length that cannot be ends the connection, and nothing else.
      stream.send(raw: [0x7f, 0xff, 0xff, 0xff])
      #expect(stream.receive { _ in true } == nil)
      client.send(raw: Array("no packet".utf8))
      #expect(client.receive { _ in true }?.address == "/fxrun/error")
      #expect(client.ask("/comp/ratio")?.arguments == [.float(3)])
    }
  }

  @Test func `programs of liblo send and receive`() throws {
    _ = try playing { client in
      let sent = try Program.run(
        ["localhost", "\(client.port)", "/comp/ratio", "f", "8"], executable: "/usr/bin/oscsend",
        in: folder.path, limit: 10)
      #expect(sent.exitCode == 0)
      var found: OSCMessage?
      for _ in 0..<50 where found?.arguments != [.float(8)] {
        found = client.ask("/comp/ratio")
        usleep(20_000)
      }
      #expect(found?.arguments == [.float(8)])
    }
  }

  @Test func `a port that is taken, and a render, are refused`() throws {
    _ = try playing { client in
      let second = try folder.run("chain.json", "--osc", "\(client.port)", "--json")
      #expect(second.exitCode == 64)
      #expect(try JSONValue(second.output)["error"]["code"].text == "address-in-use")
    }
    let render = try folder.run("chain.json", "-o", "out.wav", "--duration", "1", "--osc", "9000")
    #expect(render.exitCode == 64)
    #expect(!folder.names.contains("out.wav"))
  }
}
