// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Calculates a control signal from up to four others.
public struct ExpressionUnit: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - formula: `a`, `b`, `c`, `d` (the inputs; 0 where nothing feeds them), `time` (seconds),
  ///     `beat`, `tempo`, `pi`, numbers, brackets, `+ - * /`, `< <= == != >= >` (1 or 0), `min(x,
  ///     y)`, `max(x, y)`, `abs(x)`, `floor(x)`, `sqrt(x)`, `sin(x)` (radians), `exp2(x)`,
  ///     `log2(x)`, `clamp(x, low, high)`, `select(condition, x, y)`. What is no number counts as
  ///     0.
  ///   - low: The least value of the output. (-1000000…1000000; default -1)
  ///   - high: The greatest value of the output. (-1000000…1000000; default 1)
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    formula: String,
    low: Double? = nil,
    high: Double? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("expression", id, fileID, line)
    node.setOption("formula", formula)
    node.setOption("low", low)
    node.setOption("high", high)
  }

  /// The port a of the unit.
  public var a: GraphPort { port("a") }

  /// The port b of the unit.
  public var b: GraphPort { port("b") }

  /// The port c of the unit.
  public var c: GraphPort { port("c") }

  /// The port d of the unit.
  public var d: GraphPort { port("d") }
}
