import FxAudio
import FxChain
import FxKit
import Glibc
import Synchronization

/// Receives OSC messages over UDP and TCP while a chain plays, and sends answers, on its own thread.
final class OSCServer: @unchecked Sendable {
  // Sendable: the streams belong to the server's thread; shared state is behind locks.
  private let datagrams: Int32
  private let listener: Int32
  private let pipe: WakePipe
  private let desk: OSCDesk
  private let outgoing: Outgoing
  private var streams: [OSCStream] = []
  private var streamCount = 0
  private var thread = pthread_t()
  private let isEnding = Mutex(false)

  /// Messages of other threads for connections.
  private final class Outgoing: Sendable {
    let messages = Mutex<[(OSCPeer, [UInt8])]>([])
  }

  private static let connectionLimit = 64

  /// Starts to receive; messages before the first frame wait for it.
  init(_ text: String, control: LiveControl) throws(ChainFailure) {
    let address = try OSCAddress(text)
    let (datagrams, isLocal) = try address.bound(SOCK_DGRAM)
    do throws(ChainFailure) {
      listener = try address.bound(SOCK_STREAM).descriptor
    } catch {
      close(datagrams)
      throw error
    }
    self.datagrams = datagrams
    let pipe = WakePipe()
    self.pipe = pipe
    let outgoing = Outgoing()
    self.outgoing = outgoing
    desk = OSCDesk(control, mayNameFiles: isLocal) { peer, message in
      switch peer {
      case .datagram(let address): Self.send(message.bytes, to: address, on: datagrams)
      case .connection:
        outgoing.messages.withLock { $0.append((peer, message.bytes)) }
        pipe.wake()
      }
    }
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<OSCServer>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard pipe.descriptor >= 0, code == 0 else {
      throw ChainFailure(
        .internalError, code: .threadUnavailable,
        "no thread to receive OSC on: " + ControlAddress.reason(code == 0 ? errno : code))
    }
  }

  deinit {
    close(datagrams)
    close(listener)
  }

  // MARK: On the performance's thread

  func report(_ changes: [LiveChange]) { desk.report(changes) }

  /// Another chain plays, which may have other parameters.
  func reload() { desk.refresh() }

  /// Stops receiving. Call it after playback has ended.
  ///
  /// - Returns: a warning about bundles that came late.
  func end() -> String? {
    isEnding.withLock { $0 = true }
    pipe.wake()
    pthread_join(thread, nil)
    let late = desk.lateness
    guard late.count > 0 else { return nil }
    let milliseconds = (late.worst * 1000).rounded(.up)
    return
      "OSC: \(late.count) message\(late.count == 1 ? "" : "s") came after the time of the bundle, "
      + "by up to \(shortNumber(milliseconds)) ms, and took effect at once"
  }

  // MARK: On the server's thread

  private func serve() {
    var next: Double?
    while !isEnding.withLock({ $0 }) {
      let own = [
        pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: datagrams, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: streams.count < Self.connectionLimit ? listener : -1, events: Int16(POLLIN),
          revents: 0),
      ]
      var waits = own + streams.map { pollfd(fd: $0.descriptor, events: $0.awaited, revents: 0) }
      guard poll(&waits, nfds_t(waits.count), Self.pause(to: next)) >= 0 || errno == EINTR else {
        break
      }
      if waits[0].revents != 0 { pipe.drain() }
      if waits[1].revents != 0 { receiveDatagrams() }
      for (stream, wait) in zip(streams, waits[3...])
      where wait.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        for packet in stream.read() { receive(packet, stream.peer) }
      }
      if waits[2].revents != 0 { accept() }
      next = desk.tick(Self.now)
      sendToStreams()
    }
    streams = []
  }

  /// Milliseconds for `poll` until a time on the monotonic clock; -1 without one. The last millisecond is
  /// waited here, because `poll` would round it.
  private static func pause(to time: Double?) -> Int32 {
    guard let time else { return -1 }
    let rest = time - now
    guard rest < 0.001 else { return Int32(rest * 1000) }
    if rest > 0 { usleep(useconds_t(rest * 1e6)) }
    return 0
  }

  private func receiveDatagrams() {
    var buffer = [UInt8](repeating: 0, count: 65536)
    var storage = sockaddr_storage()
    // A flood must not keep the thread from everything else.
    for _ in 0..<256 {
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &storage) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(datagrams, &buffer, buffer.count, 0, $0, &size)
        }
      }
      guard count >= 0 else { return }
      let address = withUnsafeBytes(of: storage) { Array($0.prefix(Int(size))) }
      receive(buffer[..<count], .datagram(address))
    }
  }

  private func receive(_ bytes: some Collection<UInt8>, _ peer: OSCPeer) {
    do throws(OSCMistake) {
      desk.receive(try OSCPacket(bytes), from: peer, clock: Self.clock, now: Self.now)
    } catch {
      desk.refuse(peer, "", error.text)
    }
  }

  private func accept() {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else {
      // Without a free descriptor the client stays in the queue.
      if errno == EMFILE || errno == ENFILE { usleep(100_000) }
      return
    }
    WakePipe.free(descriptor)
    streamCount += 1
    streams.append(OSCStream(descriptor, number: streamCount))
  }

  private func sendToStreams() {
    let messages = outgoing.messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
    for (peer, bytes) in messages { streams.first { $0.peer == peer }?.send(bytes) }
    for stream in streams { stream.flush() }
    for stream in streams where stream.isOver { desk.forget(stream.peer) }
    streams.removeAll(where: \.isOver)
  }

  private static func send(_ bytes: [UInt8], to address: [UInt8], on descriptor: Int32) {
    // A datagram that finds no room is lost, as on the way.
    _ = address.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) { address in
        sendto(
          descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), address.baseAddress,
          socklen_t(raw.count))
      }
    }
  }

  private static var now: Double { seconds(CLOCK_MONOTONIC) }
  private static var clock: Double { seconds(CLOCK_REALTIME) }

  private static func seconds(_ clock: Int32) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
