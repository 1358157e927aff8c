/// A parameter of a node by its path, with the type of its values.
///
///     let room = Reverb(id: "room")
///     room.wet.path  // "room.wet"
public struct ParameterReference<Value: ParameterQuantity>: Sendable, Hashable {
  /// The path in the chain: `room.wet`, `eq.bands.presence.gain`, `voice/comp.ratio`, or a name that
  /// the chain exposes.
  public let path: String

  /// - Parameter path: the path as it is written in a chain file.
  public init(path: String) { self.path = path }

  /// A parameter of a node.
  public init(node: String, parameter: String) { path = "\(node).\(parameter)" }

  /// The id of the node; empty for an exposed name.
  public var node: String {
    path.firstIndex(of: ".").map { String(path[..<$0]) } ?? ""
  }

  /// The path within the node.
  public var parameter: String {
    path.firstIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
