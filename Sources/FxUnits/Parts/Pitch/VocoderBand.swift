import FxAudio

/// One of the analysis windows of a phase vocoder, with the frequencies that it is used for.
///
/// Allocated on the control thread, used on the render thread.
struct VocoderBand: ~Copyable {
  private let channelCount: Int
  let length: Int
  /// The frames before the middle.
  let past: Int
  private let rowCount: Int
  /// The bins that contribute to the output.
  private let bins: Range<Int>
  /// The bins whose peaks are used.
  private let ownBins: Range<Int>
  /// Bins of the longest window in one bin.
  private let spacing: Double
  /// Samples of an output piece in the time of one frame: 1 or 2.
  private let density: Int
  private let spread: Int
  private let transform: RealTransform
  private let backTransform: RealTransform
  private let window: SampleBuffer
  /// The inverse of the window around its middle, over the samples of an output piece.
  private let flattening: SampleBuffer
  private let shares: SampleBuffer
  /// Channel × bin: this piece, and the previous one before its rotation.
  let real: SampleBuffer
  let imaginary: SampleBuffer
  private let earlierReal: SampleBuffer
  private let earlierImaginary: SampleBuffer
  /// The power of all channels together, in this piece and in the previous one.
  private let power: SampleBuffer
  private let earlierPower: SampleBuffer
  private let backReal: SampleBuffer
  private let backImaginary: SampleBuffer
  private let work: SampleBuffer

  init(channelCount: Int, windows: VocoderWindows, index: Int, density: Int) {
    self.channelCount = channelCount
    self.density = density
    length = windows.lengths[index]
    let reach = windows.reaches[index]
    past = length - reach
    spread = windows.spread
    spacing = Double(windows.lengths[0]) / Double(length)
    rowCount = SpectralFrames.rowCount(length: length)
    transform = RealTransform(length: length)
    backTransform = RealTransform(length: density * length)
    window = SampleBuffer(count: length)
    flattening = SampleBuffer(count: density * spread)
    shares = SampleBuffer(count: rowCount)
    real = SampleBuffer(count: channelCount * rowCount)
    imaginary = SampleBuffer(count: channelCount * rowCount)
    earlierReal = SampleBuffer(count: channelCount * rowCount)
    earlierImaginary = SampleBuffer(count: channelCount * rowCount)
    power = SampleBuffer(count: rowCount)
    earlierPower = SampleBuffer(count: rowCount)
    backReal = SampleBuffer(count: density * length / 2 + 1)
    backImaginary = SampleBuffer(count: density * length / 2 + 1)
    work = SampleBuffer(count: density * length)
    for frame in 0..<length {
      window.samples[frame] = Self.height(Double(frame - past), past: past, reach: reach)
    }
    for index in 0..<density * spread {
      let place = Double(index) / Double(density) - Double(spread / 2)
      let height = Self.height(place, past: past, reach: reach)
      // The density compensates for an inverse transform that is longer than the forward one.
      flattening.samples[index] = Float(density) / max(height, 1e-3)
    }
    let range = windows.range(of: index)
    var (first, end, ownFirst, ownEnd) = (transform.binCount, 0, transform.binCount, 0)
    for bin in 0..<transform.binCount {
      let frequency = Double(bin) * windows.sampleRate / Double(length)
      shares.samples[bin] = Float(windows.share(of: index, at: frequency))
      if shares.samples[bin] > 0 { (first, end) = (min(first, bin), bin + 1) }
      if range.contains(frequency) { (ownFirst, ownEnd) = (min(ownFirst, bin), bin + 1) }
    }
    bins = min(first, end)..<end
    ownBins = min(ownFirst, ownEnd)..<ownEnd
  }

  /// A window at a place in frames from its middle.
  private static func height(_ place: Double, past: Int, reach: Int) -> Float {
    let share = place / Double(place < 0 ? past : reach)
    return Float(0.5 + 0.5 * Math.cos(Double.pi * share))
  }

