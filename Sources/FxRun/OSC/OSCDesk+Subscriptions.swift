import FxKit
import Synchronization

extension OSCDesk {
  func list(_ peer: OSCPeer) {
    post(.parameters, weight: Self.listWeight, "/fxrun/list", peer) { [self] outcome in
      take(outcome)
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

  func subscribe(_ message: OSCMessage, _ peer: OSCPeer) {
    let texts = message.arguments.compactMap { if case .text(let text) = $0 { text } else { nil } }
    let wanted = texts.map { OSCPattern($0.hasPrefix("/") ? $0 : OSCNamespace.address($0)) }
    let isFull = state.withLock { state in
      guard state.subscribers[peer] != nil || state.subscribers.count < Self.subscriberLimit
      else { return true }
      var subscriber = state.subscribers[peer] ?? OSCSubscriber()
      // Without a name: everything.
      if wanted.isEmpty {
        subscriber.patterns = [OSCPattern.all]
      } else {
        let new = wanted.filter { !subscriber.patterns.contains($0) }
        subscriber.patterns = (subscriber.patterns + new).suffix(Self.patternLimit)
      }
      state.subscribers[peer] = subscriber
      return false
    }
    guard !isFull else {
      return refuse(peer, message.address, "\(Self.subscriberLimit) subscribers are the most")
    }
    post(.parameters, weight: Self.listWeight, message.address, peer) { [self] outcome in
      take(outcome)
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

  func setMeters(_ message: OSCMessage, _ peer: OSCPeer) {
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

  func sendMeters(_ now: Double) {
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
