/// A sound that a unit is built with: an option names its file, and it is decoded at the chain's
/// sample rate.
public struct SoundAsset: Sendable {
  public let channelCount: Int
  public let frameCount: Int
  /// Channels × frames, one channel after another, full scale 1; empty while a chain is only
  /// checked, because a check needs only the length.
  public let samples: [Float]
  /// The sample rate divided by that of the file: not 1 where the samples were converted.
  package private(set) var rateRatio = 1.0

  /// A sound with its samples, channels × frames.
  public init(_ channels: [[Float]]) {
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

  /// The sound of some channels, from 1, in this order; channels that it does not have are left out.
  package func selecting(_ channels: [Int]) -> SoundAsset {
    let found = channels.filter { (1...max(channelCount, 1)).contains($0) }
    let chosen = samples.isEmpty ? [] : found.flatMap { channel($0 - 1) }
    return SoundAsset(
      channelCount: found.count, frameCount: frameCount, samples: chosen, rateRatio: rateRatio)
  }

  /// The size of the samples in bytes.
  package var byteCount: Int { channelCount * frameCount * MemoryLayout<Float>.stride }

  /// The samples of one channel; none where only the length is known.
  public func channel(_ channel: Int) -> ArraySlice<Float> {
    let start = channel * frameCount
    return samples.count >= start + frameCount ? samples[start..<start + frameCount] : []
  }
}

/// The number of channels that the sound of an option may have.
public enum SoundWidth: Sendable, Hashable {
  case any
  /// Mono, as many channels as the unit's first input, or the square of that: one response from
  /// each input channel to each output channel. An option may choose the channels, from 1, of the
  /// sound.
  case oneInputOrSquare(of: String?)
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
  /// The whole numbers of a list; empty for any other value.
  package var wholeNumbers: [Int] {
    if case .text(let text) = self { text.split(separator: " ").compactMap { Int($0) } } else { [] }
  }

  /// The file of a sound; nil for any other value.
  package var soundPath: String? { if case .sound(let path) = self { path } else { nil } }
  /// The file of a model; nil for any other value.
  package var modelPath: String? { if case .model(let path) = self { path } else { nil } }
}
