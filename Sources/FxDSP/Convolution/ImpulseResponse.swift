package import FxAudio

/// The taps of a convolver: channels × frames. On the control thread.
package struct ImpulseResponse: Sendable {
  package let channelCount: Int
  package let frameCount: Int
  private let sound: SoundAsset

  package init(_ sound: SoundAsset) {
    self.sound = sound
    channelCount = sound.channelCount
    frameCount = sound.frameCount
  }

  /// Copies taps of one channel; those beyond the end are left as they are.
  func copy(_ channel: Int, from first: Int, count: Int, to taps: UnsafeMutablePointer<Float>) {
    let samples = sound.channel(channel)
    guard first < samples.count else { return }
    let start = samples.startIndex + first
    for (index, sample) in samples[start..<min(start + count, samples.endIndex)].enumerated() {
      taps[index] = sample.finiteSample
    }
  }
}
