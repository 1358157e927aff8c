@testable import FxKit
import FxTestSupport
import Synchronization
import Testing

/// Samples that the caller pushes and pulls, offline.
@Suite struct SampleEndpointTests {
  private let half = Chain(
    json: """
      { "version": 1, "tail": "none", "chain": [
        { "unit": "gain", "parameters": { "gain": "-6 dB" } } ] }
      """)
  private let both = Chain(
    json: """
      { "version": 1, "tail": "none",
        "nodes": { "a": { "source": { "input": "a" } }, "b": { "source": { "input": "b" } },
          "sum": { "unit": "mixer" },
          "out": { "sink": "main" }, "dry": { "sink": { "output": "dry" } } },
        "connections": ["a -> sum -> out", "b -> sum", "a -> dry"] }
      """)

  @Test func `pushed buffers render like a file, and each is reported when taken`() throws {
    let folder = TemporaryFolder()
    let sound = noise(30_000)
    // The samples in 16 bits.
    let kept = sound.map { Float(Int($0 * 32768)) / 32768 }
    let file = try folder.writeSound("in.wav", sound, rate: 48000)
    let fromFile = SampleCollector()
    var request = RenderRequest(inputs: ["main": file])
    request.sampleOutputs["main"] = .push { channels, _ in fromFile.add(channels) }
    _ = try half.render(request)

    let queue = SampleQueue(SampleFormat(sampleRate: 48000, channels: 1), capacity: 4000)
    let taken = Mutex(0)
    let received = SampleCollector()
    request = RenderRequest()
    request.sampleInputs["main"] = .queue(queue)
    request.sampleOutputs["main"] = .push { channels, format in
      #expect(format == SampleFormat(sampleRate: 48000, channels: 1))
      received.add(channels)
    }
    let pushing = Pushing {
      for start in stride(from: 0, to: kept.count, by: 1000) {
        let isPushed = try? queue.push([Array(kept[start..<start + 1000])]) { outcome in
          if outcome == .taken { taken.withLock { $0 += 1 } }
        }
        #expect(isPushed == true)
        #expect(queue.waitingFrames <= 4000)
      }
      queue.finish()
    }
    let summary = try half.render(request)
    pushing.join()
    #expect(summary.frames == 30_000)
    #expect(taken.withLock { $0 } == 30)
    let pushed = received.samples
    #expect(pushed == fromFile.samples)
  }

