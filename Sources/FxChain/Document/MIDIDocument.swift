/// The `midi` key of a node.
struct MIDIDocument: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// A file and the only channel to read, from 1.
    case file(Located<String>, channel: Int?)
    case events([MIDIEventDocument])
    /// A live input, and the sender to connect to it.
    case port(String, from: String?)
  }

  package var content: Content
  package var place: Place
}

/// An event of the `midi` key.
struct MIDIEventDocument: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The default duration is half a second.
    case note(number: UInt8, velocity: UInt8, channel: UInt8, duration: Located<RawValue>?)
    /// Status, then data.
    case message([UInt8])
    /// An event that was reported as wrong; its times are still checked.
    case broken(duration: Located<RawValue>?)
  }

  /// nil if it is missing, which was reported.
  package var at: Located<RawValue>?
  package var kind: Kind
}
