/// The calls into the MIDI sequencer of the system, so that tests can stand in for it.
///
/// Codes below 0 are alsa-lib's.
protocol SequencerConnection: AnyObject, Sendable {
  /// Opens a port that others can send to. Returns its number, or a code.
  func openPort(_ name: String) -> Int32
  /// Asks for an event whenever a client or a port comes or goes.
  func subscribeToAnnouncements()
  /// Finds `client:port`, by name or by number.
  func address(of sender: String) -> (address: SequencerAddress, code: Int32)
  /// Returns 0 for what is connected from now on or already was, or a code.
  func connect(_ port: Int32, from address: SequencerAddress) -> Int32
  func disconnect(_ port: Int32, from address: SequencerAddress)
  /// Waits so long for events. False when there are none.
  func wait(milliseconds: Int32) -> Bool
  /// The next event; nil when there is none.
  func next() -> SequencerEvent?
}

/// A port of the sequencer.
struct SequencerAddress: Sendable, Hashable {
  var client: UInt8
  var port: UInt8
}

enum SequencerEvent: Sendable, Equatable {
  /// A message of one to three bytes for one of our ports: a channel's, or a clock's.
  case message(port: Int32, [UInt8])
  /// A client or a port is there, or has another name.
  case appeared
  /// A client is gone, or a port of it.
  case disappeared(client: UInt8, port: UInt8?)
  /// Events were lost: anything may have come and gone.
  case overrun
  case other
}
