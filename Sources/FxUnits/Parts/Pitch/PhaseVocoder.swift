import FxAudio

/// Moves pieces of a sound further apart or closer together, so that they continue each other.
///
/// Each piece is measured with several windows (`VocoderWindows`), as in J. Bonada, "Automatic
/// technique in frequency domain for near-lossless time-scale modification of audio", ICMC 2000. All
/// bins around a peak are rotated by the same angle, in all windows and channels: J. Laroche and M.
/// Dolson, "Improved phase vocoder time-scale modification of audio", IEEE Trans. Speech and Audio
/// Processing 7 (1999). A rotation says how far the output's phase is ahead of the input's. All
/// windows have the same middle, so a peak between two of them has the same rotation in both, and
/// their shares add up. Peaks that rise fast keep their phases, as at the onsets of A. Röbel, "A
/// new approach to transient processing in the phase vocoder", DAFx-03.
///
/// An output piece is as long as the shortest window, and has the shape of its square: the rest of
/// a long window only separates frequencies. So a click never lasts longer than that piece.
///
/// Allocated on the control thread, used on one thread at a time, such as the render thread.
struct PhaseVocoder: ~Copyable {
  private let channelCount: Int
  private let density: Int
  private let spread: Int
  private let past: Int
  private let span: Int
  private let bandCount: Int
  private let bands: UnsafeMutablePointer<VocoderBand>
  private let formantBand: Int
  private var regions: PhaseRegions
  private let formants: FormantFilter
  /// The shape of an output piece.
  private let shape: SampleBuffer
  private let weights: SampleBuffer
  private let work: SampleBuffer

  /// - Parameter density: Samples of the output in the time of one frame: 1 or 2.
  init(channelCount: Int, windows: VocoderWindows, density: Int) {
    self.channelCount = channelCount
    self.density = density
    spread = windows.spread
    past = windows.past
    span = windows.span
    bandCount = windows.lengths.count
    formantBand = windows.formantIndex
    bands = .allocate(capacity: bandCount)
    for index in 0..<bandCount {
      let band = VocoderBand(
        channelCount: channelCount, windows: windows, index: index, density: density)
      (bands + index).initialize(to: band)
    }
    regions = PhaseRegions(capacity: Self.regionCapacity(windows))
    formants = FormantFilter(
      length: windows.lengths[formantBand], sampleRate: windows.sampleRate)
    let count = density * spread
    shape = SampleBuffer(count: count)
    weights = SampleBuffer(count: count)
    work = SampleBuffer(count: count)
    for index in 0..<count {
      let hann = 0.5 - 0.5 * Math.cos(2 * Double.pi * Double(index) / Double(count))
      shape.samples[index] = Float(hann * hann)
    }
  }

  deinit {
    bands.deinitialize(count: bandCount)
    bands.deallocate()
  }

  /// Peaks are at least three bins apart.
  private static func regionCapacity(_ windows: VocoderWindows) -> Int {
    windows.lengths.reduce(0) { $0 + $1 / 6 + 2 }
  }

  static func byteCount(channelCount: Int, windows: VocoderWindows, density: Int) -> Int {
    windows.lengths.indices.reduce(0) {
      $0 + MemoryLayout<VocoderBand>.stride
        + VocoderBand.byteCount(
          channelCount: channelCount, windows: windows, index: $1, density: density)
    } + PhaseRegions.byteCount(capacity: regionCapacity(windows))
      + FormantFilter.byteCount(length: windows.lengths[windows.formantIndex])
      + 3 * SampleBuffer.byteCount(count: density * windows.spread)
  }

  // MARK: - Realtime

  /// Measures a piece, and rotates it to where it is laid.
  ///
  /// - Parameters:
  ///   - samples: The windows' `span` of frames, channel × frame.
  ///   - apart: Frames from the previous piece to this one.
  ///   - stretch: The distance between the two pieces in the output, minus `apart`, in frames.
  ///   - measuresFormants: Whether the output has its formants moved.
  @_noLocks
  mutating func turn(
    _ samples: UnsafePointer<Float>, apart: Int, stretch: Double, measuresFormants: Bool
  ) {
    regions.begin()
    for index in 0..<bandCount {
      let first = past &- bands[index].past
      bands[index].analyze(samples + first, stride: span)
      bands[index].findRegions(&regions, apart: apart, stretch: stretch)
    }
    regions.join()
    guard measuresFormants else { return }
    formants.measure(
      bands[formantBand].real.samples, bands[formantBand].imaginary.samples,
      channelCount: channelCount)
  }

  /// Adds the piece around a position of a sound.
  ///
  /// - Parameters:
  ///   - half: Samples on each side of the middle, at most half a piece. A shorter piece has the
  ///     same shape.
  ///   - kept: The highest frequency of the output, as a share of half the sample rate.
  ///   - formantScale: As in `FormantFilter.gain`; nil leaves the formants.
  @_noLocks
  func lay(
    on sound: inout StretchedSound, at middle: Int, half: Int, kept: Double, formantScale: Double?
  ) {
    guard half > 0 else { return }
    let count = density &* spread
    let margin = count / 2 &- half
    let first = middle &- half
    sound.makeRoom(until: middle &+ half)
    let step = Double(count / 2) / Double(half)
    for index in margin..<count &- margin {
      let place = count / 2 &+ Int(Double(index &- count / 2) * step)
      weights.samples[index] = shape.samples[max(0, min(place, count &- 1))]
    }
    sound.addWeights(weights.samples + margin, at: first, count: 2 &* half)
    for channel in 0..<channelCount {
      work.clear()
      for index in 0..<bandCount {
        bands[index].add(
          channel: channel, to: work.samples, regions: regions, kept: kept, margin: margin,
          formants: formants, scale: formantScale)
      }
      for index in margin..<count &- margin { work.samples[index] *= weights.samples[index] }
      sound.add(work.samples + margin, channel: channel, at: first, count: 2 &* half)
    }
  }

  @_noLocks
  mutating func clear() {
    for index in 0..<bandCount { bands[index].clear() }
    regions.clear()
  }
}
