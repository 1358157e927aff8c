import FxAudio
import Synchronization

/// The packets of an MP4 file from one of them on, as a stream whose table of packets comes first.
/// So a decoder can begin at any packet of a file on a server, wherever its table is.
struct MP4Excerpt {
  private let reader: ByteReader
  private let movie: MP4Box
  private let track: MP4Track
  /// Packets that are decoded before the wanted frame, because a packet overlaps the ones before.
  private static let preRoll = 44

  /// nil if the packets are in fragments.
  init?(_ reader: ByteReader, _ movie: MP4Box, _ track: MP4Track) {
    guard movie.child("mvex") == nil, track.packetCount > 0 else { return nil }
    self.reader = reader
    self.movie = movie
    self.track = track
  }

  /// The first packets, which tell a decoder the format of the sound.
  func opening() -> any ByteStream {
    let packets = track.packets
    return PacketStream(reader, head: head(Array(packets.prefix(16))), packets, limit: 16)
  }

  /// The stream from some packets before a frame on.
  ///
  /// - Parameter frame: a played frame, in the track's units.
  /// - Returns: the stream, and its first frame, which is negative in the encoder's delay.
  func stream(fromFrame frame: Int) -> (stream: any ByteStream, firstFrame: Int) {
    var starts: [Int] = []
    var packets = track.packets
    var reached = 0
    var ahead = packets
    while let packet = ahead.next(), reached + packet.frameCount <= frame + track.delay {
      starts.append(reached)
      reached += packet.frameCount
    }
    let first = max(starts.count - MP4Excerpt.preRoll, 0)
    for _ in 0..<first { _ = packets.next() }
    let start = first < starts.count ? starts[first] : 0
    return (
      PacketStream(reader, head: head(Array(packets)), packets), start - track.delay
    )
  }

  private func head(_ packets: [MP4Packets.Packet]) -> [UInt8] {
    func make(_ offset: Int) -> [UInt8] {
      let type = MP4Excerpt.box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isom".utf8))
      let header = movie.child("mvhd").map { MP4Excerpt.box("mvhd", Array($0.content)) } ?? []
      return type + MP4Excerpt.box("moov", header + changed(track.box, packets, offset))
    }
    let size = packets.reduce(0) { $0 + $1.size }
    let data =
      FilePatch.big(0, 1, 4).bytes + Array("mdat".utf8) + FilePatch.big(0, size + 16, 8).bytes
    return make(make(0).count + data.count) + data
  }

  /// A box with the tables of other packets. The list of edits goes.
  private func changed(_ box: MP4Box, _ packets: [MP4Packets.Packet], _ offset: Int) -> [UInt8] {
    let containers: Set = ["trak", "mdia", "minf", "stbl"]
    guard containers.contains(box.kind) else {
      return MP4Excerpt.box(box.kind, Array(box.content))
    }
    let tables: Set = ["stts", "stsc", "stsz", "stz2", "stco", "co64", "ctts", "stss", "edts"]
    var content = box.children().filter { !tables.contains($0.kind) }
      .flatMap { changed($0, packets, offset) }
    if box.kind == "stbl" { content += MP4Excerpt.tables(packets, offset) }
    return MP4Excerpt.box(box.kind, content)
  }

  private static func tables(_ packets: [MP4Packets.Packet], _ offset: Int) -> [UInt8] {
    var runs: [(count: Int, frames: Int)] = []
    for packet in packets {
      if let last = runs.indices.last, runs[last].frames == packet.frameCount {
        runs[last].count += 1
      } else {
        runs.append((1, packet.frameCount))
      }
    }
    func table(_ kind: String, _ numbers: [Int]) -> [UInt8] {
      box(kind, ([0] + numbers).flatMap { FilePatch.big(0, $0, 4).bytes })
    }
    return table("stts", [runs.count] + runs.flatMap { [$0.count, $0.frames] })
      + table("stsc", [1, 1, packets.count, 1])
      + table("stsz", [0, packets.count] + packets.map(\.size))
      + table("stco", [1, offset])
  }

  private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    FilePatch.big(0, content.count + 8, 4).bytes + Array(kind.utf8) + content
  }
}

/// A header, then the bytes of packets.
private final class PacketStream: DerivedStream {
  let reader: ByteReader
  private var head: ArraySlice<UInt8>
  private var packets: MP4Packets
  private var packetsLeft: Int
  private var place = 0
  private var left = 0
  private let isStopped = Atomic<Bool>(false)

  init(_ reader: ByteReader, head: [UInt8], _ packets: MP4Packets, limit: Int = .max) {
    self.reader = reader
    packetsLeft = limit
    self.head = head[...]
    self.packets = packets
  }

  var byteCount: Int? { nil }
  var wasInterrupted: Bool { isStopped.load(ordering: .relaxed) || reader.wasInterrupted }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard head.isEmpty else {
      let part = head.prefix(count)
      part.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { target.copyMemory(from: start, byteCount: part.count) }
      }
      head = head.dropFirst(part.count)
      return part.count
    }
    guard !wasInterrupted else { return -1 }
    while left == 0 {
      guard packetsLeft > 0, let packet = packets.next() else { return 0 }
      packetsLeft -= 1
      place = packet.offset
      left = packet.size
    }
    guard reader.offset == place || reader.seek(to: place) else { return -1 }
    let got = reader.read(target, min(count, left))
    place += max(got, 0)
    left -= max(got, 0)
    return got
  }

  func seek(to offset: Int) -> Bool { false }

  /// Ends this stream alone: the next one reads from the same server.
  func interrupt() { isStopped.store(true, ordering: .relaxed) }
}
