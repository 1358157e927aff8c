/// A value for one parameter: `comp.threshold`, `-18 dB`, as a chain would write them.
public struct ParameterSetting: Sendable, Equatable {
  public var parameter: String
  public var value: String

  public init(_ parameter: String, _ value: String) {
    self.parameter = parameter
    self.value = value
  }
}

/// A node, and the file that records its output.
public struct NodeTap: Sendable, Equatable {
  public var node: String
  public var file: String

  public init(_ node: String, _ file: String) {
    self.node = node
    self.file = file
  }
}
