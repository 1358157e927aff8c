package import FxAnalysis
import FxAudio

extension Sound {
  /// Of all channels, one after the other, and how many there are: as a manifest has it of an output.
  package var digest: UInt64 {
    channels.reduce(UInt64(channelCount)) { whole, channel in
      var digest = SampleDigest()
      channel.withUnsafeBufferPointer { samples in
        if let base = samples.baseAddress { digest.append(base, frameCount: samples.count) }
      }
      return SampleDigest.joined(whole, digest.value)
    }
  }
}

extension Manifest.Output {
  /// Whether a sound is the one that lay beside the manifest when it was written.
  ///
  /// - Parameter rendered: the output, where its bits are still those of the golden. Manifests of earlier
  ///   versions do not say what a FLAC file holds, which has 24 bits of each sample.
  package func isBeside(_ sound: Sound, rendered: Sound? = nil) -> Bool {
    guard Comparison.Shape(sound) == shape else { return false }
    if let soundDigest { return sound.digest == soundDigest }
    let isFLAC = self.sound?.lowercased().hasSuffix(".flac") ?? false
    guard isFLAC else { return sound.digest == digest }
    guard let rendered else { return true }
    return zip(sound.channels, rendered.channels).allSatisfy { one, other in
      one.count == other.count && one.indices.allSatisfy { abs(one[$0] - other[$0]) <= 0x1p-23 }
    }
  }
}
