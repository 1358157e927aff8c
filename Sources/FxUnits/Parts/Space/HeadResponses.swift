import FxAudio

/// Head-related impulse responses for each direction. Their delays are stored separately, so that a
/// mix of two neighbours has no comb filter.
///
/// Allocated on the control thread, read on the render thread.
struct HeadResponses: ~Copyable {
  /// The length of a response in frames.
  let tapCount: Int
  /// Channel × frame, in the order of `HeadGrid`.
  private let taps: SampleBuffer
  /// For each channel, the delay in frames beyond the shortest one.
  private let delays: SampleBuffer

  /// The frame of the onset in a stored response. The frames before it hold the slow rise.
  static let onsetTap = 12
  /// The share of the peak at which a response's onset is.
  private static let onsetShare: Float = 0.15
  /// The taps on either side of the sinc that moves a response.
  private static let reach = 16

  /// - Parameter sound: As many channels as `HeadGrid` has; any other sound gives silence.
  package init(_ sound: SoundAsset, sampleRate: Double) {
    let tapCount = Self.tapCount(sound.frameCount, sampleRate: sampleRate)
    self.tapCount = tapCount
    taps = SampleBuffer(count: HeadGrid.channelCount * tapCount)
    delays = SampleBuffer(count: HeadGrid.channelCount)
    guard sound.channelCount == HeadGrid.channelCount, !sound.samples.isEmpty else { return }
    var shortest = Double.infinity
    for channel in 0..<HeadGrid.channelCount {
      let response = sound.channel(channel)
      let onset = Self.onset(response)
      shortest = min(shortest, onset)
      delays.samples[channel] = Float(onset)
      Self.move(
        response, from: onset, to: taps.samples + channel * tapCount, count: tapCount)
    }
    for channel in 0..<HeadGrid.channelCount { delays.samples[channel] -= Float(shortest) }
  }

  /// The length of a stored response: at most 12 ms, rounded up to whole vectors.
  static func tapCount(_ frameCount: Int, sampleRate: Double) -> Int {
    (max(min(frameCount, Int(0.012 * sampleRate)), 16) + 7) & ~7
  }

  package static func byteCount(_ sound: SoundAsset, sampleRate: Double) -> Int {
    SampleBuffer.byteCount(
      count: HeadGrid.channelCount * tapCount(sound.frameCount, sampleRate: sampleRate))
      + SampleBuffer.byteCount(count: HeadGrid.channelCount)
  }

  /// The onset of a response in frames, with a fraction.
  private static func onset(_ response: ArraySlice<Float>) -> Double {
    let level = onsetShare * (response.map(\.magnitude).max() ?? 0)
    guard level > 0, let first = response.firstIndex(where: { $0.magnitude >= level }) else {
      return 0
    }
    guard first > response.startIndex else { return 0 }
    let (before, now) = (response[first - 1].magnitude, response[first].magnitude)
    return Double(first - response.startIndex) - Double((now - level) / (now - before))
  }

  /// Moves a response so that its onset is at `onsetTap`, by a windowed sinc, and fades out its
  /// end.
  private static func move(
    _ response: ArraySlice<Float>, from onset: Double, to taps: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    let start = onset - Double(onsetTap)
    let whole = Int(start.rounded(.down))
    let share = start - Double(whole)
    let kernel = (-reach...reach).map { tap in
      let place = Double(tap) - share
      let window = 0.5 + 0.5 * Math.cos(.pi * place / Double(reach + 1))
      return place.magnitude < 1e-9 ? 1 : window * Math.sin(.pi * place) / (.pi * place)
    }
    let fade = count / 16
    for index in 0..<count {
      var sum = 0.0
      for tap in -reach...reach {
        let source = index + whole + tap
        guard source >= 0, source < response.count else { continue }
        sum += kernel[tap + reach] * Double(response[response.startIndex + source])
      }
      let left = min(Double(count - index) / Double(fade), 1)
      taps[index] = Float(sum * (0.5 - 0.5 * Math.cos(.pi * left)))
    }
  }

  // MARK: - Realtime

  /// Mixes the four responses around a direction.
  ///
  /// - Parameters:
  ///   - azimuth: In degrees, to the right from the front, from 0 to less than 360.
  ///   - elevation: In degrees, upwards.
  ///   - ear: 0 for the left one, 1 for the right one.
  ///   - target: Room for `tapCount` taps.
  /// - Returns: The delay in frames.
  @_noLocks
  package func mix(
    azimuth: Double, elevation: Double, ear: Int, to target: UnsafeMutablePointer<Float>
  ) -> Double {
    let (column, across) = Self.split(azimuth / 5, most: HeadGrid.azimuthCount &- 1)
    let (row, along) = Self.split((elevation + 90) / 10, most: HeadGrid.elevationCount &- 2)
    let next = column &+ 1 < HeadGrid.azimuthCount ? column &+ 1 : 0
    let below = row &* HeadGrid.azimuthCount
    let above = below &+ HeadGrid.azimuthCount
    var delay: Float = 0
    for index in 0..<tapCount { target[index] = 0 }
    for corner in 0..<4 {
      let isNext = corner & 1 == 1
      let isAbove = corner & 2 == 2
      let weight = (isNext ? across : 1 - across) * (isAbove ? along : 1 - along)
      let direction = (isAbove ? above : below) &+ (isNext ? next : column)
      let channel = 2 &* direction &+ ear
      let source = taps.samples + channel &* tapCount
      for index in 0..<tapCount { target[index] += weight * source[index] }
      delay += weight * delays.samples[channel]
    }
    return Double(delay)
  }

  @_noLocks
  private static func split(_ place: Double, most: Int) -> (whole: Int, share: Float) {
    let whole = min(max(Int(place), 0), most)
    return (whole, Float(place - Double(whole)))
  }
}