  static func byteCount(channelCount: Int, windows: VocoderWindows, index: Int, density: Int) -> Int
  {
    let length = windows.lengths[index]
    let rowCount = SpectralFrames.rowCount(length: length)
    return RealTransform.byteCount(length: length)
      + RealTransform.byteCount(length: density * length) + SampleBuffer.byteCount(count: length)
      + SampleBuffer.byteCount(count: density * windows.spread)
      + 3 * SampleBuffer.byteCount(count: rowCount)
      + 4 * SampleBuffer.byteCount(count: channelCount * rowCount)
      + 2 * SampleBuffer.byteCount(count: density * length / 2 + 1)
      + SampleBuffer.byteCount(count: density * length)
  }

  // MARK: - Realtime

  /// A peak whose power grows by more than this factor from one piece to the next is an onset.
  private static var onset: Float { @_noLocks get { 1.5 } }

  /// Measures the spectra of a piece.
  ///
  /// - Parameters:
  ///   - samples: The frames around the middle, channel × frame.
  ///   - stride: The distance from one channel's frames to the next channel's.
  @_noLocks
  func analyze(_ samples: UnsafePointer<Float>, stride: Int) {
    earlierPower.samples.update(copying: UnsafePointer(power.samples), count: rowCount)
    power.clear()
    for channel in 0..<channelCount {
      let (source, row) = (samples + channel &* stride, channel &* rowCount)
      let (re, im) = (real.samples + row, imaginary.samples + row)
      (earlierReal.samples + row).update(copying: UnsafePointer(re), count: rowCount)
      (earlierImaginary.samples + row).update(copying: UnsafePointer(im), count: rowCount)
      for frame in 0..<length { work.samples[frame] = source[frame] * window.samples[frame] }
      transform.forward(work.samples, real: re, imaginary: im)
      for bin in bins { power.samples[bin] += re[bin] * re[bin] + im[bin] * im[bin] }
    }
  }

  /// Adds the regions around the peaks of this window's frequencies.
  ///
  /// - Parameters:
  ///   - apart: Frames from the previous piece to this one.
  ///   - stretch: The distance between the two pieces in the output, minus `apart`, in frames.
  @_noLocks
  func findRegions(_ regions: inout PhaseRegions, apart: Int, stretch: Double) {
    var peak = -1
    var (low, lowest) = (bins.lowerBound, bins.lowerBound)
    for bin in bins {
      let level = power.samples[bin]
      if isPeak(bin, level) {
        if peak >= 0 {
          add(peak, low, lowest, &regions, apart, stretch)
          low = lowest
        }
        peak = bin
        lowest = bin &+ 1
      } else if peak >= 0 && (lowest >= bin || level < power.samples[lowest]) {
        lowest = bin
      }
    }
    if peak >= 0 { add(peak, low, bins.upperBound, &regions, apart, stretch) }
  }

  @_noLocks
  private func isPeak(_ bin: Int, _ level: Float) -> Bool {
    guard level > 0 else { return false }
    for distance in 1...2 {
      if bin &- distance >= bins.lowerBound && power.samples[bin &- distance] >= level {
        return false
      }
      if bin &+ distance < bins.upperBound && power.samples[bin &+ distance] > level {
        return false
      }
    }
    return true
  }

  @_noLocks
  private func add(
    _ peak: Int, _ low: Int, _ end: Int, _ regions: inout PhaseRegions, _ apart: Int,
    _ stretch: Double
  ) {
    guard ownBins.contains(peak) else { return }
    let place = Double(peak) * spacing
    let angle = angle(peak, regions.earlierAngle(at: place), apart, stretch)
    regions.add(
      peak: place, low: (Double(low) - 0.5) * spacing, high: (Double(end) - 0.5) * spacing,
      angle: angle)
  }

