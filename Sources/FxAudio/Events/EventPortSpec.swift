/// An event input or output of a unit: MIDI messages and other atoms.
package struct EventPortSpec: Sendable, Hashable {
  package var name: String
  package var takesMIDI: Bool

  package init(_ name: String, takesMIDI: Bool = true) {
    self.name = name
    self.takesMIDI = takesMIDI
  }
}
