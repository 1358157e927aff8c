/// A stretch of an impulse in equal partitions, convolved in the frequency domain.
///
/// A level of partitions of N frames covers taps from 2 N on. A block of N frames of input is complete
/// at a multiple of N, and what it gives is heard N frames later, so that its work is spread over the
/// N frames in between: the forward transform at their start, products at every slot of 32 frames, the
/// inverse transform at their end. The slots follow the frames since the last reset, so the bits do
/// not depend on how a render is cut into blocks.
///
/// W. G. Gardner, "Efficient Convolution without Input-Output Delay", JAES 43 (1995).
struct ConvolutionLevel: ~Copyable {
  /// Frames of a slot.
  static var slot: Int { @_noLocks get { 32 } }

  private let size: Int
  private let partitionCount: Int
  private let channelCount: Int
  private let impulseCount: Int
  private let binCount: Int
  private let transform: RealTransform
  /// Impulse channels × partitions × (real, imaginary).
  private let responses: SampleBuffer
  /// Channels × partitions × (real, imaginary): the last blocks of the input, in a ring.
  private let spectra: SampleBuffer
  /// Channels × (real, imaginary).
  private let sums: SampleBuffer
  /// Channels × two blocks of input: the last one and the one that comes in.
  private let input: SampleBuffer
  /// Channels × two blocks of output: what is heard now and what is being worked on.
  private let output: SampleBuffer
  private let inverse: SampleBuffer
  /// The partition of the ring that has the newest block.
  private var newest = 0
  /// Which half of `output` is heard.
  private var heard = 0

  /// - Parameters:
  ///   - size: Frames of a partition, a power of two of at least `slot`.
  ///   - offset: The first tap that the level covers, `2 * size` or more.
  init(_ impulse: borrowing ImpulseResponse, channelCount: Int, _ shape: Shape) {
    size = shape.size
    partitionCount = shape.partitionCount
    self.channelCount = channelCount
    impulseCount = impulse.channelCount
    transform = RealTransform(length: 2 * shape.size)
    binCount = shape.size + 1
    let sizes = shape.bufferSizes(channelCount: channelCount, impulseCount: impulse.channelCount)
    responses = SampleBuffer(count: sizes.responses)
    spectra = SampleBuffer(count: sizes.spectra)
    sums = SampleBuffer(count: sizes.sums)
    input = SampleBuffer(count: sizes.blocks)
    output = SampleBuffer(count: sizes.blocks)
    inverse = SampleBuffer(count: 2 * shape.size)
    for channel in 0..<impulseCount {
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

  /// Which taps a level covers, and how.
  struct Shape {
    var size: Int
    var offset: Int
    var partitionCount: Int

    fileprivate func bufferSizes(
      channelCount: Int, impulseCount: Int
    ) -> (responses: Int, spectra: Int, sums: Int, blocks: Int) {
      let spectrum = 2 * (size + 1)
      return (
        impulseCount * partitionCount * spectrum, channelCount * partitionCount * spectrum,
        channelCount * spectrum, channelCount * 2 * size
      )
    }

    /// What a level of this shape allocates.
    func byteCount(channelCount: Int, impulseCount: Int) -> Int {
      let sizes = bufferSizes(channelCount: channelCount, impulseCount: impulseCount)
      return [sizes.responses, sizes.spectra, sizes.sums, sizes.blocks, sizes.blocks, 2 * size]
        .reduce(RealTransform.byteCount(length: 2 * size)) {
          $0 + SampleBuffer.byteCount(count: $1)
        }
    }
  }

  // MARK: - Realtime

  /// Takes input of a channel, and adds what earlier input gives. No more than is left of a slot.
  ///
  /// - Parameter frame: Frames since the last reset.
  @_noLocks
  func process(
    _ samples: UnsafePointer<Float>, channel: Int, adding result: UnsafeMutablePointer<Float>,
    frame: Int, count: Int
  ) {
    let place = frame & (size &- 1)
    let block = input.samples + channel &* 2 &* size + size + place
    block.update(copying: samples, count: count)
    let ready = output.samples + (2 &* channel &+ heard) &* size + place
    for index in 0..<count { result[index] += ready[index] }
  }

  /// Does the work of the slot that has just ended.
  ///
  /// - Parameter frame: Frames since the last reset, a multiple of `slot`.
  @_noLocks
  mutating func work(endingAt frame: Int) {
    let slotCount = size / Self.slot
    let slot = (frame / Self.slot) & (slotCount &- 1)
    if slot == 0 {
      heard = 1 &- heard
      newest = newest &+ 1 == partitionCount ? 0 : newest &+ 1
    }
    let first = partitionCount &* slot / slotCount
    let end = partitionCount &* (slot &+ 1) / slotCount
    for channel in 0..<channelCount {
      if slot == 0 { takeBlock(channel) }
      for partition in first..<end { addProduct(channel, partition) }
      if slot == slotCount &- 1 { finish(channel) }
    }
  }

  /// Transforms the block of input that is complete.
  @_noLocks
  private func takeBlock(_ channel: Int) {
    let blocks = input.samples + channel &* 2 &* size
    let spectrum = spectra.samples + 2 &* binCount &* (channel &* partitionCount &+ newest)
    transform.forward(blocks, real: spectrum, imaginary: spectrum + binCount)
    blocks.update(copying: blocks + size, count: size)
    (sums.samples + channel &* 2 &* binCount).update(repeating: 0, count: 2 &* binCount)
  }

  @_noLocks
  private func addProduct(_ channel: Int, _ partition: Int) {
    let age = newest &- partition
    let place = age < 0 ? age &+ partitionCount : age
    let spectrum = spectra.samples + 2 &* binCount &* (channel &* partitionCount &+ place)
    let own = impulseCount == 1 ? 0 : channel
    let response = responses.samples + 2 &* binCount &* (own &* partitionCount &+ partition)
    let sum = sums.samples + channel &* 2 &* binCount
    let (real, imaginary) = (sum, sum + binCount)
    let (spectrumImaginary, responseImaginary) = (spectrum + binCount, response + binCount)
    for bin in 0..<binCount {
      real[bin] +=
        spectrum[bin] * response[bin] - spectrumImaginary[bin] * responseImaginary[bin]
    }
    for bin in 0..<binCount {
      imaginary[bin] +=
        spectrum[bin] * responseImaginary[bin] + spectrumImaginary[bin] * response[bin]
    }
  }

  /// Writes what will be heard after the next block of input; the first half of a transform is
  /// circular.
  @_noLocks
  private func finish(_ channel: Int) {
    let sum = sums.samples + channel &* 2 &* binCount
    transform.inverse(real: sum, imaginary: sum + binCount, to: inverse.samples)
    (output.samples + (2 &* channel &+ 1 &- heard) &* size).update(
      copying: inverse.samples + size, count: size)
  }

  @_noLocks
  mutating func clear() {
    spectra.clear()
    sums.clear()
    input.clear()
    output.clear()
    newest = 0
    heard = 0
  }
}
