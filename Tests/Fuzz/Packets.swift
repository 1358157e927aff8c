/// The packets of sounds of every format: a walk ends, and goes forward only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let number = Int(first & 0x7f) % 6
  let sound = Array(bytes.dropFirst())
  let reader = ByteReader(MemoryStream(number == 2 ? summed(sound) : sound, name: "fuzz"))
  if first & 0x80 != 0 { reader.readForwardOnly() }
  guard let walker = try? walker(number, reader) else { return 0 }
  check(walker.properties)
  var packets = PacketMap()
  var last = SoundPacket(number: -1, offset: 0, byteCount: 0, frame: 0, frameCount: 0)
  var steps = 0
  walk: while let step = try? walker.next() {
    steps += 1
    precondition(steps <= 1 << 22, "the walk does not end")
    switch step {
    case .end: break walk
    case .discontinuity(let offset): precondition(offset >= 0)
    case .packet(let packet):
      precondition(packet.number > last.number && packet.count >= 1)
      precondition(packet.offset >= 0 && packet.byteCount >= 0)
      precondition(packet.frame >= last.frame && packet.frameCount >= 0)
      last = packet
      packets.add(packet)
    }
  }
  check(walker.properties)
  _ = packets.place(ofFrame: last.frame / 2)
  _ = packets.place(ofByte: last.offset)
  return 0
}

private func walker(_ number: Int, _ reader: ByteReader) throws(Failure) -> any PacketWalker {
  switch number {
  case 0: try MPEGWalker(reader)
  case 1: try FLACWalker(reader)
  case 2: try OggWalker(reader)
  case 3: try PCMWalker(reader)
  case 4: try AACWalker(reader)
  default: try MP4Walker(reader)
  }
}

private func check(_ properties: SoundProperties) {
  precondition((properties.frameCount?.count ?? 0) >= 0)
  precondition((properties.packetCount?.count ?? 0) >= 0)
  precondition((properties.dataOffset ?? 0) >= 0)
  precondition((properties.duration ?? 0) >= 0)
}

/// Pages of Ogg with the sums that they should have: chance does not find them.
private func summed(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var place = 0
  while place + 27 <= bytes.count {
    guard bytes[place...].starts(with: "OggS".utf8) else {
      place += 1
      continue
    }
    let body = place + 27 + Int(bytes[place + 26])
    guard body <= bytes.count else { break }
    let end = bytes[place + 27..<body].reduce(body) { $0 + Int($1) }
    guard end <= bytes.count else { break }
    bytes.replaceSubrange(place + 22..<place + 26, with: [0, 0, 0, 0])
    let sum = CyclicSum.oggPage(Array(bytes[place..<end]))
    bytes.replaceSubrange(place + 22..<place + 26, with: FilePatch.little(0, Int(sum), 4).bytes)
    place = end
  }
  return bytes
}
