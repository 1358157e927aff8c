/// The packets of a fragmented MP4 file: each fragment, `moof`, has its own table (ISO/IEC 14496-12,
/// section 8.8).
struct MP4Fragments {
  typealias Packet = MP4Packets.Packet

  private struct Defaults {
    var duration = 0
    var size = 0
  }

  private let track: Int
  private let defaults: Defaults
  private let boxes: MP4BoxReader
  /// The runs of the current fragment that were not read yet.
  private var ready: [Packet] = []
  private var following = 0

  /// nil if the movie's packets are not in fragments.
  init?(_ movie: MP4Box, track: Int, _ boxes: MP4BoxReader) {
    guard let extends = movie.child("mvex") else { return nil }
    var defaults = Defaults()
    for box in extends.children() where box.kind == "trex" && box.number(4, 4) == track {
      defaults = Defaults(duration: box.number(12, 4), size: box.number(16, 4))
    }
    self.track = track
    self.defaults = defaults
    self.boxes = boxes
  }

  /// The next packet; nil at the end.
  mutating func next() -> Packet? {
    while following >= ready.count {
      guard let (box, offset) = boxes.next(["moof"]) else { return nil }
      ready = packets(of: box, at: offset)
      following = 0
    }
    defer { following += 1 }
    return ready[following]
  }

  private func packets(of fragment: MP4Box, at offset: Int) -> [Packet] {
    var packets: [Packet] = []
    for box in fragment.children() where box.kind == "traf" {
      guard let header = box.child("tfhd"), header.number(4, 4) == track else { continue }
      let flags = header.number(1, 3)
      var place = 8
      func take(_ flag: Int, _ width: Int) -> Int? {
        guard flags & flag != 0 else { return nil }
        defer { place += width }
        return header.number(place, width)
      }
      let base = take(0x1, 8) ?? offset
      _ = take(0x2, 4)
      let run = Defaults(
        duration: take(0x8, 4) ?? defaults.duration, size: take(0x10, 4) ?? defaults.size)
      var reached = base
      for child in box.children() where child.kind == "trun" {
        packets += MP4Fragments.packets(ofRun: child, run, base: base, &reached)
      }
    }
    return packets
  }

  private static func packets(
    ofRun box: MP4Box, _ defaults: Defaults, base: Int, _ reached: inout Int
  ) -> [Packet] {
    let flags = box.number(1, 3)
    let width = [0x100, 0x200, 0x400, 0x800].reduce(0) { $0 + (flags & $1 != 0 ? 4 : 0) }
    var place = 8
    if flags & 0x1 != 0 {
      // The offset is a signed number.
      reached = base &+ Int(Int32(truncatingIfNeeded: box.number(place, 4)))
      place += 4
    }
    if flags & 0x4 != 0 { place += 4 }
    // Rows without content are as many as the file has bytes at most.
    let rows = width > 0 ? max(box.content.count - place, 0) / width : 1 << 20
    return (0..<min(box.number(4, 4), rows)).map { row in
      let start = place + row * width
      let duration = flags & 0x100 != 0 ? box.number(start, 4) : defaults.duration
      let size =
        flags & 0x200 != 0 ? box.number(start + (flags & 0x100 != 0 ? 4 : 0), 4) : defaults.size
      defer { reached = reached &+ size }
      return Packet(offset: reached, size: size, frameCount: duration)
    }
  }
}
