private import CKernels
import FxAudio

/// A section of an impulse in equal partitions, convolved in the frequency domain.
///
/// A level with partitions of N frames covers taps from 2 N on. An input block of N frames is
/// complete at a multiple of N, and its output is due N frames later. The work is spread evenly
/// over the slots of 32 frames in between: the steps of the forward transforms, the products, the
/// steps of the inverse transforms. The slots count from the last reset, so the bits do not depend
/// on how a render is split into blocks.
///
/// W. G. Gardner, "Efficient Convolution without Input-Output Delay", JAES 43 (1995).
struct ConvolutionLevel: ~Copyable {
  /// The length of a slot in frames.
  static var slot: Int { @_noLocks get { 32 } }
  /// Input blocks: the last two complete ones, which are being processed, and the incoming one.
  private static var inputBlockCount: Int { @_noLocks get { 3 } }

  private let size: Int
  private let partitionCount: Int
  private let channelCount: Int
  private let routeCount: Int
  private let binCount: Int
  private let vectorLevel: Int32
  private let transform: RealTransform
  /// Sorted by output, then by input.
  private let routes: UnsafeMutablePointer<ConvolutionRoute>
  /// Impulse channels × partitions × (real, imaginary).
  private let responses: SampleBuffer
  /// Channels × partitions × (real, imaginary): the spectra of the last input blocks, in a ring.
  private let spectra: SampleBuffer
  /// Channels × (real, imaginary).
  private let sums: SampleBuffer
  /// Channels × input blocks, in a ring.
  private let input: SampleBuffer
  /// Channels × two output blocks: the one that is played now and the one that is being computed.
  private let output: SampleBuffer
  private let inverse: SampleBuffer
  /// The index of the incoming block in the input ring.
  private var incoming = 0
  /// The index of the newest block in the spectrum ring.
  private var newest = 0
  /// The half of `output` that is played now.
  private var heard = 0

  init(
    _ impulse: borrowing ImpulseResponse, _ routes: [ConvolutionRoute], channelCount: Int,
    _ shape: Shape
  ) {
    size = shape.size
    partitionCount = shape.partitionCount
    self.channelCount = channelCount
    routeCount = routes.count
    vectorLevel = fx_vector_level()
    transform = RealTransform(length: 2 * shape.size)
    binCount = shape.size + 1
    self.routes = .allocate(capacity: max(routes.count, 1))
    for (index, route) in routes.enumerated() { (self.routes + index).initialize(to: route) }
    let sizes = shape.bufferSizes(channelCount: channelCount, impulseCount: impulse.channelCount)
    responses = SampleBuffer(count: sizes.responses)
    spectra = SampleBuffer(count: sizes.spectra)
    sums = SampleBuffer(count: sizes.sums)
    input = SampleBuffer(count: sizes.input)
    output = SampleBuffer(count: sizes.output)
    inverse = SampleBuffer(count: 2 * shape.size)
    for channel in 0..<impulse.channelCount {
      for partition in 0..<partitionCount {
        inverse.clear()
        impulse.copy(
          channel, from: shape.offset + partition * size, count: size, to: inverse.samples)
        let response = responses.samples + 2 * binCount * (channel * partitionCount + partition)
        transform.forward(inverse.samples, real: response, imaginary: response + binCount)
      }
    }
    inverse.clear()
  }

  deinit { routes.deallocate() }

  /// The taps that a level covers, and the size of its partitions.
  struct Shape {
    var size: Int
    /// The first tap, `2 * size` or more.
    var offset: Int
    var partitionCount: Int

    fileprivate func bufferSizes(
      channelCount: Int, impulseCount: Int
    ) -> (responses: Int, spectra: Int, sums: Int, input: Int, output: Int) {
      let spectrum = 2 * (size + 1)
      return (
        impulseCount * partitionCount * spectrum, channelCount * partitionCount * spectrum,
        channelCount * spectrum, channelCount * ConvolutionLevel.inputBlockCount * size,
        channelCount * 2 * size
      )
    }

    /// The bytes that a level of this shape allocates.
    func byteCount(channelCount: Int, impulseCount: Int, routeCount: Int) -> Int {
      let sizes = bufferSizes(channelCount: channelCount, impulseCount: impulseCount)
      let counts = [
        sizes.responses, sizes.spectra, sizes.sums, sizes.input, sizes.output, 2 * size,
      ]
      return counts.reduce(
        RealTransform.byteCount(length: 2 * size)
          + max(routeCount, 1) * MemoryLayout<ConvolutionRoute>.stride
      ) { $0 + SampleBuffer.byteCount(count: $1) }
    }
  }

  // MARK: - Realtime

