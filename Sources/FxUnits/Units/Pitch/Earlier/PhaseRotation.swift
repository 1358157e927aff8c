import FxAudio

/// Rotates the phases of spectra, so that pieces of a sound continue each other when they are
/// placed further apart or closer together than before: the rotation of revision 1 of the pitch
/// shifter.
///
/// All bins around a peak are rotated by the same angle, in all channels: J. Laroche and M. Dolson,
/// "Improved phase vocoder time-scale modification of audio", IEEE Trans. Speech and Audio
/// Processing 7 (1999). Peaks that rise fast keep their phases, as at the onsets of A. Röbel, "A
/// new approach to transient processing in the phase vocoder", DAFx-03.
///
/// Allocated on the control thread, used on the render thread.
struct PhaseRotation: ~Copyable {
  private let channelCount: Int
  private let length: Int
  private let hop: Int
  private let rowCount: Int
  /// Channel × bin: the previous piece.
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  /// The power of all channels together, in this piece and in the previous one.
  private let power: SampleBuffer
  private let before: SampleBuffer
  /// The rotation of each bin in radians.
  private let angles: SampleBuffer

  /// - Parameters:
  ///   - length: The length of a piece in frames.
  ///   - hop: Frames from one input piece to the next.
  ///   - rowCount: The distance from one channel's bins to the next channel's.
  init(channelCount: Int, length: Int, hop: Int, rowCount: Int) {
    self.channelCount = channelCount
    self.length = length
    self.hop = hop
    self.rowCount = rowCount
    real = SampleBuffer(count: channelCount * rowCount)
    imaginary = SampleBuffer(count: channelCount * rowCount)
    power = SampleBuffer(count: rowCount)
    before = SampleBuffer(count: rowCount)
    angles = SampleBuffer(count: rowCount)
  }

  static func byteCount(channelCount: Int, rowCount: Int) -> Int {
    2 * SampleBuffer.byteCount(count: channelCount * rowCount)
      + 3 * SampleBuffer.byteCount(count: rowCount)
  }

  // MARK: - Realtime

  /// A peak whose power grows by more than this factor within a hop is an onset.
  private static var onset: Float { @_noLocks get { 1.5 } }

  /// Rotates the spectra of a piece, channel × bin.
  ///
  /// - Parameter stretch: The distance from the previous output piece, minus one hop, in frames.
  @_noLocks
  func turn(
    _ reals: UnsafeMutablePointer<Float>, _ imaginaries: UnsafeMutablePointer<Float>,
    stretch: Double
  ) {
    let binCount = length / 2 &+ 1
    measure(reals, imaginaries, binCount)
    // The peak of the current region, and the lowest bin after it.
    var peak = -1
    var (first, lowest) = (0, 0)
    for bin in 0..<binCount {
      let level = power.samples[bin]
      if isPeak(bin, level, binCount) {
        if peak >= 0 {
          turn(
            reals, imaginaries, bins: first..<lowest, by: angle(peak, reals, imaginaries, stretch))
          first = lowest
        }
        peak = bin
        lowest = bin &+ 1
      } else if peak >= 0 && (lowest >= bin || level < power.samples[lowest]) {
        lowest = bin
      }
    }
    let last = peak < 0 ? 0 : angle(peak, reals, imaginaries, stretch)
    turn(reals, imaginaries, bins: first..<binCount, by: last)
  }

  /// Stores the powers of the previous piece, and measures those of this one.
  @_noLocks
  private func measure(
    _ reals: UnsafeMutablePointer<Float>, _ imaginaries: UnsafeMutablePointer<Float>,
    _ binCount: Int
  ) {
    before.samples.update(copying: UnsafePointer(power.samples), count: rowCount)
    power.samples.update(repeating: 0, count: rowCount)
    for channel in 0..<channelCount {
      let (re, im) = (reals + channel &* rowCount, imaginaries + channel &* rowCount)
      for bin in 0..<binCount { power.samples[bin] += re[bin] * re[bin] + im[bin] * im[bin] }
    }
  }

  @_noLocks
  private func isPeak(_ bin: Int, _ level: Float, _ binCount: Int) -> Bool {
    guard level > 0 else { return false }
    for distance in 1...2 {
      if bin >= distance && power.samples[bin &- distance] >= level { return false }
      if bin &+ distance < binCount && power.samples[bin &+ distance] > level { return false }
    }
    return true
  }

  /// The angle by which a peak's bins are rotated.
  @_noLocks
  private func angle(
    _ peak: Int, _ reals: UnsafeMutablePointer<Float>, _ imaginaries: UnsafeMutablePointer<Float>,
    _ stretch: Double
  ) -> Double {
    var known = before.samples[peak]
    if peak > 0 { known = max(known, before.samples[peak &- 1]) }
    known = max(known, before.samples[peak &+ 1])
    if power.samples[peak] > Self.onset * known { return 0 }
    var (cosine, sine) = (0.0, 0.0)
    for channel in 0..<channelCount {
      let index = channel &* rowCount &+ peak
      let (re, im) = (Double(reals[index]), Double(imaginaries[index]))
      let (oldRe, oldIm) = (Double(real.samples[index]), Double(imaginary.samples[index]))
      cosine += re * oldRe + im * oldIm
      sine += im * oldRe - re * oldIm
    }
    // The bin's own frequency turns by this angle in a hop; the rest is the peak's distance from
    // it.
    let circles = Double(peak) * Double(hop) / Double(length)
    let own = 2 * Double.pi * (circles - Double(Int(circles)))
    let off = Self.wrapped(Math.atan2(sine, cosine) - own)
    let frequency = 2 * Double.pi * Double(peak) / Double(length) + off / Double(hop)
    return Self.wrapped(Double(angles.samples[peak]) + stretch * frequency)
  }

  /// The angle, wrapped to -π...π.
  @_noLocks
  private static func wrapped(_ angle: Double) -> Double {
    let circles = angle / (2 * Double.pi)
    let whole = Double(Int(circles < 0 ? circles - 0.5 : circles + 0.5))
    return angle - whole * 2 * Double.pi
  }

  /// Rotates bins of all channels, and stores their values before the rotation.
  @_noLocks
  private func turn(
    _ reals: UnsafeMutablePointer<Float>, _ imaginaries: UnsafeMutablePointer<Float>,
    bins: Range<Int>, by angle: Double
  ) {
    let parts = Math.sinCos(angle)
    let (sine, cosine) = (Float(parts.sin), Float(parts.cos))
    for channel in 0..<channelCount {
      let row = channel &* rowCount
      for bin in bins {
        let index = row &+ bin
        let (re, im) = (reals[index], imaginaries[index])
        real.samples[index] = re
        imaginary.samples[index] = im
        reals[index] = cosine * re - sine * im
        imaginaries[index] = cosine * im + sine * re
      }
    }
    for bin in bins { angles.samples[bin] = Float(angle) }
  }

  @_noLocks
  func clear() {
    real.clear()
    imaginary.clear()
    power.clear()
    before.clear()
    angles.clear()
  }
}
