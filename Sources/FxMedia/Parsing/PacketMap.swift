/// A position in a sound, in packets, frames and bytes.
public struct SoundPlace: Sendable, Hashable, Codable {
  public let packet: Int
  public let frame: Int
  public let offset: Int
  /// True if a packet begins at `offset`; otherwise the position is an estimate.
  public let isExact: Bool
}

/// The positions of a sound's packets, as far as it was read: all packets of a short sound, some
/// packets of a long one.
package struct PacketMap: Sendable {
  private var places: [SoundPlace] = []
  /// One in `step` packets is kept.
  private var step = 1
  private var last: SoundPacket?
  private var byteTotal = 0
  private static let limit = 1 << 14

  package init() {}

  package mutating func add(_ packet: SoundPacket) {
    last = packet
    byteTotal += packet.byteCount
    guard packet.number % step == 0 || packet.count > 1 else { return }
    places.append(
      SoundPlace(
        packet: packet.number, frame: packet.frame, offset: packet.offset, isExact: true))
    guard places.count > PacketMap.limit else { return }
    places = places.indices.filter { $0 % 2 == 0 }.map { places[$0] }
    step *= 2
  }

  /// The last known place at or before a frame. Beyond the packets read so far the place is an
  /// estimate. nil before the first packet.
  package func place(ofFrame frame: Int) -> SoundPlace? { place(frame, \.frame, end?.frame) }

  /// The same for a packet.
  package func place(ofPacket packet: Int) -> SoundPlace? { place(packet, \.packet, end?.packet) }

  /// The last known place at or before a packet, however far away; nil before the first packet.
  func known(beforePacket packet: Int) -> SoundPlace? { place(packet, \.packet, Int.max) }

  /// The same for a byte.
  package func place(ofByte offset: Int) -> SoundPlace? { place(offset, \.offset, end?.offset) }

  /// The place after the last packet.
  private var end: SoundPlace? {
    last.map {
      SoundPlace(
        packet: $0.number + $0.count, frame: $0.frame + $0.frameCount,
        // Many packets of Ogg begin in one page, and have its offset.
        offset: max($0.offset + $0.byteCount, (places.first?.offset ?? 0) + byteTotal),
        isExact: true)
    }
  }

  private func place(_ value: Int, _ key: (SoundPlace) -> Int, _ limit: Int?) -> SoundPlace? {
    guard let first = places.first, let end, let limit else { return nil }
    guard value >= limit else {
      var low = 0
      var high = places.count
      while high - low > 1 {
        let middle = (low + high) / 2
        if key(places[middle]) <= value { low = middle } else { high = middle }
      }
      return places[low]
    }
    // Assumes the mean size and duration of the packets so far.
    let share = Double(value - key(first)) / Double(max(limit - key(first), 1))
    func scaled(_ from: Int, _ to: Int) -> Int { from + Int((Double(to - from) * share).rounded()) }
    return SoundPlace(
      packet: scaled(first.packet, end.packet), frame: scaled(first.frame, end.frame),
      offset: scaled(first.offset, end.offset), isExact: value == limit)
  }
}
