import ArgumentParser
import FxAudio
import FxChain
import FxKit
import Glibc

/// The other end of a performance's socket.
final class ControlClient {
  private let descriptor: Int32
  private var received: [UInt8] = []
  /// What each answer that is still to come belongs to, in order; nil where the answer is printed as
  /// it is.
  private var asked: [ControlWords?] = []
  private var isWatching = false
  /// How the first refusal ends the program.
  private(set) var status = ExitStatus.success

  init(_ address: ControlAddress) throws(ChainFailure) {
    let (descriptor, error) = address.connect()
    guard descriptor >= 0 else {
      let why =
        switch error {
        case ENOENT: "there is no such socket"
        case ECONNREFUSED: "what had made the socket is gone"
        case EACCES, EPERM: "it is another user's"
        default: ControlAddress.reason(error)
        }
      throw ChainFailure(
        .device, code: "not-playing",
        "nothing takes requests at '\(address.name)' (\(address.path)): \(why); "
          + "start it with: fxrun chain.json --control \(address.name)")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Asks one thing and prints what comes of it; for events, until the performance or the reader
  /// ends.
  func perform(_ words: ControlWords) {
    ask(words)
    shutdown(descriptor, Int32(SHUT_WR))
    while !asked.isEmpty || isWatching, receive() {}
    if !asked.isEmpty { lose() }
  }

  /// Asks what standard input says, line by line: JSON as it is, or words. Until both ends are done.
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
      guard poll(&requests, 2, -1) >= 0 else { continue }
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

  private func ask(line: [UInt8]) {
    guard let first = line.first(where: { $0 > UInt8(ascii: " ") }) else { return }
    if first == UInt8(ascii: "{") {
      asked.append(nil)
      send(line + [UInt8(ascii: "\n")])
      return
    }
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    do throws(ChainFailure) {
      ask(try ControlWords(words.map(String.init)))
    } catch {
      note(ExitStatus(error.kind))
      Output.error("error: \(ForeignText.visible(error.message))")
    }
  }

  private func ask(_ words: ControlWords) {
    asked.append(words)
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

  /// Prints what has come. False at the end of the connection.
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
      // Whoever was to read it has gone.
      asked = []
      return false
    }
    return true
  }

  private func show(_ line: [UInt8]) {
    var found = Diagnostics()
    let text = String(decoding: line, as: UTF8.self)
    let document = JSONDocument.read(SourceText(path: "answer", bytes: line), into: &found)
    guard let root = document?.root else { return Output.line(text) }
    let members = ControlRequest.Members(root)
    guard members["event"] == nil, !asked.isEmpty else { return Output.line(text) }
    let words = asked.removeFirst()
    let error = members["error"].map(ControlRequest.Members.init)
    if let error {
      note(
        error["kind"]?.string.flatMap(ChainFailure.Kind.init(rawValue:)).map(ExitStatus.init)
          ?? .internalError)
    }
    guard let words else {
      if let watched = members["watching"]?.bool { isWatching = watched }
      return Output.line(text)
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
