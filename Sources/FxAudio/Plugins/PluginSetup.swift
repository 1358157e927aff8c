/// The settings of a plugin in a chain that are not parameters: they are applied before it renders.
package struct PluginSetup: Sendable, Hashable {
  /// The source of its state.
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

  /// A `patch:writable` parameter and its value.
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
  /// It runs in its own process.
  package var isIsolated: Bool
  /// Parameters that could follow the musical time, but that the chain sets.
  package var setParameters: Set<String> = []

  package init(state: State? = nil, properties: [Property] = [], isIsolated: Bool = false) {
    self.state = state
    self.properties = properties
    self.isIsolated = isIsolated
  }
}
