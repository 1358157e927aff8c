import FxAudio

/// The digest of a source's sound, which shows whether two renders had the same input.
struct SourceFingerprint: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the render thread writes; other threads read when the render has ended.
  private let channels: UnsafePointer<UnsafePointer<Float>>
  private let channelCount: Int
  private let digests: UnsafeMutablePointer<SoundDigest>

  init(of side: SideFingerprint, in arena: inout Arena) {
    channels = side.channels
    channelCount = side.channelCount
    digests = arena.allocate([SoundDigest](repeating: SoundDigest(), count: max(channelCount, 1)))
  }

  /// The digest of all channels, one after another.
  var value: UInt64 {
    (0..<channelCount).reduce(UInt64(channelCount)) {
      SampleDigest.joined($0, digests[$1].value)
    }
  }

  // MARK: - Realtime

  @_noLocks
  func note(frameCount: Int) {
    for channel in 0..<channelCount {
      digests[channel].append(channels[channel], frameCount: frameCount)
    }
  }
}
