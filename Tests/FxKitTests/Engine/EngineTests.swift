import Foundation
import FxKit
import FxTestSupport
import Synchronization
import Testing

// One at a time: the null device lets a real-time thread run without a pause.
@Suite(.serialized, .ownThread) struct `An engine` {
  private let folder = TemporaryFolder()

  /// A chain whose device takes the sound as fast as it is rendered.
  private func endless(_ wet: String = "1") -> Chain {
    Chain(
      json: """
        { "version": 2, "tail": "none",
          "nodes": { "tone": { "source": { "signal": "tone", "level": "-12 dB" } },
            "low": { "unit": "lowPass", "wet": \(wet) }, "fader": { "unit": "gain" },
            "out": { "sink": { "alsa": "null" } } },
          "connections": ["tone -> low -> fader -> out"] }
        """)
  }

  private func short() -> Chain {
    Chain(
      json: """
        { "version": 2, "tail": "none",
          "nodes": { "tone": { "source": { "signal": "tone", "duration": "0.2 s" } },
            "out": { "sink": { "alsa": "null" } } }, "connections": ["tone -> out"] }
        """)
  }

  @Test func `plays to the end`() async throws {
    let engine = try Engine(short())
    #expect(engine.state == .ready)
    let summary = try await engine.run()
    #expect(engine.state == .ended)
    #expect(summary.mainFrames == 9600)
    #expect(!summary.wasStopped)
  }

  @Test func `starts, answers and stops`() async throws {
    let engine = try Engine(endless())
    try await engine.start()
    #expect(engine.state == .playing)
    try await engine["fader.gain"].set("-6 dB")
    #expect(try await engine["fader.gain"].value == .value(-6))
    try await engine["low.frequency"].ramp(to: 500, over: .milliseconds(20))
    try await engine["low.wet"].ramp(to: 0.5, over: .milliseconds(20))
    await #expect(throws: ChainFailure.self) { try await engine["low.frequncy"].set(1) }
    await #expect(throws: ChainFailure.self) { try await engine["fader.gain"].set("loud") }
    let summary = try await engine.stop()
    #expect(summary.wasStopped)
    #expect(engine.state == .ended)
    await #expect(throws: ChainFailure.self) { try await engine["fader.gain"].set(0) }
  }

