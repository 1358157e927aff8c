public import FxAudio

/// A node of the program itself: a chain names it as a unit.
public protocol ProgramNode: AnyObject, Sendable {
  /// The unit's name in the chain.
  var name: String { get }
  /// The unit.
  var type: UnitType { get }
}
