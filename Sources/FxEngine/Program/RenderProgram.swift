package import FxAudio
package import FxGraph

/// A plan made runnable: its instances, and memory for its buffers, delays and parameters.
///
/// Made, held and freed on the control thread; `renderer` is its half on the render thread. Nothing
/// that a render touches is allocated after `init`.
package final class RenderProgram: @unchecked Sendable {
  // Sendable: immutable after `init` but for memory that only the renderer touches while it runs,
  // and the command ring.
  package let plan: RenderPlan
  package let configuration: ProgramConfiguration
  package let renderer: Renderer
  /// By node; nil for sources and sinks.
  package let instances: [UnitInstance?]
  private let graph: ResolvedGraph
  private let sourceBuffers: [[UnsafeMutablePointer<Float>]]
  private let sinkBuffers: [[UnsafeMutablePointer<Float>]]
  private let commands: CommandRing
  private var arena: Arena

  /// `instances` by node, prepared for the same widths and block length; nil for sources and sinks.
  package init(
    plan: RenderPlan, graph: ResolvedGraph, instances: [UnitInstance?],
    configuration: ProgramConfiguration
  ) {
    self.plan = plan
    self.graph = graph
    self.instances = instances
    self.configuration = configuration
    var builder = ProgramBuilder(
      plan: plan, graph: graph, instances: instances, configuration: configuration)
    let sections = builder.sections()
    sourceBuffers = plan.sources.map { $0.buffers.map { builder.buffers[$0] } }
    sinkBuffers = plan.sinks.map { $0.buffers.map { builder.buffers[$0] } }
    commands = builder.commands
    renderer = Renderer(
      sections: sections, commands: builder.commands, calls: builder.calls,
      startFrame: configuration.startFrame, in: &builder.arena)
    arena = builder.arena
  }

  deinit { arena.destroy() }

  package var sampleRate: Double { configuration.sampleRate }
  package var maximumFrameCount: Int { configuration.maximumFrameCount }
  package var sourceWidths: [Int] { sourceBuffers.map(\.count) }
  package var sinkWidths: [Int] { sinkBuffers.map(\.count) }
  package var sinkLatencies: [Int] { plan.sinks.map(\.latency) }

  /// Where a source's frames are put before a render; `maximumFrameCount` floats.
  package func sourceBuffer(_ source: Int, channel: Int) -> UnsafeMutablePointer<Float> {
    sourceBuffers[source][channel]
  }

  /// Where a sink's frames are after a render. Two channels may be the same memory.
  package func sinkBuffer(_ sink: Int, channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(sinkBuffers[sink][channel])
  }

  /// Sends a parameter towards a value, given in the chain's unit of measure, from the next block
  /// on. False when too many changes are waiting.
  package func set(node: Int, parameter: Int, to value: Double) -> Bool {
    guard case .unit(let unit) = graph.graph.nodes[node].content,
      unit.parameters.indices.contains(parameter)
    else { return false }
    return commands.send(
      Command(
        node: Int32(node), parameter: Int32(parameter),
        value: unit.parameters[parameter].spec.delivered(value)))
  }
}
