private import CKernels
import FxAudio

/// Convolution with an impulse of any length and without latency. The first 64 taps are computed
/// directly, the rest in partitions of growing size (32, 256, 2048 and 16384 frames).
///
/// Any split into blocks gives the same bits. Allocated on the control thread, used on the render
/// thread.
package struct Convolution: ~Copyable {
  private static var headCount: Int { @_noLocks get { 64 } }
  private static let sizes = [32, 256, 2048, 16384]
  private static var slot: Int { @_noLocks get { ConvolutionLevel.slot } }

  private let channelCount: Int
  private let vectorLevel: Int32
  private let routes: UnsafeMutablePointer<ConvolutionRoute>
  private let routeCount: Int
  /// Impulse channels × head taps.
  private let head: SampleBuffer
  /// Channels × (the last `headCount` input frames, the incoming slot).
  private let recent: SampleBuffer
  /// The output of one route for a slot.
  private let share = SampleBuffer(count: Self.slot)
  private let levels: UnsafeMutablePointer<ConvolutionLevel>
  private let levelCount: Int
  /// Frames since the last reset.
  private var frame = 0

  package init(_ impulse: ImpulseResponse, channelCount: Int) {
    self.channelCount = channelCount
    vectorLevel = fx_vector_level()
    let ways = ConvolutionRoute.all(
      impulseCount: impulse.channelCount, channelCount: channelCount)
    routeCount = ways.count
    routes = .allocate(capacity: max(ways.count, 1))
    for (index, route) in ways.enumerated() { (routes + index).initialize(to: route) }
    head = SampleBuffer(count: impulse.channelCount * Self.headCount)
    recent = SampleBuffer(count: channelCount * (Self.headCount + Self.slot))
    for channel in 0..<impulse.channelCount {
      impulse.copy(
        channel, from: 0, count: Self.headCount, to: head.samples + channel * Self.headCount)
    }
    let shapes = Self.shapes(tapCount: impulse.frameCount)
    levelCount = shapes.count
    levels = .allocate(capacity: max(shapes.count, 1))
    for (index, shape) in shapes.enumerated() {
      (levels + index).initialize(
        to: ConvolutionLevel(impulse, ways, channelCount: channelCount, shape))
    }
  }

  deinit {
    levels.deinitialize(count: levelCount)
    levels.deallocate()
    routes.deallocate()
  }

  /// Levels of growing partitions. A level covers the taps from twice its partition size to twice
  /// that of the next level; the last level goes to the end.
  private static func shapes(tapCount: Int) -> [ConvolutionLevel.Shape] {
    var shapes: [ConvolutionLevel.Shape] = []
    for (index, size) in sizes.enumerated() where tapCount > 2 * size {
      let left = tapCount - 2 * size
      let next = index + 1 < sizes.count ? sizes[index + 1] : Int.max / 4
      // A rest of less than one partition of the next size is faster as a few more of this size.
      let end = left > 3 * next ? 2 * next - 2 * size : left
      shapes.append(
        ConvolutionLevel.Shape(
          size: size, offset: 2 * size, partitionCount: (end + size - 1) / size))
      if end == left { break }
    }
    return shapes
  }

  /// The bytes that a convolution allocates.
  package static func byteCount(tapCount: Int, impulseCount: Int, channelCount: Int) -> Int {
    let shapes = shapes(tapCount: tapCount)
    let routeCount = ConvolutionRoute.all(
      impulseCount: impulseCount, channelCount: channelCount
    ).count
    return shapes.reduce(
      SampleBuffer.byteCount(count: impulseCount * headCount)
        + SampleBuffer.byteCount(count: channelCount * (headCount + slot))
        + SampleBuffer.byteCount(count: slot)
        + max(routeCount, 1) * MemoryLayout<ConvolutionRoute>.stride
        + max(shapes.count, 1) * MemoryLayout<ConvolutionLevel>.stride
    ) {
      $0
        + $1.byteCount(
          channelCount: channelCount, impulseCount: impulseCount, routeCount: routeCount)
    }
  }

  // MARK: - Realtime

  /// Convolves a block. `outputs` may be the same memory as `inputs`.
  @_noLocks
  package mutating func process(
    _ inputs: UnsafePointer<UnsafePointer<Float>>,
    to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    var done = 0
    while done < frameCount {
      let place = frame & (Self.slot &- 1)
      let count = min(frameCount &- done, Self.slot &- place)
      for channel in 0..<channelCount { take(inputs[channel] + done, channel, place, count) }
      for index in 0..<routeCount { give(routes[index], index, outputs, done, place, count) }
      for channel in 0..<channelCount {
        for level in 0..<levelCount {
          levels[level].add(
            to: outputs[channel] + done, channel: channel, frame: frame, count: count)
        }
      }
      frame &+= count
      done &+= count
      if frame & (Self.slot &- 1) == 0 { endSlot() }
    }
  }

  /// The incoming slot of a channel.
  @_noLocks
  private func current(_ channel: Int) -> UnsafeMutablePointer<Float> {
    recent.samples + channel &* (Self.headCount &+ Self.slot) + Self.headCount
  }

  @_noLocks
  private func take(
    _ input: UnsafePointer<Float>, _ channel: Int, _ place: Int, _ count: Int
  ) {
    let current = current(channel) + place
    for index in 0..<count { current[index] = input[index].finiteSample }
    for level in 0..<levelCount {
      levels[level].take(current, channel: channel, frame: frame, count: count)
    }
  }

  /// Writes the output of a route's first taps, or adds it when an earlier route has the same
  /// output.
  @_noLocks
  private func give(
    _ route: ConvolutionRoute, _ index: Int,
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ place: Int, _ count: Int
  ) {
    let output = outputs[route.output] + start
    let isFirst = index == 0 || routes[index &- 1].output != route.output
    fx_convolve_directly(
      vectorLevel, head.samples + route.impulse &* Self.headCount, Self.headCount,
      current(route.input) + place, isFirst ? output : share.samples, count)
    guard !isFirst else { return }
    for frame in 0..<count { output[frame] += share.samples[frame] }
  }

  @_noLocks
  private mutating func endSlot() {
    for channel in 0..<channelCount {
      let samples = recent.samples + channel &* (Self.headCount &+ Self.slot)
      samples.update(copying: samples + Self.slot, count: Self.headCount)
    }
    for level in 0..<levelCount { levels[level].work(endingAt: frame) }
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`.
  package var isAtRest: Bool {
    @_noLocks get {
      guard recent.isZero(from: 0, count: recent.count) else { return false }
      for level in 0..<levelCount where !levels[level].isAtRest { return false }
      return true
    }
  }

  /// Counts silent frames that are not rendered. The last bits of later output depend on the frames
  /// where the partitions begin.
  @_noLocks
  package mutating func rest(frameCount: Int) { frame &+= frameCount }

  @_noLocks
  package mutating func clear() {
    recent.clear()
    for level in 0..<levelCount { levels[level].clear() }
    frame = 0
  }
}
