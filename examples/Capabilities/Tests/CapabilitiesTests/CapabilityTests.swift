import Foundation
import FxKit
import Synchronization
import Testing

/// The tests play on the device `null`, whose threads never pause: one after another.
@Suite(.serialized) enum LibraryTests {}

extension LibraryTests {
  /// One test for each thing that the frameworks of another system do. The device `null` discards sound as
  /// fast as it is rendered.
  @Suite struct CapabilityTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// AVAudioEngine: nodes, connections, an effect whose parameter moves while it plays.
    @Test func `an engine plays a graph and moves a parameter`() async throws {
      let room = Reverb(id: "room", wet: 0.2)
      var graph = ChainGraph()
      graph.connect(
        graph.add(SourceNode("tone", channels: 1) { $0.silence() }), graph.add(room),
        graph.add(Sink.device("null")))
      let engine = try Engine(Chain(graph))
      try await engine.start()
      try await engine[room.wet].ramp(to: 0.5, over: .milliseconds(10))
      #expect(try await engine.stop().wasStopped)
    }

    /// AVAudioEngine: connections that change while it runs.
    @Test func `an engine changes its connections while it plays`() async throws {
      let engine = try Engine(
        Chain {
          Source.signal(.tone, id: "tone")
          Sink.device("null", id: "out")
        })
      try await engine.start()
      let change = try await engine.update {
        $0.insert(Delay(id: "echo"), between: "tone", and: "out")
      }
      #expect(change.hasPrefix("1 new node"))
      try await engine.stop()
    }

    /// AVAudioPlayerNode.
    @Test func `a player node plays buffers and says when each was played`() async throws {
      let player = try PlayerNode("player", mono)
      let peak = Peak()
      let engine = try Engine(
        Chain {
          player
          SinkNode("ear") { peak.note($0) }
          Sink.device("null")
        })
      try await engine.start()
      let buffer = try PCMBuffer([[Float](repeating: 0.5, count: 480)], format: mono)
      #expect(try await player.schedule(buffer, at: .now, until: .playedBack) == .played)
      #expect(peak.level == 0.5)
      try await engine.stop()
    }

    /// AVAudioPlayerNode with a file.
    @Test func `a file is read into a buffer and played`() throws {
      let buffer = try PCMBuffer(contentsOfFile: folder.sound("a.wav"), sampleRate: 24000)
      #expect(buffer.frameCount == 24000)
      #expect(abs(buffer.channels[0][12000] - 0.25) < 1e-4)
    }

    /// AVAudioConverter and AVAudioPCMBuffer.
    @Test func `a converter changes rate, channels and coding`() throws {
      let sound = try PCMBuffer(
        [[Float](repeating: 0.5, count: 4410)],
        format: SampleFormat(sampleRate: 44100, channels: 1))
      let stereo = try sound.converted(to: SampleFormat(sampleRate: 48000, channels: 2))
      let samples = stereo.interleaved(as: Int16.self)
      #expect(samples.count == 2 * 4800)
      #expect(abs(Int(samples[4800]) - 16384) <= 1)
    }

