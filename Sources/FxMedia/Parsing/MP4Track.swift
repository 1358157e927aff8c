/// The table of packets of a track in an MP4 file.
struct MP4Track {
  /// The number by which fragments name it.
  let number: Int
  let codec: String
  /// Units per second of the durations.
  let timescale: Int
  let channelCount: Int
  let bitsPerSample: Int?
  /// What a decoder needs besides the packets.
  let cookie: [UInt8]?
  let packetCount: Int
  /// Frames of all packets.
  let frameCount: Int
  /// Frames at the start that are not played (encoder delay).
  let delay: Int
  /// Frames that are played.
  let heardCount: Int
  /// Frames of every packet except perhaps the last; nil if packets differ.
  let constantDuration: Int?
  private let constantSize: Int
  private let sizes: [Int]
  fileprivate let durations: [(count: Int, frames: Int)]
  fileprivate let chunks: MP4Chunks

  /// The most packets that a table may have: a week of sound.
  private static let packetLimit = 1 << 26

  static func first(in movie: MP4Box) -> MP4Track? {
    let scale = movie.child("mvhd").map { $0.number($0.number(0, 1) == 1 ? 20 : 12, 4) } ?? 0
    for box in movie.children() where box.kind == "trak" {
      guard let media = box.child("mdia"), let handler = media.child("hdlr"),
        handler.content.text(8) == "soun"
      else { continue }
      return MP4Track(box, media, movieScale: scale)
    }
    return nil
  }

  /// The text track with the chapters of the first sound track (QuickTime).
  static func chapters(in movie: MP4Box) -> MP4Track? {
    let tracks = movie.children().filter { $0.kind == "trak" }
    guard let number = tracks.lazy.compactMap({ $0.child("tref", "chap")?.number(0, 4) }).first
    else {
      return nil
    }
    for box in tracks {
      guard let header = box.child("tkhd"), let media = box.child("mdia"),
        header.number(header.number(0, 1) == 1 ? 20 : 12, 4) == number
      else { continue }
      return MP4Track(box, media, movieScale: 0)
    }
    return nil
  }

  private init?(_ box: MP4Box, _ media: MP4Box, movieScale: Int) {
    guard let header = media.child("mdhd"), let table = media.child("minf", "stbl"),
      let description = table.child("stsd")?.children(from: 8).first,
      let sizeTable = table.child("stsz"), let timeTable = table.child("stts")
    else { return nil }
    self.box = box
    number = box.child("tkhd").map { $0.number($0.number(0, 1) == 1 ? 20 : 12, 4) } ?? 0
    timescale = header.number(header.number(0, 1) == 1 ? 20 : 12, 4)
    channelCount = max(description.number(16, 2), 1)
    let names = [
      "mp4a": "AAC", "alac": "ALAC", ".mp3": "MP3", "Opus": "Opus", "fLaC": "FLAC", "ac-3": "AC-3",
      "ec-3": "E-AC-3", "sowt": "PCM", "twos": "PCM", "lpcm": "PCM",
    ]
    codec = names[description.kind] ?? description.kind
    cookie = MP4Track.cookie(description)
    let bits = description.number(18, 2)
    bitsPerSample = ["ALAC", "FLAC", "PCM"].contains(codec) && bits > 0 ? bits : nil
    constantSize = sizeTable.number(4, 4)
    packetCount = sizeTable.number(8, 4)
    guard timescale > 0, timescale < 1 << 24, packetCount <= MP4Track.packetLimit else {
      return nil
    }
    let listed = constantSize == 0 ? packetCount : 0
    guard 12 + 4 * listed <= sizeTable.content.count else { return nil }
    sizes = (0..<listed).map { sizeTable.number(12 + 4 * $0, 4) }
    let runs = timeTable.number(4, 4)
    guard 8 + 8 * runs <= timeTable.content.count else { return nil }
    durations = (0..<runs).map {
      (timeTable.number(8 + 8 * $0, 4), timeTable.number(12 + 8 * $0, 4))
    }
    frameCount = durations.reduce(0) { $0 &+ $1.count &* $1.frames }
    guard (0..<1 << 48).contains(frameCount) else { return nil }
    constantDuration =
      durations.count == 1 || durations.count == 2 && durations[1].count == 1
      ? durations[0].frames : nil
    chunks = MP4Chunks(table)
    // The part of the track that is played: the edit list's, or all.
    let edits = box.child("edts", "elst")
    let isLong = edits?.number(0, 1) == 1
    var start = 0
    var length = frameCount
    var fragmentDelay = 0
    if let edits, edits.number(4, 4) == 1, movieScale > 0 {
      let duration = edits.number(8, isLong ? 8 : 4)
      start = edits.number(isLong ? 16 : 12, isLong ? 8 : 4)
      // In a fragmented file, these tables are empty.
      if frameCount == 0 { fragmentDelay = max(start, 0) }
      if start >= 0, start < frameCount {
        length = min(frameCount - start, MP4Track.scaled(duration, timescale, movieScale))
      }
      if duration == 0 { length = frameCount - start }
    }
    delay = start >= 0 && start < frameCount ? start : fragmentDelay
    heardCount = max(0, min(length, frameCount - delay))
  }

