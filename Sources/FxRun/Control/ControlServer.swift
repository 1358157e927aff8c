import FxAudio
import FxChain
import FxKit
import Glibc
import Synchronization

/// Accepts requests from other processes during playback and sends them events, on its own thread.
///
/// It passes requests to the control thread through `LiveControl`, whose answers wake it.
/// Everything else wakes it through `poll`.
final class ControlServer: @unchecked Sendable {
  // Sendable: `connections` belongs to the server's thread; shared state is behind locks.
  private let socket: ControlSocket
  private let control: LiveControl
  private let pipe = WakePipe()
  private let outboxes = Mutex<[ControlOutbox]>([])
  private let state = Mutex(State())
  private var connections: [ControlConnection] = []
  private var thread = pthread_t()

  private struct State {
    var isEnding = false
    var isRunning = false
  }

  private static let connectionLimit = 64
  /// Seconds at the end in which clients may receive the remaining messages.
  private static let patience = 0.5

  /// Starts to listen; requests before the first frame wait for it.
  init(_ name: String, control: LiveControl) throws(ChainFailure) {
    socket = try ControlSocket(try ControlAddress(name))
    self.control = control
    state.withLock { $0.isRunning = true }
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<ControlServer>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard pipe.descriptor >= 0, code == 0 else {
      socket.remove()
      throw ChainFailure(
        .internalError, code: .threadUnavailable,
        "no thread to take requests on: "
          + ControlAddress.reason(code == 0 ? errno : code))
    }
  }

  deinit { close(socket.descriptor) }

  // MARK: On the performance's thread

  /// Sends changes of parameters.
  func report(_ changes: [LiveChange]) {
    for change in changes { send(ControlAnswer.json(change), .changes) }
  }

  func send(_ event: JSONOutput, _ kind: ControlSubscription.Kind = .events) {
    let boxes = outboxes.withLock { $0 }.filter(\.isSubscribed)
    guard !boxes.isEmpty else { return }
    let line = ControlAnswer.line(event)
    var isWanted = false
    for outbox in boxes where outbox.post(line, kind) { isWanted = true }
    if isWanted { pipe.wake() }
  }

  /// Sends the end event to watching clients and stops accepting requests. Call it after playback
  /// has ended.
  func end() {
    send(.members(["event": .string("end")]))
    let wasRunning = state.withLock { state in
      defer { state.isRunning = false }
      state.isEnding = true
      return state.isRunning
    }
    guard wasRunning else { return }
    socket.remove()
    pipe.wake()
    pthread_join(thread, nil)
  }

  // MARK: On the server's thread

  private func serve() {
    var deadline: Double?
    while true {
      if deadline == nil, state.withLock({ $0.isEnding }) { deadline = Self.now + Self.patience }
      if let deadline, Self.now >= deadline || connections.allSatisfy(\.hasSentAll) { break }
      var requests = [pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)]
      requests += connections.map { pollfd(fd: $0.descriptor, events: $0.awaited, revents: 0) }
      if deadline == nil, connections.count < Self.connectionLimit {
        requests.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0))
      }
      guard poll(&requests, nfds_t(requests.count), deadline == nil ? -1 : 50) >= 0 else {
        continue
      }
      if requests[0].revents != 0 { pipe.drain() }
      let known = connections.count
      for (connection, request) in zip(connections, requests[1...]) {
        connection.handle(request.revents)
      }
      if requests.count > known + 1, requests[known + 1].revents != 0 { accept() }
      let isOver = connections.contains { $0.isOver }
      if isOver {
        connections.removeAll { $0.isOver }
        let left = connections.map(\.outbox)
        outboxes.withLock { $0 = left }
      }
    }
    connections = []
    outboxes.withLock { $0 = [] }
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func accept() {
    let descriptor = Glibc.accept(socket.descriptor, nil, nil)
    guard descriptor >= 0 else {
      // Without a free descriptor the client stays in the queue. Wait, because `poll` would return
      // at once again.
      if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
        usleep(100_000)
      }
      return
    }
    WakePipe.free(descriptor)
    let connection = ControlConnection(descriptor) { [unowned self] in carryOut($0, $1) }
    connections.append(connection)
    let outbox = connection.outbox
    outboxes.withLock { $0.append(outbox) }
  }

  private func carryOut(_ connection: ControlConnection, _ line: [UInt8]) {
    let outbox = connection.outbox
    let number = outbox.begin()
    let (id, verb) = ControlRequest.read(line)
    switch verb {
    case .success(.live(let request)):
      control.post(request) { [self] outcome in
        outbox.finish(number, with: ControlAnswer.line(outcome, id: id))
        pipe.wake()
      }
    case .success(.watch(let subscription)):
      let answer = JSONOutput.members(["watching": .bool(subscription != nil)])
      outbox.finish(number, with: ControlAnswer.line(answer, id: id))
      outbox.subscribe(subscription)
    case .failure(let failure):
      outbox.finish(number, with: ControlAnswer.line(ControlAnswer.json(failure), id: id))
    }
  }
}
