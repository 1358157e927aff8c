@testable import FxPlaying
import Glibc
import Synchronization

/// A sequencer whose clients a test adds and removes.
final class FakeSequencer: SequencerConnection {
  struct State {
    var clients: [UInt8: String] = [:]
    var ports: [String] = []
    /// The senders connected to each port of fxrun.
    var links: [Int32: SequencerAddress] = [:]
    var events: [SequencerEvent] = []
    var isAnnouncing = false
    var log: [String] = []
  }

  let state: Mutex<State>
  private let closed: @Sendable () -> Void

  init(_ clients: [UInt8: String] = [:], closed: @escaping @Sendable () -> Void = {}) {
    state = Mutex(State(clients: clients))
    self.closed = closed
  }

  deinit { closed() }

  func add(_ client: UInt8, _ name: String, announced: Bool = true) {
    state.withLock { state in
      state.clients[client] = name
      if announced, state.isAnnouncing { state.events.append(.appeared) }
    }
  }

  func remove(_ client: UInt8, announced: Bool = true) {
    state.withLock { state in
      state.clients[client] = nil
      state.links = state.links.filter { $0.value.client != client }
      state.events.append(announced ? .disappeared(client: client, port: nil) : .overrun)
    }
  }

  func send(_ bytes: [UInt8], from client: UInt8) {
    state.withLock { state in
      for (port, address) in state.links where address.client == client {
        state.events.append(.message(port: port, bytes))
      }
    }
  }

  func openPort(_ name: String) -> Int32 {
    state.withLock { state in
      state.ports.append(name)
      return name == "refused" ? -ENOMEM : Int32(state.ports.count - 1)
    }
  }

  func subscribeToAnnouncements() { state.withLock { $0.isAnnouncing = true } }

  func address(of sender: String) -> (address: SequencerAddress, code: Int32) {
    let parts = sender.split(separator: ":")
    let port = parts.count > 1 ? UInt8(parts[1]) ?? 0 : 0
    let name = parts.first.map(String.init) ?? ""
    let client = state.withLock { state in
      UInt8(name) ?? state.clients.first { $0.value.hasPrefix(name) }?.key
    }
    return (SequencerAddress(client: client ?? 0, port: port), client == nil ? -ENOENT : 0)
  }

  func connect(_ port: Int32, from address: SequencerAddress) -> Int32 {
    state.withLock { state in
      guard state.clients[address.client] != nil else { return -EINVAL }
      state.links[port] = address
      return 0
    }
  }

  func disconnect(_ port: Int32, from address: SequencerAddress) {
    state.withLock { $0.links[port] = nil }
  }

  func wait(milliseconds: Int32) -> Bool {
    usleep(1000)
    return state.withLock { !$0.events.isEmpty }
  }

  func next() -> SequencerEvent? {
    state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
  }
}
