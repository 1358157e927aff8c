import FxAudio

/// Finds the spectrum of the noise in a whole sound: the mean of its quietest tenth, or of a given
/// span with noise only.
///
/// The spectra of overlapping pieces are sorted by level into drawers of one decibel. The mean
/// takes the quietest drawers first. Pieces of digital silence do not count. On the control thread.
final class NoiseProfile {
  private let channelCount: Int
  private let span: Range<Int>?
  private let firstBin: Int
  private let frames: SpectralFrames
  /// The power of all pieces, channel × bin.
  private var drawers = LevelDrawers()
  private var motion: NoiseMotion?
  private var frame = 0
  private let input: SampleBuffer
  private var filled = 0
  private let real: SampleBuffer
  private let imaginary: SampleBuffer

  /// - Parameters:
  ///   - span: Frames with noise only; with nil the quietest pieces are used.
  ///   - follows: Also finds how the level of the noise moves. Not with a span.
  package init(channelCount: Int, sampleRate: Double, span: Range<Int>?, follows: Bool) {
    self.channelCount = channelCount
    self.span = span
    frames = SpectralFrames(sampleRate: sampleRate)
    firstBin = Int(60 * Double(frames.length) / sampleRate)
    input = SampleBuffer(count: channelCount * frames.length)
    real = SampleBuffer(count: frames.binCount)
    imaginary = SampleBuffer(count: frames.binCount)
    if follows, span == nil {
      motion = NoiseMotion(
        channelCount: channelCount, binCount: frames.binCount, sampleRate: sampleRate)
    }
  }

  /// Takes the next frames.
  package func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    let (length, hop) = (frames.length, frames.hop)
    var done = 0
    while done < frameCount {
      let count = min(length - filled, frameCount - done)
      for channel in 0..<channelCount {
        let target = input.samples + channel * length + filled
        for index in 0..<count { target[index] = channels[channel][done + index].finiteSample }
      }
      filled += count
      done += count
      frame += count
      guard filled == length else { break }
      sort()
      for channel in 0..<channelCount {
        let samples = input.samples + channel * length
        samples.update(copying: UnsafePointer(samples + hop), count: length - hop)
      }
      filled = length - hop
    }
  }

  /// Adds the spectrum of the current piece to its drawer.
  private func sort() {
    if let span, frame - frames.length < span.lowerBound || frame > span.upperBound { return }
    var power = [Double]()
    power.reserveCapacity(channelCount * frames.binCount)
    for channel in 0..<channelCount {
      frames.analyze(
        input.samples + channel * frames.length, real: real.samples,
        imaginary: imaginary.samples)
      for bin in 0..<frames.binCount {
        let (re, im) = (Double(real.samples[bin]), Double(imaginary.samples[bin]))
        power.append(re * re + im * im)
      }
    }
    // Below 60 Hz a few strong bins would determine the level of a piece.
    var mean = 0.0
    for index in power.indices where index % frames.binCount >= firstBin { mean += power[index] }
    mean /= Double(max(power.count, 1)) * Double(frames.length)
    let isSilent = mean <= 1e-14
    motion?.take(power, level: isSilent ? nil : mean, frame: frame - frames.length / 2)
    if !isSilent { drawers.add(powers: power, level: mean) }
  }

  /// The mean power of the noise, channel × bin, and then the levels of a noise that moves (see
  /// `NoiseMotion`); empty when no piece was usable.
  package var result: [Double] {
    let total = drawers.count
    guard total > 0 else { return [] }
    let sum = drawers.quietest(span == nil ? max(4, total / 10) : total)
    let power = sum.powers.map { $0 / Double(sum.count) }
    return power + (motion?.levels(power) ?? [])
  }
}
