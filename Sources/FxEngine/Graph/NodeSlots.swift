/// Which of a node's parameters belong to its unit and which to the node itself.
///
/// Only this type knows their order: the unit's, `wet`, `bypass`, the depths of modulations.
package struct NodeSlots: Sendable, Hashable {
  /// The unit's parameters.
  package let ofUnit: Range<Int>

  /// - Parameters:
  ///   - count: The number of the node's parameters.
  ///   - depthCount: How many of them are depths of modulations.
  package init(count: Int, depthCount: Int) { ofUnit = 0..<max(0, count - depthCount - 2) }

  package var wet: Int { ofUnit.upperBound }
  package var bypass: Int { ofUnit.upperBound + 1 }

  /// True for the two that mix the unit's output with the dry signal.
  package func mixesDry(_ slot: Int) -> Bool { slot == wet || slot == bypass }
}

extension UnitConfiguration {
  package var slots: NodeSlots {
    NodeSlots(count: parameters.count, depthCount: modulations.count)
  }

  /// The values that the unit receives, in the chain's units of measure.
  package var unitValues: [Double] { Array(values[slots.ofUnit]) }
}
