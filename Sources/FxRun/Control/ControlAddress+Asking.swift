import FxChain
import Glibc

extension ControlAddress {
  /// The answer to one request; nil if there is none within a second.
  func answer(to request: JSONOutput) -> JSONValue? {
    let (descriptor, _) = connect(timeout: 1)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let line = Array("\(request.text(indented: false))\n".utf8)
    guard send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { return nil }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !received.contains(UInt8(ascii: "\n")) {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 1000) > 0 else { return nil }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
    var found = Diagnostics()
    let text = SourceText(
      path: "answer", bytes: Array(received.prefix { $0 != UInt8(ascii: "\n") }))
    return JSONDocument.read(text, into: &found)?.root
  }
}
