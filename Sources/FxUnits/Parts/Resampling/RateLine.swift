import FxAudio

/// Converts the rate of channels by a fixed ratio, block by block: a sinc function with a Kaiser
/// window, at positions between the samples.
///
/// Linear phase. From 20 kHz at 44.1 kHz on, images and aliases are 100 dB down below 20 kHz.
/// Allocated on the control thread, used on the render thread. The output does not depend on the
/// block sizes.
struct RateLine: ~Copyable {
  /// The input frames from one output frame to the next: `step` / `unit`.
  private let step: Int
  private let unit: Int
  /// Input frames on each side of a position that count.
  let reach: Int
  private let start: Place
  /// Taps for each fraction of a frame, the oldest sample first.
  private let rows: SampleBuffer
  /// Channels × `capacity`.
  private let buffer: SampleBuffer
  private let capacity: Int
  private let places: UnsafeMutablePointer<Place>
  private let channelCount: Int

  private struct Place: BitwiseCopyable {
    /// Frames in the buffer.
    var count: Int
    /// The position of the next output frame in the buffer, in frames and units of a frame.
    var position: Int
    var rest: Int
  }

  /// Positions between two frames that have their own taps; taps in between are interpolated.
  private static var phaseCount: Int { @_noLocks get { 512 } }

  /// - Parameters:
  ///   - delay: Units of a frame by which the first output frame is earlier than the first input
  ///     frame.
  ///   - maximumFrameCount: The most input frames of a block.
  init(
    step: Int, unit: Int, delay: Int = 0, channelCount: Int, maximumFrameCount: Int
  ) {
    self.step = step
    self.unit = unit
    reach = Self.reach(step: step, unit: unit)
    let earlier = (delay + unit - 1) / unit
    start = Place(count: reach + earlier, position: reach, rest: earlier * unit - delay)
    self.channelCount = channelCount
    places = .allocate(capacity: max(channelCount, 1))
    places.initialize(repeating: start, count: channelCount)
    rows = SampleBuffer(count: (Self.phaseCount + 1) * 2 * reach)
    capacity = Self.capacity(step: step, unit: unit, delay: delay, maximumFrameCount)
    buffer = SampleBuffer(count: capacity * channelCount)
    let scale = min(1, Double(unit) / Double(step))
    for phase in 0...Self.phaseCount {
      let row = rows.samples + phase * 2 * reach
      var sum = 0.0
      for tap in 0..<(2 * reach) {
        let x = Double(tap - reach + 1) - Double(phase) / Double(Self.phaseCount)
        sum += Self.tap(x, scale: scale, reach: reach)
      }
      for tap in 0..<(2 * reach) {
        let x = Double(tap - reach + 1) - Double(phase) / Double(Self.phaseCount)
        row[tap] = Float(Self.tap(x, scale: scale, reach: reach) / sum)
      }
    }
  }

  deinit { places.deallocate() }

  private static func tap(_ x: Double, scale: Double, reach: Int) -> Double {
    let place = x / Double(reach)
    let inside = max(0, 1 - place * place)
    let angle = .pi * x * scale
    let sinc = angle.magnitude < 1e-9 ? 1 : Math.sin(angle) / angle
    return sinc * Kaiser.bessel(10.06 * Math.squareRoot(inside))
  }

  /// 36 frames of the lower rate: a transition of 4.1 kHz at 44.1 kHz.
  static func reach(step: Int, unit: Int) -> Int {
    let frames = 36 * max(1, Double(step) / Double(unit))
    return Int((frames / 4).rounded(.up)) * 4
  }

  private static func capacity(step: Int, unit: Int, delay: Int, _ maximumFrameCount: Int) -> Int {
    4 * reach(step: step, unit: unit) + delay / unit + step / unit + 2 * maximumFrameCount + 16
  }

  /// The bytes that a line allocates.
  static func byteCount(
    step: Int, unit: Int, delay: Int = 0, channelCount: Int, maximumFrameCount: Int
  ) -> Int {
    SampleBuffer.byteCount(count: (phaseCount + 1) * 2 * reach(step: step, unit: unit))
      + SampleBuffer.byteCount(
        count: channelCount
          * capacity(step: step, unit: unit, delay: delay, maximumFrameCount))
      + channelCount * MemoryLayout<Place>.stride
  }

  // MARK: - Realtime

  /// Adds input frames.
  @_noLocks
  func take(_ input: UnsafePointer<Float>, channel: Int, frameCount: Int) {
    let place = places + channel
    let end = buffer.samples + channel &* capacity + place.pointee.count
    end.copy(input, count: frameCount)
    place.pointee.count &+= frameCount
  }

  /// Writes at most `limit` output frames, as far as the input suffices; returns their number.
  @_noLocks
  func give(_ output: UnsafeMutablePointer<Float>, channel: Int, limit: Int) -> Int {
    let samples = buffer.samples + channel &* capacity
    var place = places[channel]
    var made = 0
    while made < limit, place.position &+ reach < place.count {
      output[made] = sample(UnsafePointer(samples), place)
      made &+= 1
      place.rest &+= step
      place.position &+= place.rest / unit
      place.rest %= unit
    }
    let read = min(place.position &- reach &+ 1, place.count)
    if read > 0 {
      samples.copy(samples + read, count: place.count &- read)
      place.position &-= read
      place.count &-= read
    }
    places[channel] = place
    return made
  }

  @_noLocks
  private func sample(_ samples: UnsafePointer<Float>, _ place: Place) -> Float {
    let fraction = Float(place.rest) / Float(unit) * Float(Self.phaseCount)
    let phase = min(Int(fraction), Self.phaseCount &- 1)
    let share = fraction - Float(phase)
    let taps = UnsafeRawPointer(rows.samples + phase &* 2 &* reach)
    let next = UnsafeRawPointer(rows.samples + (phase &+ 1) &* 2 &* reach)
    let input = UnsafeRawPointer(samples + (place.position &- reach &+ 1))
    var sum = SIMD8<Float>()
    var nextSum = SIMD8<Float>()
    var offset = 0
    while offset < 8 &* reach {
      let part = input.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      sum += taps.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) * part
      nextSum += next.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) * part
      offset &+= 32
    }
    sum += share * (nextSum - sum)
    let half = sum.lowHalf + sum.highHalf
    let quarter = half.lowHalf + half.highHalf
    return quarter.x + quarter.y
  }

  @_noLocks
  func reset() {
    buffer.clear()
    for channel in 0..<channelCount { places[channel] = start }
  }
}
