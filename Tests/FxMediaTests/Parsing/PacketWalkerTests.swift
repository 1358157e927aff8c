import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Walking through packets without decoding them.
struct PacketWalkerTests {
  private let folder = TemporaryFolder()

  @Test(arguments: SampleFiles.names)
  func `the packets of a sound have as many frames as are decoded`(_ name: String) throws {
    let path = try SampleFiles.path(name, in: folder)
    let reader = ByteReader(try FileSource.byteStream(path))
    let kind = try DecoderCatalogue.kind(of: reader)
    let walker = try #require(try kind.walk?(reader))
    var packets: [SoundPacket] = []
    while case .packet(let packet) = try walker.next() { packets.append(packet) }
    let source = try FileSource.open(path)
    let decoded = try readAll(source)[0].count
    #expect(packets.reduce(0) { $0 + $1.frameCount } == decoded)
    #expect(walker.properties.frameCount == .init(count: decoded, certainty: .exact))
    #expect(walker.properties.packetCount?.count == packets.reduce(0) { $0 + $1.count })
    #expect(walker.properties.sampleRate == source.format.sampleRate)
    #expect(walker.properties.channelCount == source.format.channelCount)
    #expect(walker.properties.discontinuityCount == 0)
    #expect(walker.properties.dataOffset == packets.first?.offset)
    for (packet, following) in zip(packets, packets.dropFirst()) {
      #expect(following.offset >= packet.offset)
      #expect(following.frame == packet.frame + packet.frameCount)
      #expect(following.number == packet.number + packet.count)
    }
  }

  @Test(arguments: SampleFiles.names)
  func `a quick inspection gives the length that a walk counts`(_ name: String) throws {
    let path = try SampleFiles.path(name, in: folder)
    let quick = try SoundInspector.inspect(path, isExact: false).properties
    let exact = try SoundInspector.inspect(path, isExact: true).properties
    let length = try #require(quick.frameCount)
    #expect(quick.bitRate != nil)
    if length.certainty == .estimated {
      let error = Double(length.count) / Double(exact.frameCount?.count ?? 0) - 1
      #expect(abs(error) < 0.1)
    } else {
      #expect(length.count == exact.frameCount?.count)
    }
  }

  @Test func `frame numbers of Ogg never go back at a middle page that is marked as the last`()
    throws
  {
    let path = try SampleFiles.path("a.opus", in: folder)
    var bytes = contents(path)
    // Every page but the headers is marked as the last of its stream and made shorter.
    var place = 0
    var number = 0
    while place + 27 < bytes.count {
      let body = place + 27 + Int(bytes[place + 26])
      let end = bytes[place + 27..<body].reduce(body) { $0 + Int($1) }
      if number > 1 {
        bytes[place + 5] |= 4
        bytes.replaceSubrange(place + 6..<place + 14, with: [1, 2, 0, 0, 0, 0, 0, 0])
        bytes.replaceSubrange(place + 22..<place + 26, with: [0, 0, 0, 0])
        let sum = CyclicSum.oggPage(Array(bytes[place..<end]))
        bytes.replaceSubrange(
          place + 22..<place + 26, with: FilePatch.little(0, Int(sum), 4).bytes)
      }
      place = end
      number += 1
    }
    let walker = try OggWalker(ByteReader(MemoryStream(bytes, name: "odd")))
    var frame = 0
    while case .packet(let packet) = try walker.next() {
      #expect(packet.frame >= frame)
      frame = packet.frame + packet.frameCount
    }
    #expect(number > 3 && (walker.properties.frameCount?.count ?? 0) >= 0)
  }

  @Test(arguments: [2, 6, 40])
  func `frame numbers of MPEG audio never go back where a tag trims more than the last packet`(
    _ tagged: Int
  ) throws {
    // Silent frames of 44.1 kHz after a tag, then some of 48 kHz.
    var tag: [UInt8] = [0xff, 0xfb, 0x90, 0] + [UInt8](repeating: 0, count: 413)
    tag.replaceSubrange(36..<48, with: Array("Xing".utf8) + [0, 0, 0, 1, 0, 0, 0, UInt8(tagged)])
    tag.replaceSubrange(48..<57, with: Array("LAME3.100".utf8))
    // 576 samples in front, 4095 at the end.
    tag.replaceSubrange(69..<72, with: [0x24, 0x0f, 0xff])
    let frame: [UInt8] = [0xff, 0xfb, 0x90, 0] + [UInt8](repeating: 0, count: 413)
    let other: [UInt8] = [0xff, 0xfb, 0x94, 0] + [UInt8](repeating: 0, count: 380)
    let bytes =
      tag + Array(repeating: frame, count: 8).flatMap { $0 }
      + Array(repeating: other, count: 8).flatMap { $0 }
    let walker = try MPEGWalker(ByteReader(MemoryStream(bytes, name: "odd")))
    var reached = 0
    var count = 0
    walk: while true {
      switch try walker.next() {
      case .packet(let packet):
        #expect(packet.frame >= reached)
        reached = packet.frame
        count += 1
      case .discontinuity: continue
      case .end: break walk
      }
    }
    #expect(count == 16)
    // The first sound has 8 frames.
    #expect(walker.properties.discontinuityCount == (tagged > 8 ? 1 : 0))
    #expect(walker.properties.laterSoundCount == 1)
    #expect(walker.properties.frameCount?.count ?? 0 >= reached)
  }