  @Test
  func `a whole sound of the caller renders like a pushed one, also when it is measured first`()
    throws
  {
    let sound = noise(30_000)
    let format = SampleFormat(sampleRate: 48000, channels: 1)
    let measured = Chain(
      json: """
        { "version": 2, "tail": "none", "chain": [
          { "unit": "loudness", "parameters": { "target": "-30 LUFS" } } ] }
        """)
    for chain in [half, measured] {
      let received = SampleCollector()
      var request = RenderRequest()
      request.sampleInputs["main"] = .samples(format, [sound])
      request.sampleOutputs["main"] = .push { channels, _ in received.add(channels) }
      #expect(try chain.render(request).frames == 30_000)
      let peak = received.samples[0].reduce(0) { max($0, abs($1)) }
      let highest = sound.reduce(0) { max($0, abs($1)) }
      #expect(peak > 0 && peak < highest)
      let gain = peak / highest
      #expect(
        zip(received.samples[0], sound).allSatisfy { abs($0 - $1 * gain) < 1e-6 })
    }
  }

  @Test func `a whole sound must have the channels of its format, all of one length`() throws {
    let format = SampleFormat(sampleRate: 48000, channels: 2)
    for channels in [[[Float](repeating: 0, count: 4)], [[0, 0], [0]]] {
      var request = RenderRequest()
      request.sampleInputs["main"] = .samples(format, channels)
      request.sampleOutputs["main"] = .push { _, _ in }
      let failure = try #require(throws: ChainFailure.self) { try half.render(request) }
      #expect(failure.message.hasPrefix("the input 'main' has"))
    }
  }

  @Test
  func `a closure is pulled until it returns nothing, and several inputs and outputs have names`()
    throws
  {
    let sound = noise(10_000)
    let out = SampleCollector()
    let dry = SampleQueue(SampleFormat(sampleRate: 44100, channels: 1), capacity: 100_000)
    var request = RenderRequest()
    for name in ["a", "b"] {
      let position = Mutex(0)
      request.sampleInputs[name] = .pull(SampleFormat(sampleRate: 44100, channels: 1)) { frames in
        let range = position.withLock { position -> Range<Int> in
          let start = position
          position = min(position + min(frames, 777), sound.count)
          return start..<position
        }
        return [Array(sound[range])]
      }
    }
    request.sampleOutputs["main"] = .push { channels, _ in out.add(channels) }
    request.sampleOutputs["dry"] = .queue(dry)
    _ = try both.render(request)
    #expect(out.samples[0] == sound.map { $0 + $0 })
    var taken: [Float] = []
    while true {
      let part = dry.take(999)[0]
      if part.isEmpty { break }
      taken += part
    }
    #expect(taken == sound)
  }

  @Test func `a queue refuses samples that do not fit, or that nobody takes any more`() throws {
    let queue = SampleQueue(SampleFormat(sampleRate: 48000, channels: 1), capacity: 100)
    let dropped = Mutex(0)
    #expect(
      try queue.pushWithoutWaiting([[Float](repeating: 0, count: 90)]) { _ in
        dropped.withLock { $0 += 1 }
      })
    #expect(try !queue.pushWithoutWaiting([[Float](repeating: 0, count: 11)]))
    #expect(throws: ChainFailure.self) { try queue.push([[0], [0]]) }
    #expect(throws: ChainFailure.self) { try queue.pushWithoutWaiting([]) }
    #expect(queue.take(50)[0].count == 50)
    #expect(try queue.pushWithoutWaiting([[Float](repeating: 0, count: 60)]))
    queue.cancel()
    #expect(dropped.withLock { $0 } == 1)
    #expect(try !queue.push([[0]]))
    #expect(queue.take(10)[0].isEmpty)
  }

  @Test func `a thrown error and a wrong shape end the render with the input's name`() throws {
    struct Broken: Error {}
    var request = RenderRequest()
    request.sampleOutputs["main"] = .push { _, _ in }
    request.sampleInputs["main"] = .pull(SampleFormat()) { _ in throw Broken() }
    let thrown = try #require(failure { _ = try half.render(request) })
    #expect(thrown.kind == .input)
    #expect(thrown.message.contains("the input 'main'"))
    request.sampleInputs["main"] = .pull(SampleFormat()) { _ in [[0, 0]] }
    let shape = try #require(failure { _ = try half.render(request) })
    #expect(shape.message.contains("gave 1 of [2]"))
    request.sampleInputs["main"] = .pull(SampleFormat()) { _ in [[], []] }
    request.sampleOutputs["main"] = .push { _, _ in throw Broken() }
    #expect(try half.render(request).frames == 0)
  }

  @Test func `a queue whose format differs from the output is refused`() throws {
    var request = RenderRequest()
    request.sampleInputs["main"] = .pull(SampleFormat(sampleRate: 44100)) { _ in [] }
    request.sampleOutputs["main"] = .queue(SampleQueue(SampleFormat(sampleRate: 48000)))
    let found = try #require(failure { _ = try half.render(request) })
    #expect(found.kind == .output)
    #expect(found.message.contains("2 channels at 44100"))
  }

  @Test func `a chain that measures the whole sound refuses samples`() throws {
    var request = RenderRequest()
    request.sampleInputs["main"] = .pull(SampleFormat()) { _ in [] }
    request.sampleOutputs["main"] = .push { _, _ in }
    let found = failure { _ = try list(#"{ "unit": "normalize" }"#).render(request) }
    #expect(found?.code == "needs-whole-sound")
  }
}
