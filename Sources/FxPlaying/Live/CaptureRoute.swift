import FxDevices

/// Where what a device records goes: the buffers of every source that is recorded.
///
/// A view for the render thread; the driver destroys it.
struct CaptureRoute: @unchecked Sendable {
  // Sendable: pointers that the render thread alone uses once it runs.
  private let device: Unmanaged<SoundDevice>
  /// The widest source is read into, the others copy.
  private let widest: UnsafePointer<UnsafeMutablePointer<Float>>?
  private let width: Int
  private let others: UnsafeMutablePointer<Other>
  private let otherCount: Int
  /// Frames that are recorded after the end of the sound: what is sung to its last ones.
  private let lateness: Int

  private struct Other: BitwiseCopyable {
    let buffers: UnsafePointer<UnsafeMutablePointer<Float>>
    let width: Int
  }

  init(_ sources: SourceBank, _ device: SoundDevice, lateness: Int = 0) {
    self.lateness = lateness
    self.device = .passUnretained(device)
    let recorded = sources.feedOfSource.indices.filter { sources.feedOfSource[$0] == nil }
    let first = recorded.max { sources.width($0) < sources.width($1) }
    widest = first.map(sources.buffers)
    width = first.map(sources.width) ?? 0
    let rest = recorded.filter { $0 != first }
    otherCount = rest.count
    others = .allocate(capacity: max(rest.count, 1))
    for (index, source) in rest.enumerated() {
      (others + index).initialize(
        to: Other(buffers: sources.buffers(source), width: sources.width(source)))
    }
  }

  func destroy() { others.deallocate() }

  var isEmpty: Bool { widest == nil }

  /// Records a block; behind `end`, and what comes late of it, there is silence. False when the device is lost.
  func read(frameCount: Int, end: Int?, at frame: Int) -> Bool {
    guard let widest else { return true }
    let isRead = device._withUnsafeGuaranteedRef {
      $0.read(into: widest, width: width, frameCount: frameCount)
    }
    guard isRead else { return false }
    if let end, frame + frameCount > end + lateness {
      for channel in 0..<width {
        for index in max(end + lateness - frame, 0)..<frameCount { widest[channel][index] = 0 }
      }
    }
    for index in 0..<otherCount {
      let other = others[index]
      for channel in 0..<min(other.width, width) {
        other.buffers[channel].update(from: widest[channel], count: frameCount)
      }
    }
    return true
  }
}
