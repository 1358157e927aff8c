/// An event input or output of a unit: MIDI messages and other atoms.
public struct EventPortSpec: Sendable, Hashable {
  public var name: String
  public var takesMIDI: Bool

  public init(_ name: String, takesMIDI: Bool = true) {
    self.name = name
    self.takesMIDI = takesMIDI
  }
}