    /// AudioQueue: a thread pushes buffers and hears when each was taken.
    @Test func `pushed buffers are played in order`() throws {
      let queue = SampleQueue(mono, capacity: 4800)
      var request = RenderRequest()
      request.sampleInputs["main"] = .queue(queue)
      let received = Mutex<[Float]>([])
      request.sampleOutputs["main"] = .push { channels, _ in
        received.withLock { $0 += channels[0] }
      }
      for number in 1...4 { #expect(try queue.pushWithoutWaiting([[Float(number) / 8]])) }
      queue.finish()
      try Chain { Gain() }.render(request)
      #expect(received.withLock { $0 } == [0.125, 0.25, 0.375, 0.5])
    }

    /// A queue on the render thread, with a stated latency.
    @Test func `a push node is heard after its latency`() throws {
      let push = try PushNode("call", mono, latency: .milliseconds(1))
      var graph = ChainGraph()
      graph.connect(graph.add(push), graph.add(Output()))
      let renderer = try ChainRenderer(Chain(graph), channels: 1, blockSize: 64)
      try push.push([[0.5]])
      let output = try renderer.render(frames: 256)[0]
      #expect(output.firstIndex(of: 0.5) == 48)
    }

    /// AUGraph.
    @Test func `a graph mixes two inputs at their own levels`() throws {
      var graph = ChainGraph()
      let mix = graph.add(Mixer(id: "mix"))
      graph.connect(graph.add(Input("voice")), to: mix.strip("voice", gain: .decibels(-6)))
      graph.connect(graph.add(Input("music")), to: mix.strip("music", mute: true))
      graph.connect(mix, to: graph.add(Output()))
      #expect(Chain(graph).check().isEmpty)
      #expect(try ChainGraph(json: graph.json) == graph)
    }

    /// AVAudioFile, and the file player of an AUGraph: a part of a file through an effect into another file.
    @Test func `a part of a file is rendered into a file`() async throws {
      var request = RenderRequest(input: try folder.sound("a.wav"), output: folder.file("b.flac"))
      request.start = 0.25
      request.duration = 0.5
      let summary = try await Chain { Gain(gain: -6) }.rendered(request)
      #expect(summary.frames == 24000)
      #expect(try SoundInfo(path: folder.file("b.flac")).properties.codec == "FLAC")
    }

    /// AudioFileStream.
    @Test func `a stream is parsed as its bytes arrive`() throws {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.sound("a.flac"))))
      let parser = SoundParser(name: "stream")
      var frames = 0
      var packets = 0
      for start in stride(from: 0, to: bytes.count, by: 100) {
        try parser.parse(Array(bytes[start..<min(start + 100, bytes.count)])) { event in
          if case .audio(_, let channels) = event { frames += channels[0].count }
          if case .packet = event { packets += 1 }
        }
      }
      try parser.finish { event in
        if case .audio(_, let channels) = event { frames += channels[0].count }
      }
      #expect(frames == 48000)
      #expect(packets > 5)
      #expect(parser.properties?.sampleRate == 48000)
    }

    /// AUAudioUnit of one's own.
    @Test func `a unit of one's own is used from code and from JSON`() throws {
      let inCode = Chain { Node(Half.self) }
      let inJSON = Chain(
        json: #"{ "version": 2, "chain": [ { "unit": "half" } ] }"#, units: [Half.self])
      for chain in [inCode, inJSON] {
        #expect(try ChainRenderer(chain, channels: 1).render([[1, 0.5]]) == [[0.5, 0.25]])
      }
    }

    /// Render callbacks: AVAudioSourceNode, AVAudioSinkNode, taps.
    @Test func `closures make and receive sound on the render thread`() async throws {
      let source = SourceNode("voice", channels: 1) { block in
        let output = block.output(0)
        for frame in output.indices { output[frame] = 0.5 }
      }
      let (ear, tap) = (Peak(), Peak())
      let engine = try Engine(
        Chain {
          source
          Gain(id: "fader", gain: .decibels(-6.0206))
          SinkNode("ear") { ear.note($0) }
          Sink.device("null")
        })
      try await engine.start()
      try await engine.tap("voice", as: "tapped") { tap.note($0) }
      #expect(try await tap.wait(for: 0.5))
      #expect(try await ear.wait(for: 0.249))
      for await level in engine.levels(of: "fader", every: .milliseconds(5)) where level.peak > -13
      {
        #expect(abs(level.peak + 12.04) < 0.1)
        break
      }
      try await engine.stop()
    }

    /// MIDI instruments.
    @Test func `a closure plays MIDI`() async throws {
      let peak = Peak()
      let engine = try Engine(
        Chain {
          SourceNode("synth", channels: 1) { block, midi in
            block.silence()
            while let event = midi.next() {
              if case .noteOn(_, let velocity) = event.meaning {
                block.output(0)[event.frame] = Float(velocity) / 128
              }
            }
          }
          SinkNode("ear") { peak.note($0) }
          Sink.device("null")
        })
      try await engine.start()
      try await engine.send(.midi([0x90, 60, 64], node: "synth"))
      #expect(try await peak.wait(for: 0.5))
      try await engine.stop()
    }

    /// Manual rendering.
    @Test func `buffers are rendered without a device`() throws {
      let renderer = try ChainRenderer(Chain { Gain(id: "fader") }, channels: 1)
      try renderer.set("fader.gain", to: "-6.0206 dB")
      let output = try renderer.render([[Float](repeating: 1, count: 4800)])
      #expect(abs((output[0].last ?? 0) - 0.5) < 1e-4)
    }

    /// What a program can offer in its menus.
    @Test func `units, plugins and devices are listed`() {
      #expect(UnitInfo.all.contains { $0.name == "reverb" && !$0.presets.isEmpty })
      #expect(DeviceInfo.names().first == "default")
      #expect(PluginInfo.all().allSatisfy { !$0.uri.isEmpty })
    }
  }
}

/// Halves its input.
private struct Half: UnitKernel, ~Copyable {
  static let spec = UnitSpec("half", summary: "Halves its input.")

  init(_ preparation: Preparation) {}

  @_noLocks
  mutating func render(_ block: RenderBlock) {
    for channel in 0..<block.outputCount {
      let (input, output) = (block.inputs[channel], block.outputs[channel])
      for frame in 0..<block.frameCount { output[frame] = input[frame] * 0.5 }
    }
  }

  @_noLocks
  mutating func reset() {}
}
