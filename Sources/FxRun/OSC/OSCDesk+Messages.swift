import FxAudio
import FxChain
import FxKit
import Synchronization

extension OSCDesk {
  func carryOut(_ message: OSCMessage, _ peer: OSCPeer) {
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
      return post(.get(parameter: name), address, peer) { [self] outcome in
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
      state.withLock { state in
        let target = state.namespace.target(name)
        state.subscribers[peer]?.note(own: number, of: target)
      }
    }
    post(.set(parameter: name, to: value, seconds: seconds), address, peer) { [self] outcome in
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
    post(asked, address, peer) { [self] outcome in answer(outcome, address, peer) }
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
}

extension OSCMessage.Argument {
  var number: Double? {
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
