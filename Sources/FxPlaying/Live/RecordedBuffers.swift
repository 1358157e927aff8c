/// The buffers of the sources that one device records.
///
/// A view for the render thread; the driver destroys it.
struct RecordedBuffers: BitwiseCopyable, @unchecked Sendable {
  // Sendable: only the render thread uses the pointers once it runs.
  /// The buffers of the widest source, which is recorded into; the other sources get copies.
  let widest: UnsafePointer<UnsafeMutablePointer<Float>>
  let width: Int
  private let others: UnsafeMutablePointer<Other>
  private let otherCount: Int

  private struct Other: BitwiseCopyable {
    let buffers: UnsafePointer<UnsafeMutablePointer<Float>>
    let width: Int
  }

  /// nil if there are no sources.
  init?(_ bank: SourceBank, _ sources: [Int]) {
    guard let first = sources.max(by: { bank.width($0) < bank.width($1) }) else { return nil }
    widest = bank.buffers(first)
    width = bank.width(first)
    let rest = sources.filter { $0 != first }
    otherCount = rest.count
    others = .allocate(capacity: max(rest.count, 1))
    for (index, source) in rest.enumerated() {
      (others + index).initialize(
        to: Other(buffers: bank.buffers(source), width: bank.width(source)))
    }
  }

  func destroy() { others.deallocate() }

  /// Replaces all but the first `kept` recorded frames by silence, and copies the frames to the
  /// other sources.
  func share(keeping kept: Int, of frameCount: Int) {
    for channel in 0..<width {
      for index in min(kept, frameCount)..<frameCount { widest[channel][index] = 0 }
    }
    for index in 0..<otherCount {
      let other = others[index]
      for channel in 0..<min(other.width, width) {
        other.buffers[channel].update(from: widest[channel], count: frameCount)
      }
    }
  }
}
