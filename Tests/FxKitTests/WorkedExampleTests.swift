import Foundation
@testable import FxKit
import FxTestSupport
import Testing

// The examples of docs/library.md and README.md, which quote this file; a test holds them to it.

/// Renders a file through a chain and says what came out.
func render(_ input: String, into output: String, through chainFile: String) throws -> String {
  let chain = try Chain(contentsOfFile: chainFile)
  var request = RenderRequest(input: input, output: output)
  request.settings = [RenderRequest.Setting("loudness", "6 dB")]
  request.duration = 0.5

  let summary = try chain.render(request) { progress in
    print("\(progress.frames) frames so far")
  }
  let peak = summary.outputs[0].peak
  return "\(summary.frames) frames, \(summary.outputs[0].clippedSamples) clipped, peak \(peak)"
}

/// Plays three blocks of a tone through a chain that is made in the program, and turns it down while
/// it sounds.
func turnDownWhileItSounds() throws -> [Float] {
  let chain = Chain(
    json: """
      { "version": 2, "chain": [
        { "id": "fader", "unit": "gain" },
        { "id": "level", "unit": "meter" } ] }
      """)
  let renderer = try ChainRenderer(chain, sampleRate: 48000, channels: 1, blockSize: 480)
  let tone = (0..<4800).map { Float($0 % 96 < 48 ? 0.5 : -0.5) }

  var loudest: [Float] = []
  for gain in ["0 dB", "-6 dB", "-12 dB"] {
    try renderer.set("fader.gain", to: gain)
    let output = try renderer.render([tone])
    loudest.append(output[0].suffix(480).max() ?? 0)
  }
  let level = renderer.reading("rms", of: "level") ?? []
  print("RMS of the last 300 ms: \(level) dB")
  return loudest
}

/// Lists a chain's mistakes the way an editor wants them.
func mistakes(in text: String) -> [String] {
  Chain(json: text, path: "draft.json").check().map { mistake in
    let place = "\(mistake.line ?? 0):\(mistake.column ?? 0)"
    return ([place, mistake.code, mistake.message] + mistake.hints).joined(separator: " | ")
  }
}

/// Counts the samples of a sound that arrives in pieces, and says what it is.
func count(_ pieces: [[UInt8]]) throws -> String {
  let parser = SoundParser(name: "upload")
  var frames = 0
  func handle(_ event: SoundParser.Event) {
    if case .audio(_, let channels) = event { frames += channels[0].count }
  }
  for piece in pieces { try parser.parse(piece, handle) }
  try parser.finish(handle)
  let properties = parser.properties
  return "\(properties?.codec ?? "?"), \(properties?.channelCount ?? 0) channels, \(frames) frames"
}

/// Decodes a second from the middle of a sound. `read` fetches a range of its bytes, as a request to a server does.
func listen(
  at frame: Int, byteCount: Int, read: (Range<Int>) -> [UInt8]
) throws -> (frame: Int, ranges: Int) {
  let parser = SoundParser(byteCount: byteCount, decodes: true)
  // The header, and some packets.
  try parser.parse(read(0..<min(byteCount, 8192))) { _ in }

  var (first, frames, ranges) = (frame, 0, 1)
  func handle(_ event: SoundParser.Event) {
    guard case .audio(let start, let channels) = event else { return }
    if frames == 0 { first = start }
    frames += channels[0].count
  }
  let seek = try parser.seek(toFrame: frame, precision: .estimate, handle)
  print("from byte \(seek.offset)", seek.isExact ? "exactly" : "about there")
  while frames < 48000, let offset = parser.nextOffset, offset < byteCount {
    try parser.parse(read(offset..<min(offset + 30000, byteCount)), handle)
    ranges += 1
  }
  return (first, ranges)
}

/// The offsets at which a sound lacks bytes, as it arrives from anywhere.
func damage<Bytes: AsyncSequence>(
  in bytes: Bytes
) async throws -> [Int] where Bytes.Element == UInt8 {
  var offsets: [Int] = []
  for try await event in SoundParser.events(of: bytes, decodes: false) {
    if case .discontinuity(let offset) = event { offsets.append(offset) }
  }
  return offsets
}

