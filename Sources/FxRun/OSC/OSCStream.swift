import Glibc

/// A connection that carries packets, each after its length: OSC over TCP. On the server's thread.
final class OSCStream {
  let descriptor: Int32
  let peer: OSCPeer
  private var received: [UInt8] = []
  private var unsent = UnsentBytes()
  private(set) var isOver = false

  private static let longestPacket = 65536
  /// The bytes that a client may leave unread.
  private static let unsentLimit = 1 << 20

  init(_ descriptor: Int32, number: Int) {
    self.descriptor = descriptor
    peer = .connection(number)
  }

  deinit { close(descriptor) }

  /// The `poll` events to wait for.
  var awaited: Int16 { Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT) }

  /// Reads what has come.
  ///
  /// - Returns: the packets that are complete.
  func read() -> [[UInt8]] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { isOver = true }
      return []
    }
    received += buffer[..<count]
    var packets: [[UInt8]] = []
    while received.count >= 4 {
      let length = received[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= Self.longestPacket, length % 4 == 0 else {
        // Whatever follows cannot be read any more.
        isOver = true
        break
      }
      guard received.count >= 4 + length else { break }
      packets.append(Array(received[4..<4 + length]))
      received.removeFirst(4 + length)
    }
    return packets
  }

  /// Queues a packet.
  func send(_ packet: [UInt8]) {
    guard unsent.count + packet.count <= Self.unsentLimit else {
      isOver = true
      return
    }
    unsent.append(OSCMessage.bytes(of: UInt32(packet.count)) + packet)
  }

  /// Sends as much as the client accepts without waiting.
  func flush() {
    if !isOver, !unsent.send(to: descriptor) { isOver = true }
  }
}
