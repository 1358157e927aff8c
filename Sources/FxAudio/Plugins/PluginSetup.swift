/// What a chain says of a plugin beside its parameters: what it is given before it renders.
package struct PluginSetup: Sendable, Hashable {
  /// Where its state comes from.
  package enum State: Sendable, Hashable {
    /// A preset, by its URI.
    case preset(String)
    /// A saved state's folder, absolute.
    case folder(String)
  }

  package enum Value: Sendable, Hashable {
    case text(String)
    case number(Double)
    case flag(Bool)
    /// A file's absolute path.
    case file(String)
  }

  /// A `patch:writable` parameter and what it is set to.
  package struct Property: Sendable, Hashable {
    package var uri: String
    package var value: Value

    package init(uri: String, value: Value) {
      self.uri = uri
      self.value = value
    }
  }

  package var state: State?
  /// Set after the state, in this order.
  package var properties: [Property]
  /// Runs in a process of its own.
  package var isIsolated: Bool
  /// Parameters that would follow the musical time, and that the chain sets instead.
  package var setParameters: Set<String> = []

  package init(state: State? = nil, properties: [Property] = [], isIsolated: Bool = false) {
    self.state = state
    self.properties = properties
    self.isIsolated = isIsolated
  }
}
