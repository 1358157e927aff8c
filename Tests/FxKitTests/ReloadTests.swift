import Foundation
@testable import FxKit
import FxTestSupport
import Synchronization
import Testing

/// Changes of the chain while it plays, on ALSA's null device.
struct ReloadTests {
  private static let gain = #"{ "id": "fader", "unit": "gain", "parameters": { "gain": "-3 dB" } }"#

  /// Plays a chain file while `body` writes it and sends requests. Returns each version's outcome.
  private func playing(
    _ nodes: String, watches: Bool = false,
    _ body: (LiveControl, ChainWriter) throws -> Void
  ) throws -> [String] {
    try playing(nodes, watches: watches, Changes(), body)
  }

  private func playing(
    _ nodes: String, watches: Bool = false, _ changes: Changes,
    _ body: (LiveControl, ChainWriter) throws -> Void
  ) throws -> [String] {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/chain.json"
    let write = ChainWriter(path: path)
    try write(nodes)
    let chain = try Chain(contentsOfFile: path)
    let control = LiveControl()
    let played = Played()
    Thread.detachNewThread {
      played.end(
        with: Result {
          var request = RenderRequest()
          request.live.watchesFiles = watches
          return try chain.play(request, control: control) { _ in
          } change: {
            changes.note($0)
          }
        })
    }
    do {
      try body(control, write)
      try control.ask(.stop)
    } catch {
      control.post(.stop)
      throw error
    }
    _ = try #require(played.wait()).get()
    return changes.words
  }

