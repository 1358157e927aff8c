/// Values that are set together, resolved.
package struct Scene: Sendable, Equatable {
  /// One parameter, in its own unit of measure; a node's bypass is the parameter `bypass`, 0 or 1.
  package struct Change: Sendable, Equatable {
    package var parameter: BuiltChain.Parameter
    package var value: Double
  }

  /// An included chain's is `inner/name`.
  package var name: String
  package var changes: [Change]
  /// Seconds that the change takes; nil for each parameter's own smoothing.
  package var ramp: Double?
}
