import FxAudio

/// The shape and digest of a sound, computed piece by piece.
struct SoundLook {
  private let sampleRate: Double
  private var digests: [SampleDigest]
  private var frameCounts: [Int]
  /// True while every sample differs by at most one 24-bit step from the rendered one.
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

  /// The digest of all channels and their number, computed like a manifest's digest of an output.
  var digest: UInt64 {
    digests.reduce(UInt64(digests.count)) { SampleDigest.joined($0, $1.value) }
  }
}

extension Sound {
  private var look: SoundLook { look(beside: nil) }

  private func look(beside rendered: Sound?) -> SoundLook {
    var look = SoundLook(channelCount: channelCount, sampleRate: sampleRate)
    for channel in channels.indices {
      channels[channel].withUnsafeBufferPointer { look.add($0, to: channel, beside: rendered) }
    }
    return look
  }

  /// True if every sample differs by at most one 24-bit step.
  func isNear(_ rendered: Sound) -> Bool {
    let look = look(beside: rendered)
    return look.isNear && look.shape == Comparison.Shape(rendered)
  }

  var digest: UInt64 { look.digest }

  /// True if this is the unchanged sound of a manifest's output.
  func isBeside(_ output: Manifest.Output) -> Bool { output.isBeside(look, isUnchanged: false) }
}

extension Manifest.Output {
  /// True if a sound file is the one that was written with the manifest.
  ///
  /// - Parameter isUnchanged: the render has the golden's bits, and `look` compared the file with
  ///   it. Older manifests have no digest of a FLAC file, whose samples have 24 bits.
  func isBeside(_ look: SoundLook, isUnchanged: Bool) -> Bool {
    guard look.shape == shape else { return false }
    if let soundDigest { return look.digest == soundDigest }
    let isFLAC = sound?.lowercased().hasSuffix(".flac") ?? false
    return isFLAC ? !isUnchanged || look.isNear : look.digest == digest
  }
}