  @Test func `a reload moves changed values and resets values that were set while playing`() throws
  {
    let changes = try playing(Self.gain) { control, write in
      try control.ask(.set(parameter: "fader.gain", to: -20.0))
      try write(Self.gain.replacing("-3 dB", with: "-6 dB"))
      #expect(try control.ask(.load()) == .loaded("1 value (fader.gain)"))
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-6))
      #expect(try control.ask(.load()) == .loaded("nothing changed"))
    }
    #expect(changes == ["loaded: 1 value (fader.gain)", "loaded: nothing changed"])
  }

  @Test func `nodes are added and removed, and unchanged nodes continue`() throws {
    let changes = try playing(Self.gain) { control, write in
      try write(#"{ "unit": "highPass" }, { "unit": "dcBlock" }, \#(Self.gain)"#)
      #expect(try control.ask(.load()) == .loaded("2 new nodes"))
      // The fader stays the same node when nodes around it are added and removed.
      try write(#"{ "unit": "highPass" }, \#(Self.gain), { "unit": "reverb", "wet": 0.5 }"#)
      #expect(try control.ask(.load()) == .loaded("2 new nodes, 2 gone"))
      try control.ask(.set(parameter: "reverb.wet", to: 0.25))
      try write(#"\#(Self.gain), { "unit": "reverb", "wet": 0.5 }"#)
      #expect(try control.ask(.load()) == .loaded("1 gone, 1 value (reverb.wet)"))
      #expect(try control.ask(.get(parameter: "reverb.wet")) == .value(0.5))
      try write(#"{ "unit": "reverb", "wet": 0.5 }, \#(Self.gain)"#)
      try control.ask(.load())
      try write(Self.gain)
      #expect(try control.ask(.load()) == .loaded("1 gone"))
    }
    #expect(changes.count == 5)
  }

  @Test func `a broken file is refused, and the chain plays on`() throws {
    let changes = try playing(Self.gain) { control, write in
      try write(#"{ "unit": "gian" }"#)
      #expect(failure { try control.ask(.load()) }?.kind == .chain)
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-3))
      #expect(failure { try control.ask(.load(path: "/nowhere/chain.json")) }?.kind == .chain)
      try write(#"\#(Self.gain), { "id": "side", "source": { "file": "more.wav" } }"#)
      #expect(failure { try control.ask(.load()) } != nil)
      try write(Self.gain, keys: #""sampleRate": 32000,"#)
      #expect(failure { try control.ask(.load()) }?.code == "needs-start")
      #expect(control.isPlaying)
    }
    #expect(changes.count == 4)
    #expect(changes.allSatisfy { $0.hasPrefix("refused: ") })
  }

  @Test func `a pipe or a device in place of the chain is refused at once, and files still load`()
    throws
  {
    let changes = try playing(Self.gain, watches: true) { control, write in
      let folder = (write.path as NSString).deletingLastPathComponent
      mkfifo("\(folder)/pipe", 0o600)
      for path in ["\(folder)/pipe", "/dev/zero", folder, "/dev/fd/0"] {
        #expect(failure { try control.ask(.load(path: path)) }?.code == "unreadable")
      }
      // As an included chain.
      try write(#"{ "use": "pipe" }, \#(Self.gain)"#)
      #expect(failure { try control.ask(.load()) }?.code == "unreadable")
      unlink(write.path)
      mkfifo(write.path, 0o600)
      #expect(failure { try control.ask(.load()) }?.code == "unreadable")
      unlink(write.path)
      try write(Self.gain.replacing("-3 dB", with: "-9 dB"))
      try control.ask(.load())
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-9))
    }
    #expect(
      changes.last == "loaded: 1 value (fader.gain)"
        || changes.contains("loaded: 1 value (fader.gain)"))
  }

  @Test func `a unit's sound file is read again when it is written`() throws {
    let node = #"{ "unit": "convolver", "impulse": "room.wav" }"#
    let changes = Changes()
    let words = try playing(Self.gain, watches: true, changes) { control, write in
      let folder = (write.path as NSString).deletingLastPathComponent
      func writeSound(_ level: Float) throws {
        let other = TemporaryFolder()
        let path = try other.writeSound("room.wav", [level], rate: 48000)
        _ = try? FileManager.default.removeItem(atPath: "\(folder)/room.wav")
        try FileManager.default.moveItem(atPath: path, toPath: "\(folder)/room.wav")
      }
      try writeSound(0.5)
      try write("\(Self.gain), \(node)")
      for _ in 0..<200 where changes.words.count < 1 { usleep(50000) }
      #expect(try control.ask(.load()) == .loaded("nothing changed"))
      try writeSound(0.25)
      for _ in 0..<200 where changes.words.count < 3 { usleep(50000) }
    }
    #expect(
      words == ["loaded: 1 new node", "loaded: nothing changed", "loaded: 1 new node, 1 gone"])
  }

  @Test func `a unit's model is read again when it is written`() throws {
    let node = #"{ "unit": "neuralAmp", "model": "m.nam" }"#
    let changes = Changes()
    let words = try playing(Self.gain, watches: true, changes) { control, write in
      let folder = (write.path as NSString).deletingLastPathComponent
      func writeModel(_ weight: Double) throws {
        let text =
          #"{ "version": "0.5.4", "architecture": "Linear", "weights": [\#(weight)], "#
          + #""config": { "receptive_field": 1, "bias": false } }"#
        try text.write(toFile: "\(folder)/m.nam", atomically: true, encoding: .utf8)
      }
      try writeModel(0.5)
      try write("\(Self.gain), \(node)")
      for _ in 0..<200 where changes.words.count < 1 { usleep(50000) }
      try writeModel(0.25)
      for _ in 0..<200 where changes.words.count < 2 { usleep(50000) }
    }
    #expect(words == ["loaded: 1 new node", "loaded: 1 new node, 1 gone"])
  }

  @Test func `a written chain file is read again once, and a broken one is reported once`()
    throws
  {
    let changes = Changes()
    let words = try playing(Self.gain, watches: true, changes) { control, write in
      func wait(for value: Double) throws {
        for _ in 0..<200 {
          if try control.ask(.get(parameter: "fader.gain")) == .value(value) { return }
          usleep(50000)
        }
        Issue.record("the file was not read within ten seconds")
      }
      try write(Self.gain.replacing("-3 dB", with: "-9 dB"))
      try wait(for: -9)
      try write("nonsense")
      for _ in 0..<200 where changes.words.count < 2 { usleep(50000) }
      // Time for a second report, which must not come.
      usleep(300_000)
      try write(Self.gain.replacing("-3 dB", with: "-12 dB"))
      try wait(for: -12)
    }
    #expect(words.count == 3)
    #expect(words.first == "loaded: 1 value (fader.gain)")
    #expect(words.dropFirst().first?.hasPrefix("refused: ") == true)
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    replacingOccurrences(of: part, with: other)
  }
}

/// Writes a chain with a silent source and ALSA's null device.
private struct ChainWriter {
  let path: String

  func callAsFunction(_ nodes: String, keys: String = "") throws {
    let source = #"{ "source": "null" }"#
    let sink = #"{ "sink": { "alsa": "null" } }"#
    try #"{ "version": 1, \#(keys) "chain": [ \#(source), \#(nodes), \#(sink) ] }"#
      .write(toFile: path, atomically: true, encoding: .utf8)
  }
}

/// The outcome of each version of a chain.
private final class Changes: Sendable {
  private let noted = Mutex<[String]>([])

  var words: [String] { noted.withLock { $0 } }

  func note(_ change: ChainChange) {
    let words =
      switch change {
      case .loaded(_, let summary): "loaded: \(summary)"
      case .refused(_, let failure): "refused: \(failure.code)"
      }
    noted.withLock { $0.append(words) }
  }
}
