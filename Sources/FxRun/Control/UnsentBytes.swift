import Glibc

/// Bytes for a client that may not accept all of them at once.
struct UnsentBytes {
  private var bytes: ArraySlice<UInt8> = []

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count }

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// Sends as much as the client accepts without waiting.
  ///
  /// - Returns: false if the client has disconnected.
  mutating func send(to descriptor: Int32) -> Bool {
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        return true
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
