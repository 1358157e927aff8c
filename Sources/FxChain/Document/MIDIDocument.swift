package import FxDiagnostics

/// The `midi` key of a node.
package struct MIDIDocument: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// A file and the only channel to take, from 1.
    case file(Located<String>, channel: Int?)
    case events([MIDIEventDocument])
    /// A live input, and the sender that it is connected to.
    case port(String, from: String?)
  }

  package var content: Content
  package var place: Place
}

/// An event of the `midi` key.
package struct MIDIEventDocument: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Its duration is half a second where none is given.
    case note(number: UInt8, velocity: UInt8, channel: UInt8, duration: Located<RawValue>?)
    /// Status, then data.
    case message([UInt8])
    /// A mistake that has been reported; its times are still to be looked at.
    case broken(duration: Located<RawValue>?)
  }

  /// nil where it is missing, which has been reported.
  package var at: Located<RawValue>?
  package var kind: Kind
}
