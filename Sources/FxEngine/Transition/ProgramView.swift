/// All of a program that a render thread needs, in memory that the program owns. Read anew by the
/// driver where the program has changed.
///
/// Sources and sinks are counted as in the first program that ran (`RenderProgram.sourceOrder`), so
/// that a driver's own go on with theirs whatever order a changed chain has them in.
package struct ProgramView: BitwiseCopyable, @unchecked Sendable {
  // Sendable: pointers to memory that the render thread alone touches while the program runs.
  package let renderer: Renderer
  package let sourceGuard: SourceGuard
  package let sourceCount: Int
  package let sinkCount: Int
  /// By source, by channel: where a source's frames are put before a render.
  package let sourceBuffers: UnsafePointer<UnsafePointer<UnsafeMutablePointer<Float>>>
  /// By sink, by channel: where a sink's frames are after a render.
  package let sinkBuffers: UnsafePointer<UnsafePointer<UnsafePointer<Float>>>
  /// By source: which one of this program's own it is; what `sourceGuard` wants to know.
  package let sourceIndices: UnsafePointer<Int>
  /// By sink: which one of this program's own it is; the place in `sinkLatencyNumbers`.
  package let sinkIndices: UnsafePointer<Int>
  /// By sink: frames by which it is late as the program begins.
  package let sinkLatencies: UnsafePointer<Int>
  /// What `RenderProgram.sinkLatencyNumbers` says.
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
