import FxAudio
import FxChain
import FxKit
import Synchronization

/// Carries out OSC messages, and tells subscribers what changes. It knows no sockets; from any thread.
final class OSCDesk: Sendable {
  private struct State {
    var namespace = OSCNamespace()
    var subscribers: [OSCPeer: OSCSubscriber] = [:]
    /// Messages that wait for their time, on the monotonic clock, the earliest first.
    var waiting: [(time: Double, message: OSCMessage, peer: OSCPeer)] = []
    var lateCount = 0
    var worstLateness = 0.0
  }

  private let control: LiveControl
  /// Whether messages may name files: only those of this computer.
  private let mayNameFiles: Bool
  private let send: @Sendable (OSCPeer, OSCMessage) -> Void
  private let state = Mutex(State())

  private static let subscriberLimit = 64
  private static let waitingLimit = 4096
  /// Seconds that a bundle may wait.
  private static let longestWait = 60.0
  private static let meterRates = 0.1...60.0

  init(
    _ control: LiveControl, mayNameFiles: Bool,
    send: @escaping @Sendable (OSCPeer, OSCMessage) -> Void
  ) {
    (self.control, self.mayNameFiles, self.send) = (control, mayNameFiles, send)
    refresh {}
  }

  /// Messages of bundles that came after their time, and the longest delay in seconds.
  var lateness: (count: Int, worst: Double) {
    state.withLock { ($0.lateCount, $0.worstLateness) }
  }

