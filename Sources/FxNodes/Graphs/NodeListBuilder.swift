/// Builds the nodes of a list from statements: a node on each line, `if`, `switch` and `for`.
@resultBuilder
public enum NodeListBuilder {
  public static func buildExpression(_ node: some ChainNode) -> [Node] { [node.node] }
  public static func buildExpression(_ node: (any ChainNode)?) -> [Node] {
    node.map { [$0.node] } ?? []
  }
  public static func buildExpression(_ nodes: [any ChainNode]) -> [Node] { nodes.map(\.node) }
  public static func buildBlock(_ parts: [Node]...) -> [Node] { parts.flatMap(\.self) }
  public static func buildOptional(_ nodes: [Node]?) -> [Node] { nodes ?? [] }
  public static func buildEither(first nodes: [Node]) -> [Node] { nodes }
  public static func buildEither(second nodes: [Node]) -> [Node] { nodes }
  public static func buildArray(_ parts: [[Node]]) -> [Node] { parts.flatMap(\.self) }
  public static func buildLimitedAvailability(_ nodes: [Node]) -> [Node] { nodes }
}
