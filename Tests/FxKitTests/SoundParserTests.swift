import FxKit
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// A parser that receives its bytes piece by piece.
struct SoundParserTests {
  private let folder = TemporaryFolder()

  /// The output of a parser for bytes in pieces of one size.
  private func parse(
    _ bytes: [UInt8], piece: Int, wishes: SoundParser.Wishes = [.packets, .audio]
  ) throws -> (channels: [[Float]], packets: [SoundPacket], properties: SoundProperties?) {
    let parser = SoundParser(name: "stream", wishes: wishes)
    var channels: [[Float]] = []
    var packets: [SoundPacket] = []
    func take(_ event: SoundParser.Event) {
      switch event {
      case .audio(let frame, let block):
        if channels.isEmpty { channels = block.map { _ in [] } }
        #expect(frame == channels[0].count)
        for (channel, samples) in block.enumerated() { channels[channel] += samples }
      case .packet(let packet): packets.append(packet)
      default: break
      }
    }
    var place = 0
    while place < bytes.count {
      try parser.parse(Array(bytes[place..<min(place + piece, bytes.count)]), take)
      place += piece
    }
    try parser.finish(take)
    return (channels, packets, parser.properties)
  }

  @Test(arguments: SampleFiles.names, [97, 4096, 1 << 20])
  func `pieces of any size give the sound of the file`(_ name: String, _ piece: Int) throws {
    let path = try SampleFiles.path(name, in: folder)
    let expected = try readAll(try FileSource.open(path))
    let parsed = try parse(contents(path), piece: piece)
    let isSame = parsed.channels == expected
    #expect(isSame)
    #expect(parsed.properties?.frameCount?.count == expected[0].count)
    #expect(parsed.packets.last.map { $0.frame + $0.frameCount } == expected[0].count)
  }

  @Test(arguments: SampleFiles.names)
  func `a seek gives the samples of a full decode, at any place`(
    _ name: String
  ) throws {
    let path = try SampleFiles.path(name, in: folder)
    let bytes = contents(path)
    let expected = try readAll(try FileSource.open(path))
    let parser = SoundParser(name: name, byteCount: bytes.count, wishes: .audio)
    var state: UInt64 = 11
    for _ in 0..<12 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let frame = Int(state >> 33) % expected[0].count
      var got: [[Float]] = []
      var start: Int?
      func take(_ event: SoundParser.Event) {
        guard case .audio(let frame, let channels) = event else { return }
        start = start ?? frame
        got = got.isEmpty ? channels : zip(got, channels).map { $0 + $1 }
      }
      _ = try parser.seek(toFrame: frame, take)
      while got.first?.count ?? 0 < 500, let offset = parser.nextOffset, offset < bytes.count {
        try parser.parse(Array(bytes[offset..<min(offset + 3000, bytes.count)]), take)
      }
      if got.isEmpty { try parser.finish(take) }
      #expect(start == frame)
      for (channel, samples) in got.enumerated() {
        let end = min(frame + samples.count, expected[0].count)
        let isSame = samples == Array(expected[channel][frame..<end])
        #expect(isSame)
      }
    }
  }

  @Test func `places of frames, packets and bytes convert both ways`() throws {
    let bytes = contents(Fixture.audio("voice.mp3"))
    let parser = SoundParser(name: "voice", byteCount: bytes.count, wishes: .packets)
    var packets: [SoundPacket] = []
    try parser.parse(Array(bytes[..<60000])) {
      if case .packet(let packet) = $0 { packets.append(packet) }
    }
    for packet in packets where packet.frameCount > 0 {
      let place = SoundPlace(
        packet: packet.number, frame: packet.frame, offset: packet.offset, isExact: true)
      #expect(parser.place(ofPacket: packet.number) == place)
      #expect(parser.place(ofByte: packet.offset + packet.byteCount - 1) == place)
      #expect(parser.place(ofFrame: packet.frame + packet.frameCount - 1) == place)
    }
    // After the parsed bytes: estimated by the mean of the packets so far.
    let whole = try SoundInspector.inspect(Fixture.audio("voice.mp3"), isExact: true).properties
    let last = try #require(parser.place(ofFrame: whole.frameCount?.count ?? 0))
    #expect(!last.isExact)
    #expect(abs(Double(last.offset) / Double(bytes.count) - 1) < 0.02)
  }

  @Test func `properties are known as soon as their bytes have arrived`() throws {
    let bytes = contents(Fixture.audio("voice.mp3"))
    let parser = SoundParser(name: "voice", wishes: .packets)
    var known: Int?
    for place in stride(from: 0, to: 20000, by: 100) {
      try parser.parse(Array(bytes[place..<place + 100])) { _ in }
      if parser.properties?.frameCount != nil { known = known ?? place }
    }
    // The information frame follows the tag. It is recognized only with the frames after it.
    #expect(try #require(known) < 4000)
    #expect(parser.properties?.frameCount?.certainty == .declared)
  }

  @Test func `bytes that no thread reads can be cancelled`() {
    PushedBytes(name: "idle", byteCount: nil).cancel()
  }

  @Test func `an empty stream and text are refused with different codes`() throws {
    let empty = SoundParser(name: "empty", wishes: [.packets, .audio])
    #expect(failure { try empty.finish { _ in } }?.code == "empty")
    let text = SoundParser(name: "text", wishes: .audio)
    let error = failure {
      try text.parse(Array(repeating: 0x20, count: 5000)) { _ in }
      try text.finish { _ in }
    }
    #expect(error?.code == "not-audio")
  }
}
