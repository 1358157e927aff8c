import FxKit
import Glibc

/// Where OSC messages are received: `9000`, `192.168.1.20:9000`, `[::1]:9000`.
struct OSCAddress {
  let host: String
  let port: UInt16

  init(_ text: String) throws(ChainFailure) {
    let colon = text.lastIndex(of: ":")
    let name = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
    let number = colon.map { text[text.index(after: $0)...] } ?? text[...]
    host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    guard let port = UInt16(number), port > 0, !host.isEmpty else {
      throw ChainFailure(
        .request, code: .usage, "--osc takes a port, or an address and a port, not '\(text)'",
        hints: ["--osc 9000", "--osc 192.168.1.20:9000"])
    }
    self.port = port
  }

  /// A socket that is bound to the address.
  ///
  /// - Parameter type: `SOCK_DGRAM` or `SOCK_STREAM`.
  /// - Returns: the socket, and whether only this computer reaches it.
  func bound(_ type: __socket_type) throws(ChainFailure) -> (descriptor: Int32, isLocal: Bool) {
    var wanted = addrinfo()
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICHOST
    wanted.ai_socktype = Int32(type.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &wanted, &found) == 0, let info = found,
      let address = info.pointee.ai_addr
    else { throw failure(.usage, "'\(host)' is no numeric address") }
    defer { freeaddrinfo(found) }
    let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(info.pointee.ai_family, wanted.ai_socktype | flags, 0)
    guard descriptor >= 0 else { throw failure(.noSocket, ControlAddress.reason(errno)) }
    var on: Int32 = 1
    // A datagram socket of two programs would take turns.
    if type == SOCK_STREAM {
      setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    guard bind(descriptor, address, info.pointee.ai_addrlen) == 0,
      type != SOCK_STREAM || listen(descriptor, 16) == 0
    else {
      let code = errno
      close(descriptor)
      throw failure(
        code == EADDRINUSE ? .addressInUse : .noSocket, ControlAddress.reason(code))
    }
    return (descriptor, Self.isLocal(address))
  }

  private static func isLocal(_ address: UnsafePointer<sockaddr>) -> Bool {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24 == 127
      }
    case AF_INET6:
      address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin6_addr) {
          $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1
        }
      }
    default: false
    }
  }

  private func failure(_ code: FailureCode, _ reason: String) -> ChainFailure {
    ChainFailure(
      code == .noSocket ? .output : .request, code: code,
      "--osc: cannot receive messages at \(host), port \(port): \(reason)")
  }
}
