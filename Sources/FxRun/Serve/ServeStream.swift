import CRealtime
import FxAudio
import Glibc

/// Standard input and output of `fxrun serve`: lines of JSON, some of them followed by samples.
final class ServeStream {
  private let input: Int32
  private let output: Int32
  /// Bytes that were read together with a line and belong to what follows it.
  private var received: [UInt8] = []
  private var used = 0
  /// A request without its samples is short.
  private static let longestLine = 1 << 26

  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  /// The next line without its end, which the last one need not have; nil at the end of the input. A
  /// line that never ends is cut.
  func line() -> [UInt8]? {
    var searched = used
    while true {
      if let end = received[searched...].firstIndex(of: 0x0A) {
        defer { used = end + 1 }
        return Array(received[used..<end])
      }
      searched = received.count
      guard received.count - used < Self.longestLine else { return Array(received[used...]) }
      let start = used
      received.removeFirst(used)
      used = 0
      searched -= start
      var more = [UInt8](repeating: 0, count: 1 << 16)
      let count = more.withUnsafeMutableBytes { read($0.baseAddress, $0.count) }
      guard count > 0 else {
        defer { received = [] }
        return received.isEmpty ? nil : received
      }
      received += more[..<count]
    }
  }

  /// The next samples: 32-bit floats, little-endian; nil if the input ends before.
  func samples(_ count: Int) -> [Float]? {
    var isWhole = true
    let samples = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      isWhole = fill(UnsafeMutableRawBufferPointer(buffer))
      initialized = isWhole ? count : 0
    }
    return isWhole ? samples : nil
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    let held = min(buffer.count, received.count - used)
    received[used..<used + held].withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: buffer[..<held]).copyMemory(from: $0)
    }
    used += held
    var filled = held
    while filled < buffer.count {
      let count = read(buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      guard count > 0 else { return false }
      filled += count
    }
    return true
  }

  private func read(_ start: UnsafeMutableRawPointer?, _ size: Int) -> Int {
    while true {
      let count = Glibc.read(input, start, size)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Writes a line and the samples that follow it; false if nobody reads any more.
  func write(_ line: String, _ samples: [[Float]] = []) -> Bool {
    guard UnnamedFile.write("\(line)\n", to: output) else { return false }
    return samples.allSatisfy { channel in
      channel.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = Glibc.write(
            output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
          guard count > 0 || errno == EINTR else { return false }
          rest = rest.dropFirst(max(count, 0))
        }
        return true
      }
    }
  }

  /// From now on, the process ends when nobody can read its answers any more, even while it renders.
  func endWithReader() -> WorkerThread? {
    var failure: Int32 = 0
    return WorkerThread(failure: &failure) { [output] in
      var request = pollfd(fd: output, events: 0, revents: 0)
      while poll(&request, 1, -1) < 0 || request.revents & Int16(POLLHUP | POLLERR) == 0 {}
      _exit(ExitStatus.success.rawValue)
    }
  }
}
