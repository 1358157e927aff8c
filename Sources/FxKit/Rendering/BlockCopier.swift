import CRealtime
import FxAudio
import FxEngine

/// Copies a caller's samples into a program's sources, renders, and copies its sinks out.
final class BlockCopier {
  private let renderer: Renderer
  private let sourceGuard: SourceGuard
  private let blockSize: Int
  /// The program's buffers, one for each channel of all sources and of all sinks.
  private let sources: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let sourceCount: Int
  private let sinks: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let sinkCount: Int
  /// The channels of each source.
  private let widths: [Int]

  /// The program must live as long as this object.
  init(_ program: RenderProgram, blockSize: Int) {
    renderer = program.renderer
    sourceGuard = program.sourceGuard
    self.blockSize = blockSize
    widths = program.sourceWidths
    (sources, sourceCount) = Self.pointers(
      program.sourceWidths.enumerated().flatMap { source, width in
        (0..<width).map { program.sourceBuffer(source, channel: $0) }
      })
    (sinks, sinkCount) = Self.pointers(
      program.sinkWidths.enumerated().flatMap { sink, width in
        (0..<width).map { UnsafeMutablePointer(mutating: program.sinkBuffer(sink, channel: $0)) }
      })
  }

  deinit {
    sources.deallocate()
    sinks.deallocate()
  }

  private static func pointers(
    _ buffers: [UnsafeMutablePointer<Float>]
  ) -> (UnsafeMutablePointer<UnsafeMutablePointer<Float>>, Int) {
    let list = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(buffers.count, 1))
    for (index, buffer) in buffers.enumerated() { (list + index).initialize(to: buffer) }
    return (list, buffers.count)
  }

  /// Renders up to a block from arrays into arrays, `frame` frames behind their beginnings.
  func renderBlock(
    _ count: Int, from input: [[Float]], into output: inout [[Float]], at frame: Int
  ) {
    for channel in 0..<sourceCount {
      input[channel].withUnsafeBufferPointer { samples in
        for offset in 0..<count { sources[channel][offset] = samples[frame + offset] }
      }
    }
    render(count)
    for channel in 0..<sinkCount {
      output[channel].withUnsafeMutableBufferPointer { samples in
        for offset in 0..<count { samples[frame + offset] = sinks[channel][offset] }
      }
    }
  }

  /// Renders from memory into memory.
  func render(
    _ frameCount: Int, from input: UnsafePointer<UnsafePointer<Float>>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    var frame = 0
    while frame < frameCount {
      let count = min(blockSize, frameCount - frame)
      for channel in 0..<sourceCount {
        for offset in 0..<count { sources[channel][offset] = input[channel][frame + offset] }
      }
      render(count)
      for channel in 0..<sinkCount {
        for offset in 0..<count { output[channel][frame + offset] = sinks[channel][offset] }
      }
      frame += count
    }
  }

  private func render(_ count: Int) {
    fx_realtime_enter()
    var first = 0
    for source in widths.indices {
      sourceGuard.inspect(
        source, UnsafePointer(sources + first), channelCount: widths[source], frameCount: count,
        at: renderer.frame)
      first += widths[source]
    }
    renderer.render(frameCount: count)
    fx_realtime_exit()
  }
}
