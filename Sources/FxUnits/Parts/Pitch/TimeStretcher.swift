import FxAudio

/// Makes a sound longer or shorter without changing its pitch. A phase vocoder places pieces of the
/// sound further apart or closer together.
///
/// Used by one thread at a time, not on the render thread. Frame 0 stays frame 0; frame n of the
/// sound moves to n / speed.
package struct TimeStretcher: ~Copyable {
  package static let speeds = 0.25...4.0

  /// The length of an input piece in frames, the frames of it before its middle, and the frames
  /// from one input piece to the next.
  package let length: Int
  package let past: Int
  package let hop: Int
  private let spread: Int
  private let speed: Double
  private let channelCount: Int
  private var vocoder: PhaseVocoder
  private var sound: StretchedSound
  /// Channel × frame.
  private let input: SampleBuffer
  /// Pieces since frame 0.
  private var piece = 0
  private var isFirst = true

  package init(channelCount: Int, sampleRate: Double, speed: Double) {
    self.channelCount = channelCount
    self.speed = min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
    let windows = VocoderWindows(.file, sampleRate: sampleRate)
    (length, past, spread) = (windows.span, windows.past, windows.spread)
    // Output pieces overlap by three quarters at least.
    hop = self.speed < 0.5 ? spread / 16 : self.speed < 1 ? spread / 8 : spread / 4
    vocoder = PhaseVocoder(channelCount: channelCount, windows: windows, density: 1)
    sound = StretchedSound(channelCount: channelCount, capacity: 4 * spread)
    input = SampleBuffer(count: channelCount * length)
  }

  /// The piece to begin with, so that this output frame and all later ones are complete.
  package func piece(before frame: Int) -> Int {
    max(0, Int(Double(frame - 2 * spread) * speed) / hop)
  }

  /// Begins with a piece.
  package mutating func begin(at piece: Int) {
    self.piece = piece
    isFirst = true
    vocoder.clear()
    sound.clear(at: middle(piece) - spread / 2)
  }

  private func middle(_ piece: Int) -> Int {
    Int((Double(piece) * Double(hop) / speed).rounded())
  }

  /// Takes the next piece: `length` frames of every channel, with frame `piece × hop` in the
  /// middle.
  package mutating func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>) {
    for channel in 0..<channelCount {
      let samples = input.samples + channel * length
      for frame in 0..<length { samples[frame] = channels[channel][frame].finiteSample }
    }
    let apart = isFirst ? hop : middle(piece) - middle(piece - 1)
    vocoder.turn(
      input.samples, apart: hop, stretch: Double(apart - hop), measuresFormants: false)
    vocoder.lay(on: &sound, at: middle(piece), half: spread / 2, kept: 1, formantScale: nil)
    isFirst = false
    piece += 1
    sound.complete(until: middle(piece) - spread / 2)
  }

  /// Everything before this frame is complete.
  package var completeEnd: Int { sound.completeEnd }

  /// Copies complete output frames, which are at most twice an output piece older than the newest.
  package func copy(
    from frame: Int, count: Int, channel: Int, to output: UnsafeMutablePointer<Float>
  ) {
    sound.copy(from: frame, count: count, channel: channel, to: output)
  }
}
