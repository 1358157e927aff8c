import Glibc

@testable import FxRun

/// Sends OSC messages to a port of this computer and receives answers.
final class OSCClient {
  let port: UInt16
  private let descriptor: Int32
  private let isStream: Bool
  private var received: [UInt8] = []

  struct Failure: Error {}

  init(_ port: UInt16, isStream: Bool = false) throws {
    self.port = port
    self.isStream = isStream
    descriptor = socket(AF_INET, Int32((isStream ? SOCK_STREAM : SOCK_DGRAM).rawValue), 0)
    guard Self.with(port, { connect(descriptor, $0, $1) }) == 0 else { throw Failure() }
  }

  deinit { close(descriptor) }

  /// A port that nobody uses.
  static func freePort() throws -> UInt16 {
    let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(probe) }
    guard with(0, { bind(probe, $0, $1) }) == 0 else { throw Failure() }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(probe, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func with(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func send(raw bytes: [UInt8]) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func send(_ message: OSCMessage) { send(packet: message.bytes) }

  func send(bundle seconds: Double, _ messages: [OSCMessage]) {
    var bytes = Array("#bundle\0".utf8) + OSCMessage.bytes(of: OSCTime(seconds: seconds).bits)
    for message in messages {
      bytes += OSCMessage.bytes(of: UInt32(message.bytes.count)) + message.bytes
    }
    send(packet: bytes)
  }

  private func send(packet: [UInt8]) {
    send(raw: isStream ? OSCMessage.bytes(of: UInt32(packet.count)) + packet : packet)
  }

  /// Sends a message and waits for the next one with its address, or for an error.
  func ask(_ address: String, _ arguments: [OSCMessage.Argument] = []) -> OSCMessage? {
    send(OSCMessage(address, arguments))
    return receive { $0.address == address || $0.address == "/fxrun/error" }
  }

  /// The next message that fits; nil if none comes.
  func receive(seconds: Double = 10, where fits: (OSCMessage) -> Bool) -> OSCMessage? {
    var left = seconds
    while left > 0 {
      guard let packet = packet(wait: 0.05) else {
        left -= 0.05
        continue
      }
      if packet.isEmpty { return nil }
      if case .message(let message)? = try? OSCPacket(packet), fits(message) { return message }
    }
    return nil
  }

  /// Takes what has come.
  func drain() {
    while packet(wait: 0.15) != nil {}
  }

  /// The next packet; nil if none comes in time, empty if the connection has ended.
  private func packet(wait: Double) -> [UInt8]? {
    while true {
      if isStream, received.count >= 4 {
        let length = received[..<4].reduce(0) { $0 << 8 | Int($1) }
        if received.count >= 4 + length {
          defer { received.removeFirst(4 + length) }
          return Array(received[4..<4 + length])
        }
      }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, Int32(wait * 1000)) > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return [] }
      guard isStream else { return Array(buffer[..<count]) }
      received += buffer[..<count]
    }
  }
}

extension OSCTime {
  /// - Parameter seconds: of the system's clock, from 1970.
  init(seconds: Double) {
    // NTP counts from 1900.
    let whole = (seconds + 2_208_988_800).rounded(.down)
    let fraction = (seconds + 2_208_988_800 - whole) * 4_294_967_296
    self.init(UInt64(whole) << 32 | UInt64(min(fraction, 4_294_967_295)))
  }
}
