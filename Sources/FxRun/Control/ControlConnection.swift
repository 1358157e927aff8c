import FxAudio
import FxKit
import Glibc

/// One client of the server. On the server's thread.
final class ControlConnection {
  let descriptor: Int32
  let outbox = ControlOutbox()
  private let carryOut: (ControlConnection, [UInt8]) -> Void
  private var line: [UInt8] = []
  /// The rest of a line that is too long is skipped.
  private var isSkipping = false
  /// The client sends no more requests.
  private var hasEnded = false
  private var unsent = UnsentBytes()
  /// The client has disconnected.
  private(set) var isBroken = false

  /// `carryOut` is called for each line.
  init(_ descriptor: Int32, carryOut: @escaping (ControlConnection, [UInt8]) -> Void) {
    self.descriptor = descriptor
    self.carryOut = carryOut
  }

  deinit { close(descriptor) }

  /// True when the connection has no more work.
  var isOver: Bool {
    isBroken || outbox.isOverfull
      || hasEnded && unsent.isEmpty && outbox.isEmpty && !outbox.isSubscribed
  }

  var hasSentAll: Bool { unsent.isEmpty && outbox.isEmpty }

  /// The `poll` events to wait for.
  var awaited: Int16 {
    var events: Int32 = 0
    if !hasEnded, outbox.hasRoom { events |= POLLIN }
    if !unsent.isEmpty { events |= POLLOUT }
    return Int16(events)
  }

  func handle(_ events: Int16) {
    if events & Int16(POLLIN) != 0 { read(hasLeft: events & Int16(POLLHUP) != 0) }
    send()
    // A client that has closed both directions gets no answers after its last requests.
    if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0, events & Int16(POLLIN) == 0 {
      isBroken = true
    }
  }

  /// - Parameter hasLeft: The client has closed the connection, and waits for no answer.
  private func read(hasLeft: Bool) {
    let count = withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { take(buffer[..<count]) }
      return count
    }
    if count == 0 {
      hasEnded = true
      if !line.isEmpty, !isSkipping, !hasLeft { finishLine() }
    } else if count < 0, errno != EAGAIN, errno != EINTR {
      isBroken = true
    }
  }

  private func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let piece = rest[..<(end ?? rest.endIndex)]
      if !isSkipping {
        if line.count + piece.count > ControlRequest.longestLine {
          isSkipping = true
          line = []
          refuseLine()
        } else {
          line += piece
        }
      }
      guard let end else { return }
      rest = rest[(end + 1)...]
      if isSkipping { isSkipping = false } else { finishLine() }
    }
  }

  private func finishLine() {
    let whole = line
    line = []
    guard whole.contains(where: { !" \t\r".utf8.contains($0) }) else { return }
    carryOut(self, whole)
  }

  private func refuseLine() {
    outbox.finish(
      outbox.begin(),
      with: ControlAnswer.line(
        ControlAnswer.json(
          ChainFailure(
            .request, code: .lineTooLong,
            "a request has at most \(ControlRequest.longestLine) bytes"))))
  }

  /// Sends as much as the client accepts without waiting.
  func send() {
    while !isBroken {
      if unsent.isEmpty { unsent.append(outbox.take()) }
      guard !unsent.isEmpty else { return }
      if !unsent.send(to: descriptor) { isBroken = true }
      // The client has no room: `poll` tells when it has.
      if !unsent.isEmpty { return }
    }
  }
}
