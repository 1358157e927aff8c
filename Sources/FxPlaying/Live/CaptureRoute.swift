/// Distributes what devices record to the buffers of all recorded sources.
///
/// A view for the render thread; the driver destroys it.
struct CaptureRoute: @unchecked Sendable {
  // Sendable: only the render thread uses the pointers once it runs.
  private let device: Unmanaged<SoundDevice>
  /// nil if the device that sets the pace records nothing.
  private let buffers: RecordedBuffers?
  private let following: UnsafeMutablePointer<Following>
  private let followingCount: Int
  /// Frames that are recorded after the end of the sound, so that a singer's last notes are kept.
  private let lateness: Int

  private struct Following {
    let device: Unmanaged<FollowingDevice>
    let buffers: RecordedBuffers
  }

  /// `following`: the other devices, and the sources that each of them records.
  init(
    _ bank: SourceBank, _ device: SoundDevice,
    following: [(device: FollowingDevice, sources: [Int])] = [], lateness: Int = 0
  ) {
    self.lateness = lateness
    self.device = .passUnretained(device)
    let elsewhere = Set(following.flatMap(\.sources))
    let own = bank.feedOfSource.indices.filter {
      bank.feedOfSource[$0] == nil && !elsewhere.contains($0)
    }
    buffers = RecordedBuffers(bank, own)
    let others = following.compactMap { follower in
      RecordedBuffers(bank, follower.sources).map {
        Following(device: .passUnretained(follower.device), buffers: $0)
      }
    }
    followingCount = others.count
    self.following = .allocate(capacity: max(others.count, 1))
    self.following.initialize(from: others, count: others.count)
  }

  func destroy() {
    buffers?.destroy()
    for index in 0..<followingCount { following[index].buffers.destroy() }
    following.deinitialize(count: followingCount)
    following.deallocate()
  }

  /// True if the device that sets the pace records nothing.
  var isEmpty: Bool { buffers == nil }

  /// Records a block. After `end` plus `lateness`, the frames are replaced by silence. False when
  /// the device that sets the pace is lost.
  func read(frameCount: Int, end: Int?, at frame: Int) -> Bool {
    let kept = end.map { max($0 + lateness - frame, 0) } ?? frameCount
    if let buffers {
      let isRead = device._withUnsafeGuaranteedRef {
        $0.read(into: buffers.widest, width: buffers.width, frameCount: frameCount)
      }
      guard isRead else { return false }
      buffers.share(keeping: kept, of: frameCount)
    }
    for index in 0..<followingCount {
      let buffers = following[index].buffers
      following[index].device._withUnsafeGuaranteedRef {
        $0.pull(into: buffers.widest, width: buffers.width, frameCount: frameCount)
      }
      buffers.share(keeping: kept, of: frameCount)
    }
    return true
  }
}