  /// The configuration in the description of the packets, behind its 28 bytes.
  private static func cookie(_ description: MP4Box) -> [UInt8]? {
    guard description.content.count > 28 else { return nil }
    for box in description.children(from: 28) {
      switch box.kind {
      case "esds": return configuration(Array(box.content.dropFirst(4)))
      case "alac": return Array(box.content.dropFirst(4))
      case "dfLa": return Array(box.content.dropFirst(8).prefix(FLACStreamInfo.byteCount))
      case "dOps": return Array(box.content)
      default: continue
      }
    }
    return nil
  }

  /// The configuration in nested descriptors (ISO/IEC 14496-1, section 7.2.6).
  private static func configuration(_ bytes: [UInt8]) -> [UInt8]? {
    var place = 0
    while place < bytes.count {
      let tag = bytes[place]
      place += 1
      var length = 0
      var isGoing = true
      while isGoing, place < bytes.count, length < 1 << 24 {
        length = length << 7 | Int(bytes[place] & 0x7f)
        isGoing = bytes[place] & 0x80 != 0
        place += 1
      }
      switch tag {
      case 3:
        // A number, and flags that are 0 in files.
        place += 3
      case 4: place += 13
      case 5: return place + length <= bytes.count ? Array(bytes[place..<place + length]) : nil
      default: place += length
      }
    }
    return nil
  }

  private static func scaled(_ value: Int, _ by: Int, _ over: Int) -> Int {
    let product = value.multipliedReportingOverflow(by: by)
    let rounded = product.partialValue.addingReportingOverflow(over / 2)
    return product.overflow || rounded.overflow ? Int.max : rounded.partialValue / over
  }

  /// Bytes of all packets.
  var byteCount: Int {
    constantSize > 0 ? constantSize * packetCount : sizes.reduce(0) { $0 &+ $1 }
  }

  /// The boxes that describe it.
  let box: MP4Box

  /// An iterator over the packets, starting with the first.
  var packets: MP4Packets { MP4Packets(self) }

  fileprivate func size(of packet: Int) -> Int { constantSize > 0 ? constantSize : sizes[packet] }
}

/// Where the packets are in the file: chunks hold runs of packets.
private struct MP4Chunks {
  let count: Int
  let runCount: Int
  private let places: MP4Box?
  private let runs: MP4Box?
  private let width: Int

  /// Has no chunks if the tables are missing or too short.
  init(_ table: MP4Box) {
    let isLong = table.child("co64") != nil
    width = isLong ? 8 : 4
    places = table.child(isLong ? "co64" : "stco")
    runs = table.child("stsc")
    let count = places?.number(4, 4) ?? 0
    let runCount = runs?.number(4, 4) ?? 0
    let isWhole =
      8 + width * count <= places?.content.count ?? 0
      && 8 + 12 * runCount <= runs?.content.count ?? 0
    self.count = isWhole ? count : 0
    self.runCount = runCount
  }

  func offset(of chunk: Int) -> Int { places?.number(8 + width * chunk, width) ?? 0 }

  /// The number of the first chunk of a run, counted from 1.
  func firstChunk(ofRun run: Int) -> Int { runs?.number(8 + 12 * run, 4) ?? 0 }

  func packetCount(ofRun run: Int) -> Int {
    run < runCount ? runs?.number(12 + 12 * run, 4) ?? 0 : 0
  }
}

/// The packets of a track, one after another. A small table can describe millions of packets, so no
/// list of them is made.
struct MP4Packets: Sequence, IteratorProtocol {
  struct Packet {
    let offset: Int
    let size: Int
    let frameCount: Int
  }

  private let track: MP4Track
  private var number = 0
  private var chunk = -1
  /// The run that the current chunk belongs to.
  private var run = 0
  private var leftInChunk = 0
  private var offset = 0
  /// The current run of equal durations, and its packets so far.
  private var durationRun = 0
  private var doneInRun = 0

  fileprivate init(_ track: MP4Track) { self.track = track }

  /// The next packet; nil at the end, or if the table gives a packet no place.
  mutating func next() -> Packet? {
    guard number < track.packetCount else { return nil }
    while leftInChunk == 0 {
      guard chunk + 1 < track.chunks.count else { return nil }
      chunk += 1
      while run + 1 < track.chunks.runCount, track.chunks.firstChunk(ofRun: run + 1) <= chunk + 1 {
        run += 1
      }
      offset = track.chunks.offset(of: chunk)
      leftInChunk = track.chunks.packetCount(ofRun: run)
    }
    let packet = Packet(
      offset: offset, size: track.size(of: number), frameCount: nextFrameCount())
    number += 1
    leftInChunk -= 1
    offset &+= packet.size
    return packet
  }

  private mutating func nextFrameCount() -> Int {
    if let constant = track.constantDuration, number < track.packetCount - 1 {
      doneInRun += 1
      return constant
    }
    while durationRun < track.durations.count, doneInRun >= track.durations[durationRun].count {
      doneInRun -= track.durations[durationRun].count
      durationRun += 1
    }
    guard durationRun < track.durations.count else { return 0 }
    doneInRun += 1
    return track.durations[durationRun].frames
  }
}