  /// Reads the chain's parameters again.
  func refresh(_ then: @escaping @Sendable () -> Void) {
    control.post(.parameters) { [self] outcome in
      guard case .success(.parameters(let list, readings: _)) = outcome else { return then() }
      state.withLock { $0.namespace = OSCNamespace(list) }
      then()
    }
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

  // MARK: Messages

  private func carryOut(_ message: OSCMessage, _ peer: OSCPeer) {
    if message.address.hasPrefix("/fxrun/") {
      return request(String(message.address.dropFirst(7)), message, peer)
    }
    let pattern = OSCPattern(message.address)
    let (addresses, names) = state.withLock { state in
      let addresses = state.namespace.addresses(matching: pattern)
      return (addresses, addresses.map(state.namespace.name))
    }
    guard !addresses.isEmpty else {
      return refuse(peer, message.address, "no parameter has such an address")
    }
    for (address, name) in zip(addresses, names) { parameter(name, address, message, peer) }
  }

  /// Sets a parameter, or sends its value.
  private func parameter(_ name: String, _ address: String, _ message: OSCMessage, _ peer: OSCPeer)
  {
    guard let first = message.arguments.first, first != .nothing else {
      return control.post(.get(parameter: name)) { [self] outcome in
        answer(outcome, address, peer)
      }
    }
    guard let value = first.value, message.arguments.count <= 2 else {
      return refuse(peer, address, "a value and seconds are expected")
    }
    var seconds: Double?
    if message.arguments.count == 2 {
      guard let number = message.arguments[1].number, number.isFinite, number >= 0 else {
        return refuse(peer, address, "the second argument is a number of seconds")
      }
      seconds = number
    }
    if case .number(let number) = value {
      state.withLock { $0.subscribers[peer]?.note(own: number, of: name) }
    }
    control.post(.set(parameter: name, to: value, seconds: seconds)) { [self] outcome in
      if case .failure(let failure) = outcome { refuse(peer, address, failure.message) }
    }
  }

  private func request(_ verb: String, _ message: OSCMessage, _ peer: OSCPeer) {
    switch verb {
    case "subscribe": subscribe(message, peer)
    case "unsubscribe": state.withLock { state in state.subscribers[peer] = nil }
    case "meters" where !message.arguments.isEmpty: setMeters(message, peer)
    case "list": list(peer)
    case "late":
      let late = lateness
      send(
        peer,
        OSCMessage(
          message.address, [.integer(Int32(clamping: late.count)), .float(Float(late.worst))]))
    default: words(verb, message, peer)
    }
  }

  /// A request of `fxrun control`, with its words as arguments.
  private func words(_ verb: String, _ message: OSCMessage, _ peer: OSCPeer) {
    let address = message.address
    guard mayNameFiles || !["load", "play", "learn"].contains(verb) || message.arguments.isEmpty
    else { return refuse(peer, address, "only this computer may name files: --osc on 127.0.0.1") }
    let asked: LiveRequest
    do throws(ChainFailure) {
      let words = try ControlWords([verb] + message.arguments.compactMap(\.word))
      let line = Array(words.request.text(indented: false).utf8)
      guard case .live(let request) = try ControlRequest.read(line).verb.get() else {
        return refuse(peer, address, "use /fxrun/subscribe")
      }
      asked = request
    } catch {
      return refuse(peer, address, error.message)
    }
    control.post(asked) { [self] outcome in answer(outcome, address, peer) }
  }

  private func answer(_ outcome: LiveControl.Outcome, _ address: String, _ peer: OSCPeer) {
    switch outcome {
    case .failure(let failure): refuse(peer, address, failure.message)
    case .success(.done): send(peer, OSCMessage(address, [.text("ok")]))
    case .success(.value(let value)), .success(.gain(let value)):
      send(peer, OSCMessage(address, [.float(Float(value))]))
    case .success(.switched(let isOn)): send(peer, OSCMessage(address, [.integer(isOn ? 1 : 0)]))
    case .success(.reading(let reading)):
      send(peer, OSCMessage(address, reading.values.map { .float(Float($0)) }))
    case .success(let answer):
      let text = ControlAnswer.json(answer).text(indented: false)
      send(peer, OSCMessage(address, [.text(text)]))
    }
  }

  func refuse(_ peer: OSCPeer, _ address: String, _ reason: String) {
    send(peer, OSCMessage("/fxrun/error", [.text(address), .text(reason)]))
  }

  // MARK: Subscriptions

  private func list(_ peer: OSCPeer) {
    refresh { [self] in
      for (address, parameter) in state.withLock({ $0.namespace.parameters }) {
        send(
          peer,
          OSCMessage(
            "/fxrun/parameter",
            [
              .text(address), .text(parameter.kind.rawValue), .text(parameter.unit),
              .float(Float(parameter.minimum)), .float(Float(parameter.maximum)),
              .float(Float(parameter.value)), .text(parameter.summary),
            ]))
      }
    }
  }

  private func subscribe(_ message: OSCMessage, _ peer: OSCPeer) {
    let texts = message.arguments.compactMap { if case .text(let text) = $0 { text } else { nil } }
    let wanted = texts.map { OSCPattern($0.hasPrefix("/") ? $0 : OSCNamespace.address($0)) }
    let isFull = state.withLock { state in
      guard state.subscribers[peer] != nil || state.subscribers.count < Self.subscriberLimit
      else { return true }
      var subscriber = state.subscribers[peer] ?? OSCSubscriber()
      // Without a name: everything.
      subscriber.patterns = wanted.isEmpty ? [OSCPattern.all] : subscriber.patterns + wanted
      state.subscribers[peer] = subscriber
      return false
    }
    guard !isFull else {
      return refuse(peer, message.address, "\(Self.subscriberLimit) subscribers are the most")
    }
    refresh { [self] in
      let parameters = state.withLock { $0.namespace.parameters }
      for (address, parameter) in parameters
      where wanted.isEmpty || wanted.contains(where: { $0.matches(address) }) {
        send(peer, OSCMessage(address, [.float(Float(parameter.value))]))
      }
    }
  }

  /// Tells subscribers what has changed, whoever changed it.
  func report(_ changes: [LiveChange]) {
    for change in changes {
      let messages = state.withLock { state in
        let addresses = state.namespace.addresses(of: change.parameter)
        return state.subscribers.keys.flatMap { peer -> [(OSCPeer, String)] in
          if state.subscribers[peer]?.made(change.parameter, change.value) == true { return [] }
          let patterns = state.subscribers[peer]?.patterns ?? []
          return addresses.filter { address in patterns.contains { $0.matches(address) } }
            .map { (peer, $0) }
        }
      }
      for (peer, address) in messages {
        send(peer, OSCMessage(address, [.float(Float(change.value))]))
      }
    }
  }

  /// Forgets a sender that is gone.
  func forget(_ peer: OSCPeer) { state.withLock { state in state.subscribers[peer] = nil } }

  // MARK: Levels

  private func setMeters(_ message: OSCMessage, _ peer: OSCPeer) {
    guard let rate = message.arguments.first?.number,
      rate == 0 || Self.meterRates.contains(rate)
    else {
      return refuse(peer, message.address, "levels come 0.1 to 60 times a second, or 0 for none")
    }
    state.withLock { state in
      var subscriber = state.subscribers[peer] ?? OSCSubscriber()
      subscriber.meterRate = rate
      subscriber.nextMeters = 0
      let hasRoom = state.subscribers[peer] != nil || state.subscribers.count < Self.subscriberLimit
      if hasRoom { state.subscribers[peer] = subscriber.isIdle ? nil : subscriber }
    }
  }

  private func sendMeters(_ now: Double) {
    let peers = state.withLock { state in
      let due = state.subscribers.filter { $0.value.meterRate > 0 && $0.value.nextMeters <= now }
      for (peer, subscriber) in due {
        // After a delay the levels that were missed are not made up.
        let last = now - subscriber.nextMeters < 0.1 ? subscriber.nextMeters : now
        state.subscribers[peer]?.nextMeters = last + 1 / subscriber.meterRate
      }
      return Array(due.keys)
    }
    control.post(.snapshot) { [self] outcome in
      guard case .success(.snapshot(let snapshot)) = outcome else { return }
      let messages = OSCMeters.messages(snapshot)
      for peer in peers {
        for message in messages { send(peer, message) }
      }
    }
  }
}

extension OSCPattern {
  /// Every address: those of nodes have two parts or more, exposed ones one.
  fileprivate static let all = OSCPattern("{/*,/*/*,/*/*/*,/*/*/*/*,/*/*/*/*/*}")
}

extension OSCMessage.Argument {
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .flag(let flag): flag ? 1 : 0
    case .text, .bytes, .nothing: nil
    }
  }

  /// A value for a parameter.
  fileprivate var value: LiveValue? {
    if case .text(let text) = self { return .text(text) }
    return number.map { .number($0) }
  }

  /// A word of a request.
  fileprivate var word: String? {
    switch self {
    case .text(let text): text
    case .flag(let flag): flag ? "on" : "off"
    case .bytes, .nothing: nil
    case .integer, .float, .double: number.map(shortNumber)
    }
  }
}
