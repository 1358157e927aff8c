import FxAnalysis
import FxAudio

/// What is known of a sound that was looked at piece by piece.
struct SoundLook {
  private let sampleRate: Double
  private var digests: [SampleDigest]
  private var frameCounts: [Int]
  /// No sample is further from the rendered one than rounding to 24 bits takes it.
  private(set) var isNear = true

  init(channelCount: Int, sampleRate: Double) {
    self.sampleRate = sampleRate
    digests = .init(repeating: SampleDigest(), count: channelCount)
    frameCounts = .init(repeating: 0, count: channelCount)
  }

  mutating func add(
    _ samples: UnsafeBufferPointer<Float>, to channel: Int, beside rendered: Sound? = nil
  ) {
    guard let base = samples.baseAddress else { return }
    let first = frameCounts[channel]
    digests[channel].append(base, frameCount: samples.count)
    frameCounts[channel] += samples.count
    guard isNear, let rendered else { return }
    guard channel < rendered.channelCount, frameCounts[channel] <= rendered.frameCount else {
      isNear = false
      return
    }
    isNear = rendered.channels[channel].withUnsafeBufferPointer { rendered in
      samples.indices.allSatisfy { abs(samples[$0] - rendered[first + $0]) <= 0x1p-23 }
    }
  }

  var shape: Comparison.Shape {
    Comparison.Shape(
      channelCount: digests.count, frameCount: frameCounts.first ?? 0, sampleRate: sampleRate)
  }

  /// Of all channels, one after the other, and how many there are: as a manifest has it of an output.
  var digest: UInt64 {
    digests.reduce(UInt64(digests.count)) { SampleDigest.joined($0, $1.value) }
  }
}

extension Sound {
  private var look: SoundLook {
    var look = SoundLook(channelCount: channelCount, sampleRate: sampleRate)
    for channel in channels.indices {
      channels[channel].withUnsafeBufferPointer { look.add($0, to: channel) }
    }
    return look
  }

  var digest: UInt64 { look.digest }

  /// Whether it is the sound that lay beside a manifest when that was written.
  func isBeside(_ output: Manifest.Output) -> Bool { output.isBeside(look, isUnchanged: false) }
}

extension Manifest.Output {
  /// Whether a sound is the one that lay beside the manifest when it was written.
  ///
  /// - Parameter isUnchanged: it was looked at beside the output, whose bits are still those of the
  ///   golden. Manifests of earlier versions do not say what a FLAC file has, which is 24 bits of each sample.
  func isBeside(_ look: SoundLook, isUnchanged: Bool) -> Bool {
    guard look.shape == shape else { return false }
    if let soundDigest { return look.digest == soundDigest }
    let isFLAC = sound?.lowercased().hasSuffix(".flac") ?? false
    return isFLAC ? !isUnchanged || look.isNear : look.digest == digest
  }
}
