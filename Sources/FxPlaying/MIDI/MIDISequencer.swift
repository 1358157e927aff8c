import CRealtime
package import FxAudio
import Synchronization

/// MIDI inputs of this process on the system's sequencer, and the thread that receives their
/// messages.
///
/// Each message goes to its port's inbox or listener, with its time of arrival. An input is
/// connected as soon as its sender exists.
package final class MIDISequencer: @unchecked Sendable {
  // Sendable: the thread is set before other threads see this, and joined by its owner.

  /// Receives a channel or clock message: its status, its data (0 where it has none) and its time
  /// of arrival, in seconds of the monotonic clock. Called on the sequencer's thread.
  package typealias Listener = @Sendable (UInt8, UInt8, UInt8, Double) -> Void

  /// An input and the receiver of its messages.
  package struct Input: Sendable {
    package enum Destination: Sendable {
      case inbox(MIDIInbox)
      case listener(Listener)
    }

    /// The same for an input of a chain and of the chain that replaces it.
    package var id: String
    package var name: String
    /// `client:port`, by name or by number; nil for no connection.
    package var sender: String?
    package var destination: Destination

    package init(id: String, name: String, sender: String?, inbox: MIDIInbox) {
      self.id = id
      self.name = name
      self.sender = sender
      destination = .inbox(inbox)
    }

    /// An input for messages that do not go to the render thread: controls, learning.
    package init(name: String, sender: String?, listener: @escaping Listener) {
      id = name
      self.name = name
      self.sender = sender
      destination = .listener(listener)
    }
  }

  /// An input with its port.
  private struct Port {
    var input: Input
    let number: Int32
    /// The address of the connected sender.
    var address: SequencerAddress?
    var isReportedAsWaiting = false
  }

  private let connection: any SequencerConnection
  private let ports: Mutex<[Port]>
  private let report: @Sendable (SenderChange) -> Void
  private let isStopping = Atomic<Bool>(false)
  private var thread: WorkerThread?

  /// Seconds between two attempts to connect; an announcement causes further attempts.
  private static let retryInterval = 1.0

  /// Opens the inputs, connects those whose senders exist, and starts to receive.
  ///
  /// - Parameter report: called on any thread when a sender is missing, connected or lost.
  package convenience init(
    _ inputs: [Input], report: @escaping @Sendable (SenderChange) -> Void
  ) throws(Failure) {
    let name = inputs.first?.name ?? "MIDI"
    try self.init(inputs, connection: ALSASequencer(for: name), report: report)
  }

  init(
    _ inputs: [Input], connection: any SequencerConnection,
    report: @escaping @Sendable (SenderChange) -> Void
  ) throws(Failure) {
    self.connection = connection
    self.report = report
    var opened: [Port] = []
    for input in inputs {
      let number = connection.openPort(input.name)
      guard number >= 0 else {
        throw .midiInput(input.name, "cannot be opened: \(ALSALibrary.message(number))")
      }
      opened.append(Port(input: input, number: number))
    }
    connection.subscribeToAnnouncements()
    ports = Mutex(opened)
    // Senders that exist at the start are not reported.
    connectAll(reportsConnections: false)
    try start(inputs.first?.name ?? "MIDI")
  }

  deinit { stop() }

  /// Stops receiving.
  package func stop() {
    isStopping.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
  }

  /// Takes over the senders and destinations of another chain's inputs with the same identifiers.
  package func update(_ inputs: [Input]) {
    ports.withLock { ports in
      for index in ports.indices {
        guard let new = inputs.first(where: { $0.id == ports[index].input.id }) else { continue }
        let isOther = new.sender != ports[index].input.sender
        ports[index].input = new
        guard isOther else { continue }
        if let address = ports[index].address {
          connection.disconnect(ports[index].number, from: address)
        }
        ports[index].address = nil
        ports[index].isReportedAsWaiting = false
      }
    }
    connectAll()
  }

  /// Messages that were dropped because the render thread received them too slowly.
  package var droppedCount: Int {
    ports.withLock { $0.reduce(0) { $0 + ($1.input.inbox?.droppedCount ?? 0) } }
  }

  // MARK: The sequencer's thread

  private func start(_ name: String) throws(Failure) {
    var code: Int32 = 0
    // Below the render thread: it mostly sleeps, and messages carry the time of their arrival.
    for priority in [WorkerThread.renderPriority - 10, 0] {
      let thread = WorkerThread(priority: priority, failure: &code) { [unowned self] in listen() }
      if let thread {
        self.thread = thread
        return
      }
    }
    throw .midiInput(name, "has no thread: \(Failure.systemMessage(code))")
  }

  private func listen() {
    var lastAttempt = fx_monotonic_seconds()
    var isDrained = true
    while !isStopping.load(ordering: .relaxed) {
      var hasNews = false
      if connection.wait(milliseconds: isDrained ? 50 : 2) { hasNews = takeAll() }
      isDrained = flush()
      let now = fx_monotonic_seconds()
      guard hasNews || now - lastAttempt > Self.retryInterval else { continue }
      lastAttempt = now
      connectAll()
    }
  }

  /// Delivers all received messages. True when a sender may have appeared.
  private func takeAll() -> Bool {
    var hasNews = false
    while !isStopping.load(ordering: .relaxed), let event = connection.next() {
      switch event {
      case .message(let number, let bytes):
        let destination = ports.withLock { ports in
          ports.first { $0.number == number }?.input.destination
        }
        destination?.send(bytes, at: fx_monotonic_seconds())
      case .appeared: hasNews = true
      case .disappeared(let client, let port): disconnect(client, port)
      case .overrun:
        checkAll()
        hasNews = true
      case .other: break
      }
    }
    return hasNews
  }

  /// Delivers messages that did not fit into their inboxes. False when some are left.
  private func flush() -> Bool {
    let inboxes = ports.withLock { $0.compactMap(\.input.inbox) }
    return inboxes.reduce(true) { $1.flush() && $0 }
  }

  /// Connects the inputs that are not connected yet. A waiting input is reported once.
  private func connectAll(reportsConnections: Bool = true) {
    ports.withLock { ports in
      for index in ports.indices where ports[index].address == nil {
        guard let sender = ports[index].input.sender else { continue }
        var (address, code) = connection.address(of: sender)
        if code >= 0 { code = connection.connect(ports[index].number, from: address) }
        if code >= 0 {
          ports[index].address = address
          ports[index].isReportedAsWaiting = false
          if reportsConnections { notify(ports[index], sender, .connected) }
        } else if !ports[index].isReportedAsWaiting {
          ports[index].isReportedAsWaiting = true
          notify(ports[index], sender, .waiting(code: code))
        }
      }
    }
  }

  /// Handles the end of a client, or of one of its ports.
  private func disconnect(_ client: UInt8, _ port: UInt8?) {
    ports.withLock { ports in
      for index in ports.indices {
        guard let address = ports[index].address, address.client == client,
          port == nil || port == address.port
        else { continue }
        lose(&ports[index])
      }
    }
  }

  /// Finds connections that ended without an announcement.
  private func checkAll() {
    ports.withLock { ports in
      for index in ports.indices {
        guard let address = ports[index].address,
          connection.connect(ports[index].number, from: address) < 0
        else { continue }
        lose(&ports[index])
      }
    }
  }

  private func lose(_ port: inout Port) {
    port.address = nil
    // The report of the loss also says that it waits.
    port.isReportedAsWaiting = true
    if let sender = port.input.sender { notify(port, sender, .lost) }
  }

  private func notify(_ port: Port, _ sender: String, _ kind: SenderChange.Kind) {
    report(SenderChange(input: port.input.name, sender: sender, kind: kind))
  }
}

extension MIDISequencer.Input {
  fileprivate var inbox: MIDIInbox? {
    if case .inbox(let inbox) = destination { inbox } else { nil }
  }
}

extension MIDISequencer.Input.Destination {
  /// Delivers a message of one to three bytes.
  func send(_ bytes: [UInt8], at seconds: Double) {
    switch self {
    case .inbox(let inbox):
      // A clock controls the performance, not a node.
      guard let status = bytes.first, status < 0xf0 else { return }
      inbox.send(bytes, at: seconds)
    case .listener(let listener):
      guard let status = bytes.first else { return }
      let data = bytes.dropFirst() + [0, 0]
      listener(status, data[1], data[2], seconds)
    }
  }
}
