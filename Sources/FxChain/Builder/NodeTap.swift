/// A node, and the file that records its output.
public struct NodeTap: Sendable, Equatable {
  public var node: String
  public var file: String

  public init(_ node: String, _ file: String) {
    self.node = node
    self.file = file
  }
}
