import Foundation
import FxKit
import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Synchronization
import Testing

/// Events of a sound whose bytes arrive asynchronously.
@Suite(.serialized) struct SoundEventTests {
  /// Pieces of bytes that are made when they are asked for.
  private struct Pieces: AsyncSequence {
    let bytes: [UInt8]
    let piece: Int
    var isEndless = false
    let asked = Counter()

    struct AsyncIterator: AsyncIteratorProtocol {
      let pieces: Pieces
      var place = 0

      mutating func next() async throws -> [UInt8]? {
        if pieces.isEndless, place >= pieces.bytes.count { place = 0 }
        guard place < pieces.bytes.count else { return nil }
        pieces.asked.count.add(1, ordering: .relaxed)
        await Task.yield()
        defer { place += pieces.piece }
        return Array(pieces.bytes[place...].prefix(pieces.piece))
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
  }

  private final class Counter: Sendable {
    let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
  }

  private var voice: [UInt8] { contents(Fixture.audio("voice.mp3")) }

  private func events(_ bytes: [UInt8], piece: Int) throws -> [SoundEvent] {
    let parser = SoundParser()
    var events: [SoundEvent] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try parser.parse(Array(bytes[start...].prefix(piece))) { events.append($0) }
    }
    try parser.finish { events.append($0) }
    return events
  }

  @Test func `a sequence of pieces yields what a parser yields`() async throws {
    var got: [SoundEvent] = []
    for try await event in SoundParser.events(of: Pieces(bytes: voice, piece: 5000)) {
      got.append(event)
    }
    #expect(got == (try events(voice, piece: 5000)))
  }

  @Test func `a sequence of bytes yields what a parser yields`() async throws {
    let bytes = Array(voice.prefix(30_000))
    let (stream, continuation) = AsyncStream<UInt8>.makeStream()
    for byte in bytes { continuation.yield(byte) }
    continuation.finish()
    var got: [SoundEvent] = []
    for try await event in SoundParser.events(of: stream) { got.append(event) }
    #expect(got == (try events(bytes, piece: 1024)))
  }

  @Test func `bytes are asked for only when an event is wanted`() async throws {
    let pieces = Pieces(bytes: voice, piece: 1000)
    let sequence = SoundParser.events(of: pieces)
    var iterator = sequence.makeAsyncIterator()
    #expect(pieces.asked.value == 0)
    _ = try await iterator.next()
    #expect(pieces.asked.value < 8)
    var count = 0
    while count < 40, try await iterator.next() != nil { count += 1 }
    #expect(pieces.asked.value < 30)
  }

  @Test func `a stream that is no sound throws a failure, and the sequence ends`() async throws {
    let pieces = Pieces(bytes: [UInt8](repeating: 0x20, count: 200_000), piece: 9000)
    var iterator = SoundParser.events(of: pieces).makeAsyncIterator()
    await #expect(throws: ChainFailure.self) {
      while try await iterator.next() != nil {}
    }
    let after = try await iterator.next()
    #expect(after == nil)
    await #expect(throws: ChainFailure.self) {
      for try await _ in SoundParser.events(of: Pieces(bytes: [], piece: 1)) {}
    }
  }

  @Test func `200 cancelled sequences leave no thread`() async throws {
    let bytes = voice
    let before = try threadCount()
    let wasCancelled = Counter()
    for _ in 0..<10 {
      let tasks = (0..<20).map { _ in
        Task {
          var count = 0
          do {
            for try await _ in SoundParser.events(
              of: Pieces(bytes: bytes, piece: 2000, isEndless: true))
            {
              count += 1
              if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            }
          } catch is CancellationError {
            wasCancelled.count.add(1, ordering: .relaxed)
          }
        }
      }
      for task in tasks { try await task.value }
    }
    #expect(wasCancelled.value == 200)
    // Other tests and the pool of tasks have threads of their own.
    #expect(try threadCount() < before + 40)
  }

  private func threadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}
