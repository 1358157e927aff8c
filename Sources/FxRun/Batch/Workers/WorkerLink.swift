import CRealtime
import Glibc

/// One end of a socket between the supervisor and a worker: lines of JSON in both directions.
final class WorkerLink {
  let descriptor: Int32
  private var received: [UInt8] = []
  /// True after the other end has been closed.
  private(set) var hasEnded = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The supervisor's end, and the descriptor of the worker's end.
  static func pair() -> (WorkerLink, Int32)? {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    return (WorkerLink(ends[0]), ends[1])
  }

  /// Sends a line. False if the other end is closed.
  func send(_ line: String) -> Bool {
    var bytes = Array("\(line)\n".utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 || errno == EINTR else { return false }
      bytes = bytes.dropFirst(max(count, 0))
    }
    return true
  }

  /// The next line. nil if none arrives within `milliseconds` (-1: no limit), or if the other end
  /// is closed.
  func receive(milliseconds: Int32 = -1) -> [UInt8]? {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let line = Array(received[..<end])
        received.removeFirst(end + 1)
        return line
      }
      guard !hasEnded, fx_wait_readable(descriptor, milliseconds) != 0 else { return nil }
      read()
    }
  }

  /// All remaining data of a process that has ended.
  func rest() -> [UInt8] {
    while !hasEnded { read() }
    return received
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 {
      received += buffer[0..<count]
    } else if count == 0 || errno != EINTR {
      hasEnded = true
    }
  }
}