  /// Takes input of a channel, at most until the end of the slot.
  ///
  /// - Parameter frame: Frames since the last reset.
  @_noLocks
  func take(_ samples: UnsafePointer<Float>, channel: Int, frame: Int, count: Int) {
    (block(incoming, channel) + frame & (size &- 1)).update(copying: samples, count: count)
  }

  /// Adds this level's result for earlier input to a channel's output.
  @_noLocks
  func add(to result: UnsafeMutablePointer<Float>, channel: Int, frame: Int, count: Int) {
    let ready = output.samples + (2 &* channel &+ heard) &* size + frame & (size &- 1)
    for index in 0..<count { result[index] += ready[index] }
  }

  @_noLocks
  private func block(_ index: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    input.samples + (channel &* Self.inputBlockCount &+ index) &* size
  }

  /// Does the work that is due at the end of a slot.
  ///
  /// - Parameter frame: Frames since the last reset, a multiple of `slot`.
  @_noLocks
  mutating func work(endingAt frame: Int) {
    // Before the first block is complete there is nothing to do.
    guard frame >= size else { return }
    let slotCount = size / Self.slot
    let slot = (frame / Self.slot) & (slotCount &- 1)
    if slot == 0 {
      heard = 1 &- heard
      newest = newest &+ 1 == partitionCount ? 0 : newest &+ 1
      incoming = incoming &+ 1 == Self.inputBlockCount ? 0 : incoming &+ 1
    }
    let products = channelCount &* transform.stepCount
    let inverses = products &+ routeCount &* partitionCount
    let taskCount = inverses &+ channelCount &* transform.stepCount
    var task = taskCount &* slot / slotCount
    let end = taskCount &* (slot &+ 1) / slotCount
    while task < end {
      if task < products {
        stepForward(task)
        task &+= 1
      } else if task < inverses {
        task &+= addProducts(from: task &- products, atMost: min(end, inverses) &- task)
      } else {
        stepBack(task &- inverses)
        task &+= 1
      }
    }
  }

  @_noLocks
  private func stepForward(_ task: Int) {
    let channel = task / transform.stepCount
    let spectrum = spectra.samples + 2 &* binCount &* (channel &* partitionCount &+ newest)
    // In the ring the incoming block follows the two complete ones.
    let first = incoming &+ 1 == Self.inputBlockCount ? 0 : incoming &+ 1
    let second = first &+ 1 == Self.inputBlockCount ? 0 : first &+ 1
    transform.forward(
      step: task &- channel &* transform.stepCount, block(first, channel), block(second, channel),
      real: spectrum, imaginary: spectrum + binCount)
  }

  /// Adds products of one route and returns their number.
  @_noLocks
  private func addProducts(from task: Int, atMost count: Int) -> Int {
    let index = task / partitionCount
    let first = task &- index &* partitionCount
    let end = min(partitionCount, first &+ count)
    let route = routes[index]
    let sum = sums.samples + route.output &* 2 &* binCount
    if first == 0, index == 0 || routes[index &- 1].output != route.output {
      sum.update(repeating: 0, count: 2 &* binCount)
    }
    let length = 2 &* binCount &* partitionCount
    let heard = spectra.samples + route.input &* length
    let response = responses.samples + route.impulse &* length
    fx_add_products(
      vectorLevel, binCount, first, end, heard, newest, partitionCount, response, sum)
    return end &- first
  }

  /// Does one step of the inverse transform for the next output block. Only the second half of the
  /// result is used: the first half is circular.
  @_noLocks
  private func stepBack(_ task: Int) {
    let channel = task / transform.stepCount
    let step = task &- channel &* transform.stepCount
    let sum = sums.samples + channel &* 2 &* binCount
    transform.inverse(step: step, real: sum, imaginary: sum + binCount, to: inverse.samples)
    guard step == transform.stepCount &- 1 else { return }
    (output.samples + (2 &* channel &+ 1 &- heard) &* size).update(
      copying: inverse.samples + size, count: size)
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`.
  var isAtRest: Bool {
    @_noLocks get {
      for channel in 0..<channelCount
      where fx_is_silent(output.samples + 2 &* channel &* size, 2 &* size) == 0 {
        return false
      }
      return input.isZero(from: 0, count: input.count)
        && sums.isZero(from: 0, count: sums.count)
        && inverse.isZero(from: 0, count: inverse.count)
        && spectra.isZero(from: 0, count: spectra.count)
    }
  }

  @_noLocks
  mutating func clear() {
    spectra.clear()
    sums.clear()
    input.clear()
    output.clear()
    incoming = 0
    newest = 0
    heard = 0
  }
}
