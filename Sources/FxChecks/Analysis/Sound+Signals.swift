import FxAudio
package import FxUnits

extension TestSignal {
  /// The whole signal in memory.
  package func sound(sampleRate: Double, channels: Int, frameCount: Int) -> Sound {
    var generator = SignalGenerator(
      self, sampleRate: sampleRate, channels: channels, frameCount: frameCount)
    return generator.sound()
  }
}

extension SignalGenerator {
  /// The rest of the signal in memory.
  package mutating func sound() -> Sound {
    let count = frameCount - position
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: max(channelCount * count, 1))
    defer { samples.deallocate() }
    let pointers = (0..<channelCount).map { samples + $0 * count }
    let made = pointers.withUnsafeBufferPointer { pointers in
      pointers.baseAddress.map { read(into: $0, frameCount: count) } ?? 0
    }
    return Sound(
      channels: pointers.map { Array(UnsafeBufferPointer(start: $0, count: made)) },
      sampleRate: sampleRate)
  }
}
