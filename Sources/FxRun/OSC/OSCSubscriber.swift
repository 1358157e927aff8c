/// What a sender of OSC messages wants to be told.
struct OSCSubscriber {
  /// The parameters whose changes it receives.
  var patterns: [OSCPattern] = []
  /// Levels and readings a second; 0 for none.
  var meterRate = 0.0
  /// When the next levels are due, on the monotonic clock.
  var nextMeters = 0.0
  /// Values that it has set itself, which are not sent back to it: a fader that is moved would jump.
  private var ownValues: [String: Double] = [:]

  var isIdle: Bool { patterns.isEmpty && meterRate == 0 }

  mutating func note(own value: Double, of name: String) {
    // A surface moves some faders at a time.
    if ownValues.count > 256 { ownValues = [:] }
    ownValues[name] = value
  }

  /// True if a change is the one that this sender made.
  mutating func made(_ name: String, _ value: Double) -> Bool {
    guard let own = ownValues.removeValue(forKey: name) else { return false }
    return abs(own - value) <= 1e-6 * max(1, abs(value))
  }
}

/// Who sent a packet: the address of a datagram, or a connection.
enum OSCPeer: Hashable {
  case datagram([UInt8])
  case connection(Int)
}
