import FxAudio

/// Makes a sound longer or shorter without changing its pitch. A phase vocoder (`PhaseRotation`)
/// places pieces of the sound further apart or closer together.
///
/// Used by one thread at a time, not on the render thread. Frame 0 stays frame 0; frame n of the
/// sound moves to n / speed.
package struct TimeStretcher: ~Copyable {
  package static let speeds = 0.25...4.0

  /// The length of a piece in frames, and the frames from one input piece to the next.
  package let length: Int
  package let hop: Int
  private let speed: Double
  private let channelCount: Int
  private let rowCount: Int
  private let capacity: Int
  private let transform: RealTransform
  private let window: SampleBuffer
  private let work: SampleBuffer
  /// Channel × bin.
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  private let rotation: PhaseRotation
  /// Rings: channel × frame, and the sum of the windows there.
  private let sums: SampleBuffer
  private let weights: SampleBuffer
  /// Pieces since frame 0.
  private var piece = 0
  private var isFirst = true
  /// Everything before `completeEnd` is complete; everything from `writtenEnd` on is empty.
  package private(set) var completeEnd = 0
  private var writtenEnd = 0

  package init(channelCount: Int, sampleRate: Double, speed: Double) {
    self.channelCount = channelCount
    self.speed = min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
    length = SpectralFrames.length(sampleRate: sampleRate)
    // Output pieces are at most a quarter of their length apart.
    hop = self.speed < 0.5 ? length / 16 : length / 8
    rowCount = SpectralFrames.rowCount(length: length)
    capacity = 4 * length
    transform = RealTransform(length: length)
    window = SampleBuffer(count: length)
    work = SampleBuffer(count: length)
    real = SampleBuffer(count: channelCount * rowCount)
    imaginary = SampleBuffer(count: channelCount * rowCount)
    rotation = PhaseRotation(
      channelCount: channelCount, length: length, hop: hop, rowCount: rowCount)
    sums = SampleBuffer(count: channelCount * capacity)
    weights = SampleBuffer(count: capacity)
    for frame in 0..<length {
      let turn = 2 * Double.pi * Double(frame) / Double(length)
      window.samples[frame] = Float(0.5 - 0.5 * Math.cos(turn))
    }
  }

  /// The piece to begin with, so that this output frame and all later ones are complete.
  package func piece(before frame: Int) -> Int {
    max(0, Int(Double(frame - 2 * length) * speed) / hop)
  }

  /// Begins with a piece.
  package mutating func begin(at piece: Int) {
    self.piece = piece
    isFirst = true
    rotation.clear()
    sums.clear()
    weights.clear()
    completeEnd = middle(piece) - length / 2
    writtenEnd = completeEnd
  }

  private func middle(_ piece: Int) -> Int {
    Int((Double(piece) * Double(hop) / speed).rounded())
  }

  /// Takes the next piece: `length` frames of every channel around frame `piece × hop`.
  package mutating func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>) {
    for channel in 0..<channelCount {
      for frame in 0..<length {
        work.samples[frame] = channels[channel][frame].finiteSample * window.samples[frame]
      }
      transform.forward(
        work.samples, real: real.samples + channel * rowCount,
        imaginary: imaginary.samples + channel * rowCount)
    }
    let apart = isFirst ? hop : middle(piece) - middle(piece - 1)
    rotation.turn(real.samples, imaginary.samples, stretch: Double(apart - hop))
    lay(at: middle(piece) - length / 2)
    isFirst = false
    piece += 1
    complete(until: middle(piece) - length / 2)
  }

  private mutating func lay(at start: Int) {
    while writtenEnd < start + length {
      let place = writtenEnd & (capacity - 1)
      weights.samples[place] = 0
      for channel in 0..<channelCount { sums.samples[channel * capacity + place] = 0 }
      writtenEnd += 1
    }
    for channel in 0..<channelCount {
      transform.inverse(
        real: real.samples + channel * rowCount, imaginary: imaginary.samples + channel * rowCount,
        to: work.samples)
      let sum = sums.samples + channel * capacity
      for frame in 0..<length {
        sum[(start + frame) & (capacity - 1)] += work.samples[frame] * window.samples[frame]
      }
    }
    for frame in 0..<length {
      let weight = window.samples[frame]
      weights.samples[(start + frame) & (capacity - 1)] += weight * weight
    }
  }

  private mutating func complete(until end: Int) {
    while completeEnd < end {
      let place = completeEnd & (capacity - 1)
      let scale = 1 / max(weights.samples[place], 0.05)
      for channel in 0..<channelCount { sums.samples[channel * capacity + place] *= scale }
      completeEnd += 1
    }
  }

  /// Copies complete output frames, which are at most two piece lengths older than the newest.
  package func copy(
    from frame: Int, count: Int, channel: Int, to output: UnsafeMutablePointer<Float>
  ) {
    let sum = sums.samples + channel * capacity
    for index in 0..<count { output[index] = sum[(frame + index) & (capacity - 1)] }
  }
}
