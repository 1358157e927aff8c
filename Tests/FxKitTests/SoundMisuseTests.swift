import Foundation
import FxKit
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Synchronization
import Testing

/// Calls of a parser in a wrong order, or with wrong values.
struct SoundMisuseTests {
  private let bytes = contents(Fixture.audio("voice.mp3"))

  private func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ChainFailure)?.code ?? "another error"
    }
  }

  @Test func `twenty wrong uses throw a failure or do nothing`() throws {
    let ignore: (SoundParser.Event) -> Void = { _ in }
    let parser = SoundParser(byteCount: bytes.count)
    // Nothing was parsed.
    #expect(parser.place(ofFrame: 10) == nil)
    #expect(parser.place(ofPacket: -1) == nil)
    #expect(parser.properties == nil && parser.nextOffset == 0)
    #expect(code { try parser.parse([], ignore) } == nil)
    #expect(code { try parser.parse([], isDiscontinuous: true, ignore) } == nil)
    #expect(code { _ = try parser.seek(toFrame: -1) } == "out-of-range")
    #expect(code { _ = try parser.seek(toFrame: Int.max) } == "out-of-range")
    #expect(code { _ = try parser.seek(toFrame: Int.min, precision: .estimate) } == "out-of-range")
    // Before the properties are known, a seek asks for the header.
    #expect(try parser.seek(toFrame: 1000) == 0)
    #expect(try parser.seek(toFrame: 1000, precision: .estimate).offset == 0)
    // Bytes that are missing right behind a seek.
    #expect(code { try parser.parse(Array(bytes[..<9000]), isDiscontinuous: true, ignore) } == nil)
    #expect(code { try parser.finish(ignore) } == nil)
    #expect(code { try parser.finish(ignore) } == nil)
    #expect(code { try parser.parse(bytes, ignore) } == nil)
    #expect(parser.nextOffset == nil)
    // A seek after the end, and to the end.
    #expect(code { _ = try parser.seek(toFrame: 2000) } == nil)
    #expect(code { try parser.finish(ignore) } == nil)

    let whole = SoundParser(byteCount: bytes.count)
    try whole.parse(bytes, ignore)
    let length = try #require(whole.properties?.frameCount?.count)
    #expect(code { _ = try whole.seek(toFrame: length) } == nil)
    #expect(code { _ = try whole.seek(toFrame: length + 1) } == "out-of-range")
    #expect(whole.place(ofFrame: Int.max / 2) != nil && whole.place(ofByte: -5) != nil)
    // More bytes than were declared.
    let short = SoundParser(byteCount: 5000)
    #expect(code { try short.parse(bytes, ignore) } == nil)
    #expect(code { _ = try short.seek(toFrame: 90_000, ignore) } == nil)
    #expect(code { while let _ = short.nextOffset { try short.parse(bytes, ignore) } } == nil)
    // A stream without a length.
    let unknown = SoundParser()
    #expect(code { _ = try unknown.seek(toFrame: 0) } == "unreadable")
    for size in [0, -1, Int.min] {
      #expect(code { _ = try SoundParser(byteCount: size).seek(toFrame: 0) } == "unreadable")
    }
    // Nothing but the end.
    #expect(code { try unknown.finish(ignore) } == "empty")
    #expect(code { try unknown.finish(ignore) } == nil)
    // Text is no sound, behind a seek either.
    let text = SoundParser(hint: "nonsense/💥", byteCount: 300_000)
    let nonsense = [UInt8](repeating: 0x20, count: 150_000)
    #expect(code { try text.parse(nonsense, ignore) } == nil)
    #expect(code { try text.finish(ignore) } == "not-audio")
    #expect(code { try text.parse(nonsense, ignore) } == nil)
    #expect(code { _ = try text.seek(toFrame: 5) } == "not-audio")
  }

  @Test func `a call from the closure of a call is refused`() throws {
    let parser = SoundParser(byteCount: bytes.count)
    var codes: Set<String?> = []
    try parser.parse(bytes) { _ in
      codes.insert(code { try parser.parse(bytes) { _ in } })
      codes.insert(code { try parser.finish { _ in } })
      codes.insert(code { _ = try parser.seek(toFrame: 0) })
    }
    #expect(codes == ["usage"])
    #expect(code { try parser.finish { _ in } } == nil)
  }

  @Test func `two threads that use one parser get a failure at worst`() async throws {
    let parser = SoundParser(byteCount: bytes.count)
    let bytes = bytes
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for round in 0..<40 {
            do throws(ChainFailure) {
              switch (worker + round) % 4 {
              case 0: _ = try parser.seek(toFrame: 500 * round, precision: .estimate)
              case 1: try parser.finish { _ in }
              default: try parser.parse(Array(bytes[..<4000])) { _ in }
              }
            } catch {
              #expect(["usage", "empty", "not-audio", "truncated", "damaged"].contains(error.code))
            }
            _ = parser.place(ofFrame: round)
            _ = parser.properties
          }
        }
      }
    }
  }

  @Test func `a parser that is given up in the middle ends its threads`() throws {
    for _ in 0..<50 {
      let parser = SoundParser(byteCount: bytes.count)
      try parser.parse(Array(bytes[..<20_000])) { _ in }
      _ = try parser.seek(toFrame: 100_000)
    }
  }

  @Test func `facts can be stored as JSON and compared`() throws {
    func again<Value: Codable & Equatable>(_ value: Value) throws {
      #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
    }
    try again(try SoundInfo(path: Fixture.audio("voice.mp3")))
    try again(SoundParser.Seek(offset: 5, frame: 7, isExact: false))
    let parser = SoundParser(packetBytes: true)
    var packets: [SoundPacket] = []
    try parser.parse(bytes) { if case .packet(let packet) = $0 { packets.append(packet) } }
    try again(Array(packets.prefix(3)))
    try again(try #require(parser.place(ofFrame: 5000)))
    try again(try #require(parser.properties))
  }
}
