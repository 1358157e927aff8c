import ArgumentParser
import CRealtime
import FxAudio
import FxChain
import FxKit
import Glibc

/// The client's end of a control socket.
final class ControlClient {
  private struct Asked {
    /// nil if the answer is printed unchanged.
    let words: ControlWords?
    /// True for a request whose answer has no time limit: it waits for a controller to move, or for
    /// a chain to be compiled and crossfaded.
    let isPatient: Bool
  }

  private let address: ControlAddress
  private let descriptor: Int32
  /// Seconds in which the server must accept the connection, and answer; 0 for no limit.
  private let timeout: Double
  private var received: [UInt8] = []
  /// Requests without an answer, in order.
  private var asked: [Asked] = []
  /// The time of the last request or answer.
  private var lastProgress = fx_monotonic_seconds()
  private var isWatching = false
  /// The exit status of the first refused request.
  private(set) var status = ExitStatus.success

  /// The default time limit in seconds.
  static let defaultTimeout = 10.0

  init(_ address: ControlAddress, timeout: Double) throws(ChainFailure) {
    self.address = address
    self.timeout = timeout
    let (descriptor, error) = address.connect(timeout: timeout)
    guard error != EAGAIN, error != EWOULDBLOCK else {
      throw ChainFailure(
        .device, code: .noAnswer,
        "'\(address.name)' (\(address.path)) accepts no connection within \(Self.text(timeout)): it "
          + "hangs, or too many clients are connected; --timeout SECONDS waits longer")
    }
    guard descriptor >= 0 else {
      let why =
        switch error {
        case ENOENT: "there is no such socket"
        case ECONNREFUSED: "the program that made the socket has ended"
        case EACCES, EPERM: "it is another user's"
        default: ControlAddress.reason(error)
        }
      throw ChainFailure(
        .device, code: .notPlaying,
        "nothing takes requests at '\(address.name)' (\(address.path)): \(why); "
          + "start it with: fxrun chain.json --control \(address.name)")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sends one request and prints the answer. A request for events runs until the server or the
  /// reader ends.
  func perform(_ words: ControlWords) {
    ask(words)
    shutdown(descriptor, Int32(SHUT_WR))
    while !asked.isEmpty || isWatching {
      var answer = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&answer, 1, pollTime)
      if count == 0, isOverdue { return giveUp() }
      guard count > 0 else { continue }
      guard receive() else { break }
    }
    if !asked.isEmpty { lose() }
  }

  /// Sends requests from standard input, one per line: JSON unchanged, or words. Runs until both
  /// ends are done.
  func performLines() {
    let isTalk = isatty(0) != 0 && Output.isTerminal(.output)
    var typed: [UInt8] = []
    var hasEnded = false
    if isTalk { Output.write("> ", to: .output) }
    while !hasEnded || !asked.isEmpty || isWatching {
      var requests = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasEnded ? -1 : 0, events: Int16(POLLIN), revents: 0),
      ]
      let readyCount = poll(&requests, 2, pollTime)
      if readyCount == 0, isOverdue { return giveUp() }
      guard readyCount > 0 else { continue }
      if requests[0].revents != 0 {
        let answerCount = asked.count
        guard receive() else { break }
        if isTalk, asked.isEmpty, answerCount > 0 { Output.write("> ", to: .output) }
      }
      guard requests[1].revents != 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(0, &buffer, buffer.count)
      if count <= 0 {
        hasEnded = true
        if !typed.isEmpty { ask(line: typed) }
        shutdown(descriptor, Int32(SHUT_WR))
        continue
      }
      typed += buffer[..<count]
      while let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(typed[..<end])
        typed.removeFirst(end + 1)
        ask(line: line)
      }
      if isTalk, asked.isEmpty { Output.write("> ", to: .output) }
    }
    if !asked.isEmpty { lose() }
    if isTalk { Output.write("\n", to: .output) }
  }

  /// True when an answer is later than the limit.
  private var isOverdue: Bool {
    guard timeout > 0, let first = asked.first, !first.isPatient else { return false }
    return fx_monotonic_seconds() - lastProgress >= timeout
  }

  /// Milliseconds until an answer is overdue; -1 without a limit.
  private var pollTime: Int32 {
    guard timeout > 0, let first = asked.first, !first.isPatient else { return -1 }
    let left = timeout - (fx_monotonic_seconds() - lastProgress)
    return Int32(max(0, min(left * 1000 + 1, 1e6)))
  }

  private func giveUp() {
    note(.device)
    Output.error(
      "error: '\(address.name)' (\(address.path)) gives no answer within \(Self.text(timeout)): it "
        + "hangs, or waits for its sound device; --timeout SECONDS waits longer")
  }

  private static func text(_ seconds: Double) -> String { "\(shortNumber(seconds)) s" }

  private func expect(_ words: ControlWords?, _ request: JSONValue?) {
    // The time limit of a waiting request begins when it is the first in the queue.
    if asked.isEmpty { lastProgress = fx_monotonic_seconds() }
    let members = request.map(ControlRequest.Members.init)
    let isPatient =
      words?.isPatient
      ?? ControlVerbs.all.contains { $0.isPatient && members?[$0.verb] != nil }
    asked.append(Asked(words: words, isPatient: isPatient))
  }

  private func ask(line: [UInt8]) {
    guard let first = line.first(where: { $0 > UInt8(ascii: " ") }) else { return }
    if first == UInt8(ascii: "{") {
      var found = Diagnostics()
      let document = JSONDocument.read(SourceText(path: "request", bytes: line), into: &found)
      expect(nil, document?.root)
      send(line + [UInt8(ascii: "\n")])
      return
    }
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    if let help = ControlWords.help(words.map(String.init)) { return Output.line(help) }
    do throws(ChainFailure) {
      ask(try ControlWords(words.map(String.init)))
    } catch {
      note(ExitStatus(error.kind))
      Output.error("error: \(ForeignText.visible(error.message))")
    }
  }

  private func ask(_ words: ControlWords) {
    expect(words, nil)
    send(Array("\(words.request.text(indented: false))\n".utf8))
  }

  private func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Prints received lines. False at the end of the connection.
  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { return false }
    received += buffer[..<count]
    var start = 0
    while let end = received[start...].firstIndex(of: UInt8(ascii: "\n")) {
      show(Array(received[start..<end]))
      start = end + 1
    }
    received.removeFirst(start)
    if Output.isBroken {
      // The reader of standard output has gone.
      asked = []
      return false
    }
    return true
  }

  private func show(_ line: [UInt8]) {
    var found = Diagnostics()
    let text = String(decoding: line, as: UTF8.self)
    let document = JSONDocument.read(SourceText(path: "answer", bytes: line), into: &found)
    guard let root = document?.root else { return Output.data(text) }
    let members = ControlRequest.Members(root)
    guard members["event"] == nil, !asked.isEmpty else { return Output.data(text) }
    let words = asked.removeFirst().words
    lastProgress = fx_monotonic_seconds()
    let error = members["error"].map(ControlRequest.Members.init)
    if let error {
      note(
        error["kind"]?.string.flatMap(ChainFailure.Kind.init(rawValue:)).map(ExitStatus.init)
          ?? .internalError)
    }
    guard let words else {
      if let watched = members["watching"]?.bool { isWatching = watched }
      return Output.data(text)
    }
    if let error {
      Output.error("error: \(ForeignText.visible(error["message"]?.string ?? text))")
    } else {
      if let watched = members["watching"]?.bool { isWatching = watched }
      let said = words.text(root)
      if !said.isEmpty { Output.line(said) }
    }
  }

  private func note(_ status: ExitStatus) {
    if self.status == .success { self.status = status }
  }

  private func lose() {
    note(.device)
    Output.error("error: the performance has ended without an answer")
  }
}