  /// The angle by which a peak's region is rotated.
  @_noLocks
  private func angle(_ peak: Int, _ earlier: Double, _ apart: Int, _ stretch: Double) -> Double {
    var known = earlierPower.samples[peak]
    if peak > bins.lowerBound { known = max(known, earlierPower.samples[peak &- 1]) }
    if peak &+ 1 < bins.upperBound { known = max(known, earlierPower.samples[peak &+ 1]) }
    if power.samples[peak] > Self.onset * known { return 0 }
    var (cosine, sine) = (0.0, 0.0)
    for channel in 0..<channelCount {
      let index = channel &* rowCount &+ peak
      let (re, im) = (Double(real.samples[index]), Double(imaginary.samples[index]))
      let oldRe = Double(earlierReal.samples[index])
      let oldIm = Double(earlierImaginary.samples[index])
      cosine += re * oldRe + im * oldIm
      sine += im * oldRe - re * oldIm
    }
    // The bin's own frequency turns by this angle from piece to piece; the rest is the peak's
    // distance from it.
    let circles = Double(peak) * Double(apart) / Double(length)
    let own = 2 * Double.pi * (circles - Double(Int(circles)))
    let off = Self.wrapped(Math.atan2(sine, cosine) - own)
    let frequency = 2 * Double.pi * Double(peak) / Double(length) + off / Double(apart)
    return Self.wrapped(earlier + stretch * frequency)
  }

  /// The angle, wrapped to -π...π.
  @_noLocks
  private static func wrapped(_ angle: Double) -> Double {
    let circles = angle / (2 * Double.pi)
    let whole = Double(Int(circles < 0 ? circles - 0.5 : circles + 0.5))
    return angle - whole * 2 * Double.pi
  }

  /// Writes this window's share of a channel of the output piece, rotated, to `samples`.
  ///
  /// - Parameters:
  ///   - kept: The highest frequency that the output may have, as a share of half the sample rate.
  ///   - margin: Samples at each end that are left out.
  ///   - scale: Moves the formants that `formants` has measured; nil leaves them.
  @_noLocks
  func add(
    channel: Int, to samples: UnsafeMutablePointer<Float>, regions: borrowing PhaseRegions,
    kept: Double, margin: Int, formants: borrowing FormantFilter, scale: Double?
  ) {
    let last = Int(Double(length / 2) * kept)
    let end = min(bins.upperBound, kept < 1 ? last : last &+ 1)
    guard end > bins.lowerBound else { return }
    backReal.clear()
    backImaginary.clear()
    rotate(channel, until: end, regions)
    if let scale { move(until: end, formants, scale) }
    if density == 2 {
      // The last bin of the original appears twice in the wider spectrum, so each has half of it.
      backReal.samples[length / 2] *= 0.5
      backImaginary.samples[length / 2] *= 0.5
    }
    backTransform.inverse(
      real: backReal.samples, imaginary: backImaginary.samples, to: work.samples)
    let source = work.samples + density &* (past &- spread / 2)
    for index in margin..<density &* spread &- margin {
      samples[index] += source[index] * flattening.samples[index]
    }
  }

  /// Writes a channel's rotated bins.
  @_noLocks
  private func rotate(_ channel: Int, until end: Int, _ regions: borrowing PhaseRegions) {
    let row = channel &* rowCount
    let (re, im) = (real.samples + row, imaginary.samples + row)
    var region = 0
    var bin = bins.lowerBound
    while bin < end {
      var next = end
      while region &+ 1 < regions.count && regions.end(of: region) <= Double(bin) * spacing {
        region &+= 1
      }
      var (sine, cosine): (Float, Float) = (0, 1)
      if region < regions.count {
        (sine, cosine) = regions.rotation(of: region)
        if region &+ 1 < regions.count {
          next = min(end, max(bin &+ 1, Int(regions.end(of: region) / spacing)))
        }
      }
      for index in bin..<next {
        let share = shares.samples[index]
        backReal.samples[index] = share * (cosine * re[index] - sine * im[index])
        backImaginary.samples[index] = share * (cosine * im[index] + sine * re[index])
      }
      bin = next
    }
  }

  @_noLocks
  private func move(until end: Int, _ formants: borrowing FormantFilter, _ scale: Double) {
    let spacing = Double(formants.length) / Double(length)
    for bin in bins.lowerBound..<end {
      let gain = formants.gain(at: Double(bin) * spacing, scale: scale)
      backReal.samples[bin] *= gain
      backImaginary.samples[bin] *= gain
    }
  }

  @_noLocks
  func clear() {
    real.clear()
    imaginary.clear()
    power.clear()
  }
}
