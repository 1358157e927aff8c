import CKernels

/// Checks the sources' samples before the first unit: NaN and infinite samples become 0, so that no
/// unit is blamed for them. Counted on the render thread, reported after the render has ended.
package struct SourceGuard: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the program's memory; only the render thread uses it until it has ended.
  private struct Source: BitwiseCopyable {
    let channelCount: Int
    var clearedCount = 0
    var firstFrame = 0
  }

  private let sources: UnsafeMutablePointer<Source>
  private let count: Int
  private let vectorLevel: Int32

  /// By source: its channels.
  init(_ widths: [Int], in arena: inout Arena) {
    sources = arena.allocate(widths.map { Source(channelCount: $0) })
    count = widths.count
    vectorLevel = fx_vector_level()
  }

  /// The number of samples cleared in a source, and the frame of the first; nil for none.
  package func findings(_ source: Int) -> (count: Int, firstFrame: Int)? {
    guard source >= 0, source < count, sources[source].clearedCount > 0 else { return nil }
    return (sources[source].clearedCount, sources[source].firstFrame)
  }

  // MARK: - Realtime

  /// Clears samples that are not finite in the first channels of a source, in these buffers.
  /// `frame` is the absolute frame of the first sample.
  @_noLocks
  package func inspect(
    _ source: Int, _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int,
    frameCount: Int, at frame: Int
  ) {
    let width = min(channelCount, sources[source].channelCount)
    if fx_is_finite(vectorLevel, channels, width, frameCount) != 0 { return }
    var isInfinite: Int32 = 0
    let first = fx_first_not_finite(channels, width, frameCount, &isInfinite)
    if sources[source].clearedCount == 0 { sources[source].firstFrame = frame &+ first }
    let cleared = fx_clear_not_finite(channels, width, frameCount)
    sources[source].clearedCount = sources[source].clearedCount &+ cleared
  }
}
