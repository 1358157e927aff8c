/// The calls to the system's MIDI sequencer, so that tests can replace them.
///
/// Negative codes are alsa-lib's.
protocol SequencerConnection: AnyObject, Sendable {
  /// Opens a port that others can send to. Returns its number or a code.
  func openPort(_ name: String) -> Int32
  /// Requests an event whenever a client or a port appears or disappears.
  func subscribeToAnnouncements()
  /// Finds `client:port`, by name or by number.
  func address(of sender: String) -> (address: SequencerAddress, code: Int32)
  /// Returns 0 for a new or an existing connection, or a code.
  func connect(_ port: Int32, from address: SequencerAddress) -> Int32
  func disconnect(_ port: Int32, from address: SequencerAddress)
  /// Waits up to `milliseconds` for events. False when there are none.
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
  /// A message of one to three bytes for a port of fxrun: of a channel or of a clock.
  case message(port: Int32, [UInt8])
  /// A client or a port has appeared, or has another name.
  case appeared
  /// A client or one of its ports has disappeared.
  case disappeared(client: UInt8, port: UInt8?)
  /// Events were lost: any sender may have appeared or disappeared.
  case overrun
  case other
}
