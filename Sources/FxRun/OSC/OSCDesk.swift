import FxKit
import Synchronization

/// Carries out OSC messages, and tells subscribers what changes. It knows no sockets; from any thread.
final class OSCDesk: Sendable {
  struct State {
    var namespace = OSCNamespace()
    var subscribers: [OSCPeer: OSCSubscriber] = [:]
    /// Messages that wait for their time, on the monotonic clock, the earliest first.
    var waiting: [(time: Double, message: OSCMessage, peer: OSCPeer)] = []
    /// The weights of requests that the performance has not answered yet.
    var openWeight = 0
    var lateCount = 0
    var worstLateness = 0.0
  }

  let control: LiveControl
  /// Whether messages may name files: only those of this computer.
  let mayNameFiles: Bool
  let send: @Sendable (OSCPeer, OSCMessage) -> Void
  let state = Mutex(State())

  static let subscriberLimit = 64
  private static let waitingLimit = 4096
  /// The weight of requests that may be open; a flood must not fill the memory.
  private static let openLimit = 4096
  /// A list of all parameters is as much work as many values.
  static let listWeight = 512
  static let patternLimit = 256
  /// Seconds that a bundle may wait.
  private static let longestWait = 60.0
  static let meterRates = 0.1...60.0

  init(
    _ control: LiveControl, mayNameFiles: Bool,
    send: @escaping @Sendable (OSCPeer, OSCMessage) -> Void
  ) {
    (self.control, self.mayNameFiles, self.send) = (control, mayNameFiles, send)
    refresh()
  }

  /// Messages of bundles that came after their time, and the longest delay in seconds.
  var lateness: (count: Int, worst: Double) {
    state.withLock { ($0.lateCount, $0.worstLateness) }
  }

  /// Passes a request to the performance, unless too many wait for their answers.
  func post(
    _ request: LiveRequest, weight: Int = 1, _ address: String, _ peer: OSCPeer,
    answer: @escaping @Sendable (LiveControl.Outcome) -> Void
  ) {
    let hasRoom = state.withLock { state in
      guard state.openWeight + weight <= Self.openLimit else { return false }
      state.openWeight += weight
      return true
    }
    guard hasRoom else { return refuse(peer, address, "too many requests wait for their answers") }
    control.post(request) { [self] outcome in
      state.withLock { $0.openWeight -= weight }
      answer(outcome)
    }
  }

  /// Reads the chain's parameters again.
  func refresh() { control.post(.parameters) { [self] outcome in take(outcome) } }

  /// Keeps the chain's parameters for addresses.
  func take(_ outcome: LiveControl.Outcome) {
    guard case .success(.parameters(let list, readings: _)) = outcome else { return }
    let namespace = OSCNamespace(list)
    state.withLock { $0.namespace = namespace }
  }

  // MARK: Packets

  /// Carries out a packet, or the part of it whose time has come.
  ///
  /// - Parameters:
  ///   - clock: seconds of the system's clock, by which bundles are dated.
  ///   - now: the same moment on the monotonic clock.
  func receive(_ packet: OSCPacket, from peer: OSCPeer, clock: Double, now: Double) {
    switch packet {
    case .message(let message): carryOut(message, peer)
    case .bundle(let time, let parts):
      guard time != .immediately else {
        for part in parts { receive(part, from: peer, clock: clock, now: now) }
        return
      }
      wait(Self.messages(parts), by: time.seconds - clock, peer, now)
    }
  }

  private static func messages(_ parts: [OSCPacket]) -> [OSCMessage] {
    parts.flatMap { part in
      switch part {
      case .message(let message): [message]
      // A bundle in a bundle is not earlier than the outer one.
      case .bundle(_, let parts): messages(parts)
      }
    }
  }

  private func wait(_ messages: [OSCMessage], by delay: Double, _ peer: OSCPeer, _ now: Double) {
    guard delay <= Self.longestWait else {
      return refuse(peer, "#bundle", "a bundle is at most \(Int(Self.longestWait)) s ahead")
    }
    guard delay > 0 else {
      state.withLock { state in
        state.lateCount += messages.count
        state.worstLateness = max(state.worstLateness, -delay)
      }
      for message in messages { carryOut(message, peer) }
      return
    }
    let hasRoom = state.withLock { state in
      guard state.waiting.count + messages.count <= Self.waitingLimit else { return false }
      let time = now + delay
      let place = state.waiting.firstIndex { $0.time > time } ?? state.waiting.endIndex
      state.waiting.insert(contentsOf: messages.map { (time, $0, peer) }, at: place)
      return true
    }
    if !hasRoom { refuse(peer, "#bundle", "\(Self.waitingLimit) messages wait already") }
  }

  /// Carries out what is due, and sends levels.
  ///
  /// - Returns: when to call again, on the monotonic clock; nil if nothing waits.
  func tick(_ now: Double) -> Double? {
    let (due, wantsMeters) = state.withLock { state in
      let count = state.waiting.prefix { $0.time <= now }.count
      defer { state.waiting.removeFirst(count) }
      let wants = state.subscribers.values.contains { $0.meterRate > 0 && $0.nextMeters <= now }
      return (Array(state.waiting.prefix(count)), wants)
    }
    for item in due { carryOut(item.message, item.peer) }
    if wantsMeters { sendMeters(now) }
    return state.withLock { state in
      let meters = state.subscribers.values.filter { $0.meterRate > 0 }.map(\.nextMeters).min()
      return [state.waiting.first?.time, meters].compactMap { $0 }.min()
    }
  }
}