/// Plays a tone that is pushed a buffer at a time; what comes out is handed to a closure.
func pushTone(_ buffers: Int, receive: @escaping @Sendable ([[Float]]) -> Void) throws -> Int {
  let chain = Chain(json: #"{ "version": 2, "tail": "none", "chain": [ { "unit": "gain" } ] }"#)
  let queue = SampleQueue(SampleFormat(sampleRate: 48000, channels: 1), capacity: 4800)
  var request = RenderRequest()
  request.sampleInputs["main"] = .queue(queue)
  request.sampleOutputs["main"] = .push { channels, _ in receive(channels) }

  Thread.detachNewThread {
    for _ in 0..<buffers {
      // Waits while 4800 frames are waiting; the closure says when the buffer has been taken.
      _ = try? queue.push([[Float](repeating: 0.25, count: 480)]) { outcome in
        if outcome == .dropped { print("nobody takes it any more") }
      }
    }
    queue.finish()
  }
  return try chain.render(request).frames
}

/// Reads a sound for a program that wants 16 bits at 16 kHz.
func speech(of file: String) throws -> [Int16] {
  let sound = try PCMBuffer(contentsOfFile: file)
  let format = SampleFormat(sampleRate: 16000, channels: sound.format.channels)
  return try sound.converted(to: format).interleaved(as: Int16.self, isDithered: true)
}

/// The parameters of a unit with their ranges, for a window with knobs.
func knobs(of unit: String) -> [String] {
  (UnitInfo(named: unit)?.parameters ?? []).map { parameter in
    let low = parameter.minimum.map { "\($0)" } ?? "-inf"
    return "\(parameter.name): \(low) to \(parameter.maximum ?? .infinity) \(parameter.unit)"
  }
}

@Suite struct WorkedExampleTests {
  private let folder = TemporaryFolder()

  @Test func `a sound becomes 16 bits at another rate`() throws {
    let tone = (0..<48000).map { Float($0 % 100) / 200 }
    let samples = try speech(of: try folder.writeSound("tone.wav", tone, rate: 48000))
    #expect(samples.count == 16000)
    #expect((samples.max() ?? 0) > 15000)
  }

  @Test func `the knobs of a unit are listed`() {
    #expect(knobs(of: "gain").first == "gain: -inf to 48.0 dB")
  }

  @Test func `a sound that arrives in pieces is counted`() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixture.audio("voice.mp3"))))
    let pieces = stride(from: 0, to: bytes.count, by: 1000).map {
      Array(bytes[$0..<min($0 + 1000, bytes.count)])
    }
    #expect(try count(pieces) == "MP3, 2 channels, 555660 frames")
  }

  @Test func `a second from the middle of a sound needs a few ranges`() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixture.audio("voice.mp3"))))
    let found = try listen(at: 400_000, byteCount: bytes.count) { Array(bytes[$0]) }
    #expect(found.frame == 400_000 && found.ranges < 6)
  }

  @Test func `missing bytes are found as they arrive`() async throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixture.audio("voice.mp3"))))
    let (stream, continuation) = AsyncStream<UInt8>.makeStream()
    for byte in bytes[..<60000] + bytes[65000...] { continuation.yield(byte) }
    continuation.finish()
    let offsets = try await damage(in: stream)
    #expect(offsets.count == 1 && (59_000..<61_000).contains(offsets[0]))
  }

  @Test func `samples are pushed and received`() throws {
    let received = SampleCollector()
    #expect(try pushTone(100) { received.add($0) } == 48000)
    #expect(received.samples == [[Float](repeating: 0.25, count: 48000)])
  }

  @Test func `a file renders through a chain`() throws {
    let output = folder.file("out.wav")
    let text = try render(
      Fixture.audio("voice.mp3"), into: output,
      through: "\(Fixture.repository)/chains/podcast-voice.json")
    #expect(text.contains(" 0 clipped"))
    #expect(FileManager.default.fileExists(atPath: output))
  }

  @Test func `a renderer turns down while it sounds`() throws {
    let loudest = try turnDownWhileItSounds()
    for (found, expected) in zip(loudest, [0.5, 0.2506, 0.1256] as [Float]) {
      #expect(abs(found - expected) < 1e-3)
    }
  }

  @Test func `an editor gets every mistake`() {
    let found = mistakes(
      in: """
        { "version": 2, "chain": [
          { "unit": "highPass", "parameters": { "freq": 80 } },
          { "unit": "limiter", "parameters": { "ceiling": "3 dB" } } ] }
        """)
    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("2:41 | unknown-parameter | ") == true)
    #expect(found.last?.contains("out-of-range") == true)
  }
}
