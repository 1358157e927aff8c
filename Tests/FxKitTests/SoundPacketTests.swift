import Foundation
import FxKit
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// What a parser says of packets, formats and lengths.
struct SoundPacketTests {
  private let folder = TemporaryFolder()

  private func parse(
    _ bytes: [UInt8], packetBytes: Bool = true, byteCount: Int? = nil, end: Int? = nil
  ) throws -> (packets: [SoundPacket], properties: [SoundProperties]) {
    let parser = SoundParser(byteCount: byteCount, decodes: false, packetBytes: packetBytes)
    var packets: [SoundPacket] = []
    var properties: [SoundProperties] = []
    func take(_ event: SoundParser.Event) {
      if case .packet(let packet) = event { packets.append(packet) }
      if case .properties(let known) = event { properties.append(known) }
    }
    for start in stride(from: 0, to: end ?? bytes.count, by: 1500) {
      try parser.parse(Array(bytes[start..<min(start + 1500, end ?? bytes.count)]), take)
    }
    if end == nil { try parser.finish(take) }
    return (packets, properties)
  }

  @Test(arguments: SampleFiles.names)
  func `packets have their bytes if they are wanted`(_ name: String) throws {
    let bytes = contents(try SampleFiles.path(name, in: folder))
    let packets = try parse(bytes).packets
    #expect(!packets.isEmpty)
    let isOgg = name.hasSuffix(".ogg") || name.hasSuffix(".opus")
    for packet in packets {
      let content = try #require(packet.bytes)
      #expect(content.count == packet.byteCount)
      // Pages of Ogg have heads between the packets.
      let isThere = isOgg || content == Array(bytes[packet.offset...].prefix(packet.byteCount))
      #expect(isThere)
    }
    let plain = try parse(bytes, packetBytes: false).packets
    #expect(plain.count == packets.count && plain.allSatisfy { $0.bytes == nil })
  }

  @Test func `the magic cookie is what a decoder of the packets needs`() throws {
    func cookie(_ name: String) throws -> [UInt8] {
      let bytes = contents(try SampleFiles.path(name, in: folder))
      return try #require(try parse(bytes).properties.last?.magicCookie)
    }
    let flac = try cookie("a.flac")
    #expect(flac == Array(contents(folder.file("a.flac"))[8..<42]))
    #expect(try cookie("a.opus").starts(with: "OpusHead".utf8))
    let vorbis = try cookie("a.ogg")
    #expect(vorbis[0] == 2 && vorbis[1] == 30)
    let lengths = vorbis.dropFirst(2).prefix { $0 == 255 }.count + 3
    #expect(Array(vorbis[lengths...].prefix(7)) == [1] + Array("vorbis".utf8))
    #expect(vorbis.count > 1000)
    #expect(try parse(contents(Fixture.audio("voice.mp3"))).properties.last?.magicCookie == nil)
  }

  @Test func `AAC in ADTS has a configuration, and at a low rate perhaps a second format`() throws {
    // Two frames of AAC LC, mono, 24 kHz.
    let frame: [UInt8] =
      [0xff, 0xf1, 0x58, 0x40, 0x02, 0x1f, 0xfc] + [UInt8](repeating: 0, count: 9)
    let known = try parse(Array(repeating: frame, count: 8).flatMap { $0 }).properties.last
    #expect(known?.magicCookie == [0x13, 0x08])
    #expect(
      known?.formats.map { [$0.codec, "\(Int($0.sampleRate))", "\($0.isCertain)"] } == [
        ["AAC", "24000", "true"], ["HE-AAC", "48000", "false"],
      ])
  }

  @Test(
    arguments: [
      ([0x12, 0x10], 44100, 2, []),
      // Object type 5: 24 kHz, which becomes 48 kHz.
      ([0x2b, 0x09, 0x88, 0x00], 24000, 1, ["HE-AAC 48000 1"]),
      // Object type 29, with parametric stereo.
      ([0xeb, 0x09, 0x88, 0x00], 24000, 1, ["HE-AAC 48000 1", "HE-AAC v2 48000 2"]),
      // The same extension behind a plain configuration.
      ([0x13, 0x08, 0x56, 0xe5, 0x98], 24000, 1, ["HE-AAC 48000 1"]),
      ([0xff], 0, 0, []),
    ] as [([UInt8], Int, Int, [String])])
  func `the configuration of AAC lists the formats`(
    _ bytes: [UInt8], _ rate: Int, _ channels: Int, _ richer: [String]
  ) throws {
    let config = AudioSpecificConfig(bytes)
    #expect((config?.sampleRate ?? 0) == rate && (config?.channelCount ?? 0) == channels)
    let texts = config?.richerFormats.map { "\($0.codec) \(Int($0.sampleRate)) \($0.channelCount)" }
    #expect((texts ?? []) == richer)
  }

  @Test(arguments: ["no-tag.mp3", "a.opus", "a.ogg"])
  func `the length is estimated from the bit rate, and replaced by the counted one`(
    _ name: String
  ) throws {
    let bytes = contents(try SampleFiles.path(name, in: folder))
    let known = try parse(bytes, byteCount: bytes.count).properties
    let first = try #require(known.first { $0.frameCount != nil }?.frameCount)
    let last = try #require(known.last?.frameCount)
    #expect(first.certainty == .estimated && last.certainty == .exact)
    #expect(abs(Double(first.count) / Double(last.count) - 1) < 0.6)
    // Not one event for each packet.
    #expect(known.count < 40)
    for (one, next) in zip(known, known.dropFirst()) { #expect(one != next) }
    // It is there before much was read.
    let early = try parse(bytes, byteCount: bytes.count, end: bytes.count * 3 / 5).properties
    #expect(early.contains { $0.duration != nil })
    #expect(try parse(bytes).properties.dropLast().allSatisfy { $0.frameCount == nil })
  }
}
