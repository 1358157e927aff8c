/// Everything of a program that a render thread needs, in memory that the program owns. The driver
/// reads it again when the program has changed.
///
/// Sources and sinks have the numbers of the first program that ran (`RenderProgram.sourceOrder`).
/// A driver's sources and sinks keep their numbers when a changed chain orders them differently.
package struct ProgramView: BitwiseCopyable, @unchecked Sendable {
  // Sendable: pointers to memory that only the render thread uses while the program runs.
  package let renderer: Renderer
  package let sourceGuard: SourceGuard
  package let sourceCount: Int
  package let sinkCount: Int
  /// By source, by channel: where to write a source's frames before a render.
  package let sourceBuffers: UnsafePointer<UnsafePointer<UnsafeMutablePointer<Float>>>
  /// By sink, by channel: where a sink's frames are after a render.
  package let sinkBuffers: UnsafePointer<UnsafePointer<UnsafePointer<Float>>>
  /// By source: its number in this program, for `sourceGuard`.
  package let sourceIndices: UnsafePointer<Int>
  /// By sink: its number in this program, the index into `sinkLatencyNumbers`.
  package let sinkIndices: UnsafePointer<Int>
  /// By sink: its latency in frames when the program begins.
  package let sinkLatencies: UnsafePointer<Int>
  /// See `RenderProgram.sinkLatencyNumbers`.
  package let sinkLatencyNumbers: UnsafePointer<Int>?

  init(
    renderer: Renderer, sourceGuard: SourceGuard, sources: [[UnsafeMutablePointer<Float>]],
    sinks: [[UnsafeMutablePointer<Float>]], sourceOrder: [Int], sinkOrder: [Int],
    sinkLatencies: [Int], sinkLatencyNumbers: UnsafePointer<Int>?, in arena: inout Arena
  ) {
    self.renderer = renderer
    self.sourceGuard = sourceGuard
    sourceCount = sources.count
    sinkCount = sinks.count
    let (sourcePlaces, sinkPlaces) = (Self.inverse(sourceOrder), Self.inverse(sinkOrder))
    sourceBuffers = UnsafePointer(
      arena.allocate(sourcePlaces.map { UnsafePointer(arena.allocate(sources[$0])) }))
    sinkBuffers = UnsafePointer(
      arena.allocate(
        sinkPlaces.map { UnsafePointer(arena.allocate(sinks[$0].map { UnsafePointer($0) })) }))
    sourceIndices = UnsafePointer(arena.allocate(sourcePlaces))
    sinkIndices = UnsafePointer(arena.allocate(sinkPlaces))
    self.sinkLatencies = UnsafePointer(arena.allocate(sinkPlaces.map { sinkLatencies[$0] }))
    self.sinkLatencyNumbers = sinkLatencyNumbers
  }

  private static func inverse(_ order: [Int]) -> [Int] {
    var inverse = Array(order.indices)
    for (index, place) in order.enumerated() where inverse.indices.contains(place) {
      inverse[place] = index
    }
    return inverse
  }
}
