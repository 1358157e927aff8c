import FxAudio
package import FxEngine

/// A reading: values that a unit publishes, such as the note of a tuner.
public struct LiveReading: Sendable, Hashable {
  /// The name in requests: `tuner.freq_out`.
  public var name: String
  /// A description for people.
  public var summary: String
  /// `dB`, `Hz`; empty for a plain number.
  public var unit: String
  /// The values now: one number, or one per channel.
  public var values: [Double]

  public init(name: String, summary: String, unit: String, values: [Double]) {
    self.name = name
    self.summary = summary
    self.unit = unit
    self.values = values
  }
}

extension RenderProgram {
  /// All readings of the chain's units now, in the order of the chain.
  package func readings(of compiled: CompiledChain) -> [LiveReading] {
    compiled.resolved.graph.nodes.indices.flatMap { readings(ofNode: $0, of: compiled) }
  }

  func readings(ofNode index: Int, of compiled: CompiledChain) -> [LiveReading] {
    guard instances.indices.contains(index), let instance = instances[index] else { return [] }
    let id = compiled.resolved.graph.nodes[index].id
    let width = compiled.resolved.outputWidths[index].first ?? 0
    return instance.readings(width: width).map { reading in
      LiveReading(
        name: "\(id).\(reading.id)", summary: reading.name,
        unit: reading.measure == Measure.ratio.rawValue ? "" : reading.measure,
        values: reading.values)
    }
  }
}
