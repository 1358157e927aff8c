import Glibc

/// A change of the connection between a MIDI input and its sender.
package struct SenderChange: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The sender cannot be connected yet; the code is alsa-lib's.
    case waiting(code: Int32)
    case connected
    /// The sender is gone; fxrun connects it again when it returns.
    case lost
  }

  package let input: String
  package let sender: String
  package let kind: Kind

  /// A sentence for messages.
  package var description: String {
    switch kind {
    case .waiting(-ENOENT), .waiting(-EINVAL), .waiting(-ENODEV), .waiting(-ENXIO):
      "the MIDI input '\(input)' waits for its sender '\(sender)', which is not there; "
        + "'aconnect -i' lists all senders"
    case .waiting(let code):
      "the MIDI input '\(input)' cannot be connected to '\(sender)' yet: "
        + ALSALibrary.message(code)
    case .connected: "the MIDI input '\(input)' is connected to '\(sender)'"
    case .lost: "the MIDI input '\(input)' has lost its sender '\(sender)'; waiting for it"
    }
  }
}
