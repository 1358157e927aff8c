/// A sound that a unit is built with: an option names its file, and it is decoded at the chain's
/// sample rate.
package struct SoundAsset: Sendable {
  package let channelCount: Int
  package let frameCount: Int
  /// Channels × frames, one channel after another, full scale 1; empty while a chain is only
  /// checked, because a check needs only the length.
  package let samples: [Float]
  /// The sample rate divided by that of the file: not 1 where the samples were converted.
  package private(set) var rateRatio = 1.0

  /// A sound with its samples, channels × frames.
  package init(_ channels: [[Float]]) {
    channelCount = channels.count
    frameCount = channels.first?.count ?? 0
    samples = channels.flatMap { $0 }
  }

  /// A sound with a known length but no samples.
  package init(channelCount: Int, frameCount: Int) {
    self.channelCount = channelCount
    self.frameCount = frameCount
    samples = []
  }

  /// Takes the samples of a whole sound, channels × frames.
  package init(channelCount: Int, frameCount: Int, samples: [Float], rateRatio: Double = 1) {
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.samples = samples
    self.rateRatio = rateRatio
  }

  /// The size of the samples in bytes.
  package var byteCount: Int { channelCount * frameCount * MemoryLayout<Float>.stride }

  /// The samples of one channel; none where only the length is known.
  package func channel(_ channel: Int) -> ArraySlice<Float> {
    let start = channel * frameCount
    return samples.count >= start + frameCount ? samples[start..<start + frameCount] : []
  }
}

/// The number of channels that the sound of an option may have.
package enum SoundWidth: Sendable, Hashable {
  case any
  /// Mono, as many channels as the unit's first input, or the square of that: one response from
  /// each input channel to each output channel.
  case oneInputOrSquare
  /// Head-related responses in the order of `HeadGrid`.
  case directions

  package func allows(_ channels: Int, input: Int) -> Bool {
    switch self {
    case .any: true
    case .directions: channels == HeadGrid.channelCount
    case .oneInputOrSquare: channels == 1 || channels == input || channels == input * input
    }
  }
}

extension OptionValue {
  /// The file of a sound; nil for any other value.
  package var soundPath: String? { if case .sound(let path) = self { path } else { nil } }
}