  @Test func `bit rates state how they were determined`() throws {
    func kind(_ name: String) throws -> SoundProperties.BitRate.Kind? {
      try SoundInspector.inspect(Fixture.audio(name), isExact: false).properties.bitRate?.kind
    }
    #expect(try kind("voice.mp3") == .constant)
    #expect(try kind("mono-vbr.mp3") == .variable)
  }

  @Test(arguments: SampleFiles.names)
  func `a walk continues after damage`(_ name: String) throws {
    let bytes = contents(try SampleFiles.path(name, in: folder))
    for seed in 0..<24 {
      var damaged = bytes
      var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 1
      func random(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(limit, 1)
      }
      for _ in 0..<(1 + seed) { damaged[random(damaged.count)] = UInt8(random(256)) }
      if seed % 3 == 0 { damaged.removeLast(random(damaged.count)) }
      if seed % 4 == 0 { damaged.removeSubrange(random(damaged.count / 2)..<damaged.count / 2) }
      let reader = ByteReader(MemoryStream(damaged, name: "damaged"))
      guard let kind = try? DecoderCatalogue.kind(of: reader), let walker = try? kind.walk?(reader)
      else { continue }
      var steps = 0
      walk: while steps < 100_000 {
        steps += 1
        guard let step = try? walker.next() else { break }
        if case .end = step { break walk }
      }
      #expect(steps < 100_000)
    }
  }

  @Test func `a W64 file with a chunk of the smallest integer size is damaged`() {
    let size = [UInt8](repeating: 0, count: 7) + [0x80]
    let bytes = Array("riff".utf8) + [UInt8](repeating: 1, count: 36 + 16) + size + [0, 0]
    let error = #expect(throws: Failure.self) {
      try PCMWalker(ByteReader(MemoryStream(bytes, name: "short.w64")))
    }
    #expect(error?.code == .damaged)
  }

  @Test func `a movie whose table follows the sound cannot be streamed`() throws {
    func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      FilePatch.big(0, content.count + 8, 4).bytes + Array(kind.utf8) + content
    }
    let movie = box("ftyp", Array("M4A ".utf8)) + box("mdat", [1, 2, 3, 4]) + box("moov", [])
    let reader = ByteReader(MemoryStream(movie, name: "movie"))
    reader.readForwardOnly()
    #expect(ioError { _ = try MP4Walker(reader) }?.code == .headerAtEnd)
  }

  private func movie(_ movie: MovieBytes) throws -> MP4Walker {
    try MP4Walker(ByteReader(MemoryStream(movie.bytes, name: "movie")))
  }

  @Test(arguments: [Int.max, Int.max / 44100, Int.max / 44100 - 1])
  func `an edit list of any length does not change the number of frames`(_ length: Int) throws {
    let walker = try movie(MovieBytes(editedLength: length))
    #expect(walker.properties.frameCount?.count == 10_240)
  }

  @Test func `a walk through a movie ends with the file, however many packets it claims`() throws {
    let count = 1 << 26
    let made = MovieBytes(packetCount: count, durations: [(count, 1)])
    let walker = try movie(made)
    #expect(walker.properties.packetCount?.count == count)
    #expect(walker.properties.dataOffset == 600)
    var found = 0
    while case .packet(let packet) = try walker.next() {
      #expect(packet.offset == 600 + found && packet.frame == found)
      found += 1
    }
    #expect(found == made.bytes.count - 600)
    #expect(walker.properties.packetCount?.count == found)
  }

  @Test func `packets of a movie have the frame count of their run`() throws {
    let walker = try movie(
      MovieBytes(packetCount: 7, durations: [(2, 3), (0, 9), (1, 5), (3, 1)]))
    var frames: [Int] = []
    while case .packet(let packet) = try walker.next() { frames.append(packet.frameCount) }
    #expect(frames == [3, 3, 5, 1, 1, 1, 0])
  }

  @Test func `a movie in which every packet has a different length is walked in one pass`() throws {
    let count = 60_000
    let durations = (0..<count).map { (count: 1, frames: 1 + $0 % 2) }
    let walker = try movie(MovieBytes(packetCount: count, durations: durations))
    var (found, end) = (0, 0)
    var isJoined = true
    let time = try ContinuousClock().measure {
      while case .packet(let packet) = try walker.next() {
        isJoined = isJoined && packet.frame == end && packet.frameCount == 1 + found % 2
        end += packet.frameCount
        found += 1
      }
    }
    #expect(isJoined && found == count)
    #expect(time < .seconds(10))
  }

  @Test(arguments: ["a.opus", "a.ogg"])
  func `chained Ogg streams that claim an impossible length are walked to their end`(
    _ name: String
  ) throws {
    let pages = OggPages.split(contents(try SampleFiles.path(name, in: folder)))
    var bytes: [UInt8] = []
    for link in 0..<200 {
      for page in pages.dropLast().prefix(3) {
        bytes += OggPages.changed(page, serial: 1000 + link)
      }
      bytes += OggPages.changed(pages[pages.count - 1], granule: (1 << 56) - 1, serial: 1000 + link)
    }
    let walker = try OggWalker(ByteReader(MemoryStream(bytes, name: "links")))
    var frame = 0
    walk: while true {
      switch try walker.next() {
      case .packet(let packet):
        #expect(packet.frame >= frame)
        frame = packet.frame + packet.frameCount
      case .discontinuity: break
      case .end: break walk
      }
    }
    let count = try #require(walker.properties.frameCount?.count)
    #expect((1 << 55..<1 << 57).contains(count))
  }
}
