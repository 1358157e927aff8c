/// A port of a unit that takes or gives events: MIDI messages and other atoms.
package struct EventPortSpec: Sendable, Hashable {
  package var name: String
  package var takesMIDI: Bool

  package init(_ name: String, takesMIDI: Bool = true) {
    self.name = name
    self.takesMIDI = takesMIDI
  }
}
