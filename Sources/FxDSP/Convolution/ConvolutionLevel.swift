private import CKernels
import FxAudio

/// A stretch of an impulse in equal partitions, convolved in the frequency domain.
///
/// A level of partitions of N frames covers taps from 2 N on. A block of N frames of input is complete
/// at a multiple of N, and what it gives is heard N frames later, so that its work is spread evenly
/// over the slots of 32 frames in between: the steps of the forward transforms, the products, the
/// steps of the inverse transforms. The slots follow the frames since the last reset, so the bits do
/// not depend on how a render is cut into blocks.
///
/// W. G. Gardner, "Efficient Convolution without Input-Output Delay", JAES 43 (1995).
struct ConvolutionLevel: ~Copyable {
  /// Frames of a slot.
  static var slot: Int { @_noLocks get { 32 } }
  /// Blocks of input: the last two complete ones, which are being worked on, and the one that comes
  /// in.
  private static var inputBlockCount: Int { @_noLocks get { 3 } }

  private let size: Int
  private let partitionCount: Int
  private let channelCount: Int
  private let routeCount: Int
  private let binCount: Int
  private let vectorLevel: Int32
  private let transform: RealTransform
  /// By output, then by input.
  private let routes: UnsafeMutablePointer<ConvolutionRoute>
  /// Impulse channels × partitions × (real, imaginary).
  private let responses: SampleBuffer
  /// Channels × partitions × (real, imaginary): the last blocks of the input, in a ring.
  private let spectra: SampleBuffer
  /// Channels × (real, imaginary).
  private let sums: SampleBuffer
  /// Channels × blocks of input, in a ring.
  private let input: SampleBuffer
  /// Channels × two blocks of output: what is heard now and what is being worked on.
  private let output: SampleBuffer
  private let inverse: SampleBuffer
  /// The block of the input ring that comes in.
  private var incoming = 0
  /// The partition of the spectrum ring that has the newest block.
  private var newest = 0
  /// Which half of `output` is heard.
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

  /// Which taps a level covers, and how.
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

    /// What a level of this shape allocates.
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

  /// Takes input of a channel. No more than is left of a slot.
  ///
  /// - Parameter frame: Frames since the last reset.
  @_noLocks
  func take(_ samples: UnsafePointer<Float>, channel: Int, frame: Int, count: Int) {
    (block(incoming, channel) + frame & (size &- 1)).update(copying: samples, count: count)
  }

  /// Adds what earlier input gives to a channel's output.
  @_noLocks
  func add(to result: UnsafeMutablePointer<Float>, channel: Int, frame: Int, count: Int) {
    let ready = output.samples + (2 &* channel &+ heard) &* size + frame & (size &- 1)
    for index in 0..<count { result[index] += ready[index] }
  }

  @_noLocks
  private func block(_ index: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    input.samples + (channel &* Self.inputBlockCount &+ index) &* size
  }

  /// Does the share of the work that belongs to the slot that has just ended.
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
    // The block that comes in follows the two that are complete.
    let first = incoming &+ 1 == Self.inputBlockCount ? 0 : incoming &+ 1
    let second = first &+ 1 == Self.inputBlockCount ? 0 : first &+ 1
    transform.forward(
      step: task &- channel &* transform.stepCount, block(first, channel), block(second, channel),
      real: spectrum, imaginary: spectrum + binCount)
  }

  /// Adds products of one route and returns how many.
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

  /// Takes a step towards what will be heard after the next block of input; the first half of a
  /// transform is circular.
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

  /// True when it is at rest: silence in gives silence out, as `UnitEntry.isAtRest` says.
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