  @Test func `stops when its task is cancelled`() async throws {
    let engine = try Engine(endless())
    let task = Task(executorPreference: OwnThreadExecutor()) { try await engine.run() }
    while engine.state != .playing { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    #expect(try await task.value.wasStopped)
    let early = try Engine(endless())
    let cancelled = Task(executorPreference: OwnThreadExecutor()) { try await early.run() }
    cancelled.cancel()
    _ = try? await cancelled.value
    #expect(early.state == .ended)
  }

  @Test func `stops when nobody holds it any more`() async throws {
    var engine: Engine? = try Engine(endless())
    let events = try #require(engine?.events)
    try await engine?.start()
    engine = nil
    var last: EngineEvent?
    for await event in events { last = event }
    guard case .ended(.success(let summary)) = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(summary.wasStopped)
  }

  @Test func `ends its events if it was stopped or given up before the start`() async throws {
    let stopped = try Engine(endless())
    let events = stopped.events
    await #expect(throws: ChainFailure.self) { try await stopped.stop() }
    for events in [events, stopped.events] {
      var found: [EngineEvent] = []
      for await event in events { found.append(event) }
      guard case .ended(.failure) = found.last, found.count == 1 else {
        Issue.record("\(found)")
        return
      }
    }
    await #expect(throws: ChainFailure.self) { try await stopped.start() }
    var given: Engine? = try Engine(endless())
    let others = try #require(given?.events)
    given = nil
    for await _ in others {}
  }

  @Test func `cuts the buffers of a player at its end`() async throws {
    let player = try PlayerNode("player", SampleFormat(channels: 1))
    let engine = try Engine(
      Chain {
        player
        Sink.device("null")
      })
    let buffer = try PCMBuffer([[Float](repeating: 0.1, count: 480)], format: player.format)
    try await engine.start()
    async let looping = player.schedule(buffer, options: .loops, until: .rendered)
    async let waiting = player.schedule(buffer, until: .consumed)
    while player.playedFrames == nil { try await Task.sleep(for: .milliseconds(1)) }
    try await engine.stop()
    #expect(try await looping == .cut)
    #expect(try await waiting == .cut)
  }

  @Test func `loads and updates one after another`() async throws {
    let engine = try Engine(endless())
    try await engine.start()
    var graph = try ChainGraph(endless())
    graph.insert(Meter(id: "loaded"), between: "fader", and: "out")
    try await engine.send(.replace(Chain(graph)))
    #expect(try ChainGraph(engine.playingChain)["loaded"] != nil)
    async let first: String = engine.update {
      $0.insert(Meter(id: "a"), between: "tone", and: "low")
    }
    async let second: String = engine.update {
      $0.insert(Meter(id: "b"), between: "low", and: "fader")
    }
    _ = try await (first, second)
    let playing = try ChainGraph(engine.playingChain)
    #expect(["loaded", "a", "b"].allSatisfy { playing[$0] != nil })
    for await _ in engine.levels(of: "a", every: .seconds(Int64.max)) { break }
    try await engine.stop()
  }

  @Test func `reports what happens, and the end last`() async throws {
    let engine = try Engine(short())
    let events = engine.events
    let other = engine.events
    try await engine.run()
    var found: [EngineEvent] = []
    for await event in events { found.append(event) }
    guard case .started = found.first, case .ended(.success(let summary)) = found.last else {
      Issue.record("\(found)")
      return
    }
    #expect(summary.mainFrames == 9600)
    var count = 0
    for await _ in other { count += 1 }
    #expect(count == found.count)
    var late: [EngineEvent] = []
    for await event in engine.events { late.append(event) }
    #expect(late.count == 1)
  }

  @Test func `lets another chain take over, and refuses one with mistakes`() async throws {
    let engine = try Engine(endless())
    try await engine.start()
    #expect(try await engine.load(endless("0.25")) == "1 value (low.wet)")
    #expect(try await engine["low.wet"].value == .value(0.25))
    #expect(engine.playingChain == endless("0.25"))
    await #expect(throws: ChainFailure.self) {
      try await engine.load(Chain(json: #"{ "version": 2, "chain": [ { "unit": "nothing" } ] }"#))
    }
    #expect(engine.playingChain == endless("0.25"))
    try await engine.stop()
  }

  @Test func `shows levels until it ends`() async throws {
    let engine = try Engine(endless())
    try await engine.start()
    // The first ones come before the first measured block.
    var (peak, count) = (-Double.infinity, 0)
    for await level in engine.levels(of: "fader", every: .milliseconds(5)) {
      (peak, count) = (level.peak, count + 1)
      if peak > -20 || count == 1000 { break }
    }
    #expect(peak > -20 && peak < -11)
    for await level in engine.levels(of: "tone") {
      #expect(level.channels.count > 0)
      try await engine.stop()
    }
    var isKnown = false
    for await _ in engine.levels(of: "nobody") { isKnown = true }
    #expect(!isKnown)
  }

  @Test func `plays nodes of the program, several engines at a time`() async throws {
    let rendered = Atomic<Int>(0)
    func engine() throws -> Engine {
      let source = SourceNode("voice", channels: 1) { block in
        block.silence()
        rendered.add(block.frameCount, ordering: .relaxed)
      }
      let text = """
        { "version": 2, "nodes": { "voice": { "unit": "voice" }, "out": { "sink": { "alsa": "null" } } },
          "connections": ["voice -> out"] }
        """
      return try Engine(Chain(json: text, units: UnitSet(source)))
    }
    let engines = try (0..<3).map { _ in try engine() }
    for engine in engines { try await engine.start() }
    while rendered.load(ordering: .relaxed) < 10_000 { try await Task.sleep(for: .milliseconds(1)) }
    for engine in engines { try await engine.stop() }
    #expect(engines.allSatisfy { $0.state == .ended })
  }

  @Test func `changes its graph while it plays, and keeps what was set`() async throws {
    let engine = try Engine(endless())
    try await engine.start()
    try await engine["fader.gain"].set("-6 dB")
    let echo = Delay(id: "echo", time: .milliseconds(20))
    let summary = try await engine.update { $0.insert(echo, between: "low", and: "fader") }
    #expect(summary.hasPrefix("1 new node"))
    #expect(try await engine["fader.gain"].value == .value(-6))
    try await engine[echo.wet].ramp(to: 0.5, over: .milliseconds(20))
    #expect(try await engine["echo.wet"].value == .value(0.5))
    try await engine.update { $0.remove("echo", joins: true) }
    await #expect(throws: ChainFailure.self) { try await engine["echo.wet"].value }
    await #expect(throws: ChainFailure.self) {
      try await engine.update { $0.insert(echo, between: "low", and: "nobody") }
    }
    try await engine.stop()
  }

  @Test func `keeps what was changed while it played, unless an update says otherwise`()
    async throws
  {
    let engine = try Engine(
      Chain(
        json: #"""
          { "version": 2, "scenes": { "far": { "parameters": { "fader.gain": "-20 dB" } } },
            "nodes": { "tone": { "source": { "signal": "sine" } },
              "low": { "unit": "lowPass", "parameters": { "frequency": "2 kHz" } },
              "fader": { "unit": "gain", "parameters": { "gain": "-3 dB" } },
              "level": { "unit": "gain", "parameters": { "gain": "-1 dB" } },
              "out": { "sink": { "alsa": "null" } } },
            "connections": ["tone -> low", "low -> fader", "fader -> level", "level -> out"],
            "expose": { "cutoff": "low.frequency" } }
          """#))
    try await engine.start()
    try await engine.send(.scene("far"))
    try await engine.send(.bypass(node: "low", on: true))
    try await engine.send(.mute(node: "level", on: true))
    try await engine["cutoff"].set("900 Hz")
    try await engine.update { $0.insert(Delay(id: "echo"), between: "low", and: "fader") }
    #expect(try await engine["fader.gain"].value == .value(-20))
    #expect(try await engine["low.bypass"].value == .value(1))
    #expect(try await engine["cutoff"].value == .value(900))
    #expect(try await engine["level.gain"].value == .value(-.infinity))
    #expect(try await engine.send(.mute(node: "level")) == .switched(false))
    #expect(try await engine["level.gain"].value == .value(-1))
    // A value that the update gives counts; the others stay through a second change.
    try await engine.update { $0["fader"]?[parameter: "gain"] = -6 }
    #expect(try await engine["fader.gain"].value == .value(-6))
    #expect(try await engine["low.bypass"].value == .value(1))
    // A chain that is loaded whole counts as it is written.
    try await engine.load(engine.playingChain)
    #expect(try await engine["low.bypass"].value == .value(0))
    try await engine.stop()
  }

  @Test func `a node that was removed can come back`() async throws {
    let voice = SourceNode("voice", channels: 1) { $0.silence() }
    let tap = SinkNode("ear") { _ in }
    var graph = ChainGraph()
    let source = graph.add(voice)
    let fader = graph.add(FxKit.Gain(id: "fader"))
    let out = graph.add(Sink.device("null", id: "out"))
    graph.connect(source, to: fader)
    graph.connect(fader, to: out)
    let engine = try Engine(Chain(graph))
    try await engine.start()
    for _ in 0..<3 {
      try await engine.update { $0.insert(Node(tap, id: "ear"), between: "voice", and: "fader") }
      try await engine.update { $0.remove("ear", joins: true) }
    }
    // One of the chain at the start.
    try await engine.update { graph in
      graph.remove("voice")
      let other = SourceNode("other", channels: 1) { $0.silence() }
      graph.connect(graph.add(other), to: "fader")
    }
    try await engine.update { graph in
      graph.remove("other")
      graph.connect(graph.add(Node(voice, id: "again")), to: "fader")
    }
    try await engine.stop()
  }

  @Test func `a cancelled task does not wait for a controller or a buffer`() async throws {
    let player = try PlayerNode("player", SampleFormat(channels: 1))
    var graph = ChainGraph()
    graph.connect(graph.add(player), to: graph.add(Sink.device("null")))
    let engine = try Engine(Chain(graph))
    try await engine.start()
    let learning = Task { try await engine.send(.learn(parameter: "player.wet")) }
    let buffer = try PCMBuffer(
      [[Float](repeating: 0, count: 48)], format: SampleFormat(channels: 1))
    let waiting = Task {
      try await player.schedule(buffer, at: .next, options: [.loops], until: .playedBack)
    }
    try await Task.sleep(for: .milliseconds(20))
    learning.cancel()
    waiting.cancel()
    await #expect(throws: ChainFailure.self) { try await learning.value }
    await #expect(throws: ChainFailure.self) { try await waiting.value }
    let early = Task { try await engine.send(.learn(parameter: "player.wet")) }
    early.cancel()
    await #expect(throws: ChainFailure.self) { try await early.value }
    try await engine.stop()
  }

  @Test func `a graph of the playing chain knows the nodes that it was made of`() async throws {
    var graph = ChainGraph()
    let tone = graph.add(Source.signal(.sine))
    let fader = graph.add(FxKit.Gain(id: "fader"))
    let out = graph.add(Sink.device("null"))
    graph.connect(tone, fader, out)
    let engine = try Engine(Chain(graph))
    try await engine.start()
    try await engine.update { graph in
      graph.insert(Delay(id: "split"), between: tone, and: fader)
      graph[fader.gain] = -6
    }
    #expect(try await engine["fader.gain"].value == .value(-6))
    try await engine.stop()
  }

  @Test func `taps a node without a change of the chain's text`() async throws {
    let engine = try Engine(endless())
    try await engine.start()
    let peak = Atomic<UInt32>(0)
    try await engine.tap("low", as: "ear") { block in
      for sample in block.input(0) {
        peak.store(
          max(Float(bitPattern: peak.load(ordering: .relaxed)), abs(sample)).bitPattern,
          ordering: .relaxed)
      }
    }
    while peak.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    await #expect(throws: ChainFailure.self) { try await engine.tap("nobody", as: "two") { _ in } }
    try await engine.stop()
  }

  @Test func `plays a chain in code with nodes and units of the program`() async throws {
    let voice = SourceNode("voice", channels: 1) { $0.silence() }
    var graph = ChainGraph()
    let source = graph.add(voice)
    let fader = graph.add(FxKit.Gain(id: "fader", gain: -3))
    let out = graph.add(Sink.device("null"))
    graph.connect(source, to: fader)
    graph.connect(fader, to: out)
    #expect(graph.units.names == ["voice"])
    let engine = try Engine(Chain(graph))
    try await engine.start()
    try await engine[fader.gain].set(-6)
    #expect(try await engine["fader.gain"].value == .value(-6))
    try await engine.stop()
    let list = Chain {
      Input()
      SinkNode("ear") { _ in }
      Output()
    }
    #expect(list.check() == [])
    #expect(list.units.names == ["ear"])
  }

  @Test func `pauses and resumes`() async throws {
    let file = try folder.writeSound("tone.wav", [Float](repeating: 0, count: 480_000), rate: 100)
    let chain = Chain(
      json: """
        { "version": 2, "tail": "none", "nodes": { "in": { "source": "main" },
          "out": { "sink": { "alsa": "null" } } }, "connections": ["in -> out"] }
        """)
    let engine = try Engine(chain, RenderRequest(inputs: ["main": file]))
    try await engine.start()
    try await engine.pause()
    #expect(engine.state == .paused)
    try await engine.resume()
    #expect(engine.state == .playing)
    try await engine.stop()
  }

  @Test func `refuses what cannot play`() async throws {
    #expect(throws: ChainFailure.self) {
      try Engine(Chain(json: #"{ "version": 2, "chain": [ { "unit": "nothing" } ] }"#))
    }
    let lost = try Engine(short(), RenderRequest(inputs: ["main": "nowhere.wav"]))
    await #expect(throws: ChainFailure.self) { try await lost.run() }
    #expect(lost.state == .ended)
    let twice = try Engine(short())
    try await twice.run()
    await #expect(throws: ChainFailure.self) { try await twice.start() }
    let never = try Engine(short())
    await #expect(throws: ChainFailure.self) { try await never.pause() }
    await #expect(throws: ChainFailure.self) { try await never.finish() }
    await #expect(throws: ChainFailure.self) { try await never.stop() }
  }

  @Test func `renders into a file, and stops when its task is cancelled`() async throws {
    let out = folder.file("out.wav")
    let chain = Chain(
      json: """
        { "version": 2, "tail": "none", "nodes": { "tone": { "source": { "signal": "tone" } },
          "out": { "sink": "main" } }, "connections": ["tone -> out"] }
        """)
    var request = RenderRequest(outputs: ["main": out])
    request.duration = 0.5
    let summary = try await chain.rendered(request)
    #expect(summary.frames == 24_000)
    #expect(FileManager.default.fileExists(atPath: out))
    request.duration = 36_000
    request.outputs = ["main": folder.file("long.wav")]
    let asked = request
    let task = Task(executorPreference: OwnThreadExecutor()) { try await chain.rendered(asked) }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(try await task.value.wasStopped)
  }
}
