/// A resolved scene: values that are set together.
package struct Scene: Sendable, Equatable {
  /// One parameter, in its own unit of measure; a node's bypass is the parameter `bypass`, 0 or 1.
  package struct Change: Sendable, Equatable {
    package var parameter: BuiltChain.Parameter
    package var value: Double
  }

  /// A scene of an included chain is called `inner/name`.
  package var name: String
  package var changes: [Change]
  /// The duration of the change in seconds; nil for each parameter's own smoothing.
  package var ramp: Double?
}
