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
  /// The two ends of a pipe that wakes the thread.
  private let wakeup: Int32
  private let waking: Int32
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
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    ends.forEach(Self.free)
    (wakeup, waking) = (ends[0], ends[1])
    state.withLock { $0.isRunning = true }
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<ControlServer>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard wakeup >= 0, code == 0 else {
      socket.remove()
      throw ChainFailure(
        .internalError, code: .threadUnavailable,
        "no thread to take requests on: "
          + ControlAddress.reason(code == 0 ? errno : code))
    }
  }

  deinit {
    close(wakeup)
    close(waking)
    close(socket.descriptor)
  }

  // MARK: On the performance's thread

  /// Sends all events since the last call. Called about ten times a second, and after requests.
  func look(_ session: LiveSession) {
    for change in session.takeChanges() { send(ControlAnswer.json(change), .changes) }
  }

  func send(_ event: JSONOutput, _ kind: ControlSubscription.Kind = .events) {
    let boxes = outboxes.withLock { $0 }.filter(\.isSubscribed)
    guard !boxes.isEmpty else { return }
    let line = ControlAnswer.line(event)
    var isWanted = false
    for outbox in boxes where outbox.post(line, kind) { isWanted = true }
    if isWanted { wake() }
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
    wake()
    pthread_join(thread, nil)
  }

  private func wake() {
    // If the pipe is full, the thread will wake anyway.
    var one: UInt8 = 1
    _ = write(waking, &one, 1)
  }

  // MARK: On the server's thread

  private func serve() {
    var deadline: Double?
    var drained = [UInt8](repeating: 0, count: 4096)
    while true {
      if deadline == nil, state.withLock({ $0.isEnding }) { deadline = Self.now + Self.patience }
      if let deadline, Self.now >= deadline || connections.allSatisfy(\.hasSentAll) { break }
      var requests = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
      requests += connections.map { pollfd(fd: $0.descriptor, events: $0.awaited, revents: 0) }
      if deadline == nil, connections.count < Self.connectionLimit {
        requests.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0))
      }
      guard poll(&requests, nfds_t(requests.count), deadline == nil ? -1 : 50) >= 0 else {
        continue
      }
      if requests[0].revents != 0 { _ = read(wakeup, &drained, drained.count) }
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

  /// Makes the descriptor non-blocking, and closes it in child processes.
  private static func free(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
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
    Self.free(descriptor)
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
        wake()
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
