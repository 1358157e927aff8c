package import FxAudio

/// Sums strips, each with a gain, a pan position, a mute and a solo.
///
/// A mono strip is panned between the first two channels of the output. A wider strip keeps its
/// channels, and its pan is the balance of the first two. The centre is unity gain. While any strip
/// is soloed only soloed strips sound, and a muted strip never sounds. Switches fade, and so do
/// their effects on other strips.
package struct Mixer: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "mixer", name: "Mixer", summary: "Sums strips, each with a gain, a pan, a mute and a solo.",
    category: "level",
    parameters: [.gain("gain", "The level of the sum.", -(.infinity)...48)],
    options: [
      OptionSpec(
        "channels", "The width of the output.", .integer(1...32), default: .number(2))
    ],
    list: ListSpec(
      "strips", element: "strip", form: .namedInputs,
      parameters: [
        .gain("gain", "The level of the strip.", -(.infinity)...48),
        ParameterSpec(
          "pan", "From -1, left, to 1, right; the other side is turned down.", .none, -1...1,
          default: 0),
        .toggle("mute", "Silences the strip."),
        .toggle("solo", "Silences every strip that is not soloed."),
      ]),
    inputs: [], outputs: [OutputBusSpec("out", width: .option("channels"))], rendersInPlace: false)

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Mixer.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Mixer.self)?.pointee.reset() })

  package struct Item: BitwiseCopyable {
    let gain: ParameterSignal
    let pan: ParameterSignal
    let mute: ParameterSignal
    let solo: ParameterSignal

    var isConstant: Bool {
      @_noLocks get { gain.isConstant && pan.isConstant && mute.isConstant && solo.isConstant }
    }
  }

  /// One strip's contribution to one output channel.
  private struct Feed: BitwiseCopyable {
    let strip: Int
    /// The index of the channel in the block's inputs.
    let input: Int
    let side: Side
  }

  private enum Side: BitwiseCopyable { case left, right, neither }

  private let outputCount: Int
  private let stripCount: Int
  private let kernel = MixKernel()
  /// The feeds of each output, in the order of the strips; `feedEnds` has the end of each output's
  /// feeds.
  private let feeds: UnsafeMutablePointer<Feed>
  private let feedEnds: UnsafeMutablePointer<Int>
  /// The sources and factors of one sum.
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  private let factors: UnsafeMutablePointer<Float>
  /// The amount of solo at each frame of a block in which it changes: the largest of all strips.
  private let soloing: UnsafeMutablePointer<Float>
  /// Memory for two blocks of factors.
  private let scratch: UnsafeMutablePointer<Float>
  private let maximumFrameCount: Int

  package init(_ preparation: Preparation) {
    let widths = preparation.inputWidths
    outputCount = preparation.outputWidths.first ?? 0
    stripCount = min(widths.count, preparation.items.count)
    var planned: [[Feed]] = Array(repeating: [], count: outputCount)
    var first = 0
    for strip in 0..<stripCount {
      let width = widths[strip]
      for output in 0..<outputCount {
        let side: Side = outputCount == 1 || output > 1 ? .neither : output == 0 ? .left : .right
        if width == 1 && output < 2 {
          planned[output].append(Feed(strip: strip, input: first, side: side))
        } else if width > 1 && output < width {
          planned[output].append(Feed(strip: strip, input: first + output, side: side))
        }
      }
      first += width
    }
    feeds = .allocate(capacity: max(1, planned.reduce(0) { $0 + $1.count }))
    feedEnds = .allocate(capacity: max(1, outputCount))
    var end = 0
    for (output, list) in planned.enumerated() {
      for feed in list {
        (feeds + end).initialize(to: feed)
        end += 1
      }
      (feedEnds + output).initialize(to: end)
    }
    sources = .allocate(capacity: max(1, stripCount))
    factors = .allocate(capacity: max(1, stripCount))
    maximumFrameCount = preparation.maximumFrameCount
    soloing = .allocate(capacity: max(1, maximumFrameCount))
    scratch = .allocate(capacity: max(1, 2 * maximumFrameCount))
    // Written once here, so that the render thread causes no page faults.
    soloing.initialize(repeating: 0, count: maximumFrameCount)
    scratch.initialize(repeating: 0, count: 2 * maximumFrameCount)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let outputs = preparation.outputWidths.first ?? 0
    let strips = min(preparation.inputWidths.count, preparation.items.count)
    let feeds = preparation.inputWidths.prefix(strips).reduce(0) {
      $0 + min($1 == 1 ? 2 : $1, outputs)
    }
    return UnitTraits(
      memory: feeds * MemoryLayout<Feed>.stride + outputs * MemoryLayout<Int>.stride
        + strips * (MemoryLayout<UnsafePointer<Float>>.stride + MemoryLayout<Float>.stride)
        + 3 * preparation.maximumFrameCount * MemoryLayout<Float>.stride)
  }

  deinit {
    feeds.deallocate()
    feedEnds.deallocate()
    sources.deallocate()
    factors.deallocate()
    soloing.deallocate()
    scratch.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let gain = block.parameterStorage.load(as: Parameters.self).gain
    let strips = (block.parameterStorage + MemoryLayout<Parameters>.size)
      .assumingMemoryBound(to: Item.self)
    var isConstant = gain.isConstant
    for strip in 0..<stripCount { isConstant = isConstant && strips[strip].isConstant }
    if isConstant {
      renderConstant(block, strips, gain.value)
    } else {
      renderMoving(block, strips, gain)
    }
  }

  /// The whole sum in one pass over memory.
  @_noLocks
  private func renderConstant(
    _ block: RenderBlock, _ strips: UnsafePointer<Item>, _ gain: Float
  ) {
    let soloing = largestSolo(strips)
    var start = 0
    for output in 0..<outputCount {
      var count = 0
      for index in start..<feedEnds[output] {
        let feed = feeds[index]
        let factor = Self.factor(strips[feed.strip], feed.side, soloing)
        if factor == 0 { continue }
        (sources + count).initialize(to: block.inputs[feed.input])
        (factors + count).initialize(to: factor)
        count += 1
      }
      start = feedEnds[output]
      kernel.render(
        UnsafePointer(sources), factors, count, gain: gain, to: block.outputs[output],
        block.frameCount)
    }
  }

  /// The same sums in the same order, with factors for each frame.
  @_noLocks
  private func renderMoving(
    _ block: RenderBlock, _ strips: UnsafePointer<Item>, _ gain: ParameterSignal
  ) {
    let soloIsConstant = soloIsConstant(strips)
    let firstSoloing = largestSolo(strips)
    if !soloIsConstant {
      for frame in 0..<block.frameCount { soloing[frame] = 0 }
      for strip in 0..<stripCount {
        let solo = strips[strip].solo.expanded(into: scratch, block.frameCount)
        for frame in 0..<block.frameCount {
          soloing[frame] = solo[frame] > soloing[frame] ? solo[frame] : soloing[frame]
        }
      }
    }
    var start = 0
    for output in 0..<outputCount {
      let sum = block.outputs[output]
      for frame in 0..<block.frameCount { sum[frame] = 0 }
      for index in start..<feedEnds[output] {
        let feed = feeds[index]
        let input = block.inputs[feed.input]
        let strip = strips[feed.strip]
        if strip.isConstant && soloIsConstant {
          let factor = Self.factor(strip, feed.side, firstSoloing)
          if factor == 0 { continue }
          for frame in 0..<block.frameCount { sum[frame] += factor * input[frame] }
        } else {
          add(
            input, strip, feed.side, soloIsConstant ? nil : UnsafePointer(soloing), firstSoloing,
            to: sum, block.frameCount)
        }
      }
      start = feedEnds[output]
      gain.scale(UnsafePointer(sum), to: sum, block.frameCount)
    }
  }

  /// Adds a strip to a sum in the same steps as `factor`, one loop after another.
  @_noLocks
  private func add(
    _ input: UnsafePointer<Float>, _ strip: Item, _ side: Side, _ soloing: UnsafePointer<Float>?,
    _ constantSoloing: Float, to sum: UnsafeMutablePointer<Float>, _ frameCount: Int
  ) {
    let factors = scratch
    let spare = scratch + maximumFrameCount
    let solo = strip.solo.expanded(into: spare, frameCount)
    if let soloing {
      for frame in 0..<frameCount { factors[frame] = 1 - soloing[frame] * (1 - solo[frame]) }
    } else {
      for frame in 0..<frameCount { factors[frame] = 1 - constantSoloing * (1 - solo[frame]) }
    }
    let mute = strip.mute.expanded(into: spare, frameCount)
    for frame in 0..<frameCount { factors[frame] = (1 - mute[frame]) * factors[frame] }
    let gain = strip.gain.expanded(into: spare, frameCount)
    for frame in 0..<frameCount { factors[frame] = gain[frame] * factors[frame] }
    let pan = strip.pan.expanded(into: spare, frameCount)
    switch side {
    case .left:
      for frame in 0..<frameCount { factors[frame] *= pan[frame] > 0 ? 1 - pan[frame] : 1 }
    case .right:
      for frame in 0..<frameCount { factors[frame] *= pan[frame] < 0 ? 1 + pan[frame] : 1 }
    case .neither: break
    }
    for frame in 0..<frameCount { sum[frame] += factors[frame] * input[frame] }
  }

  @_noLocks
  private func soloIsConstant(_ strips: UnsafePointer<Item>) -> Bool {
    for strip in 0..<stripCount where !strips[strip].solo.isConstant { return false }
    return true
  }

  /// The largest solo value of all strips at the first frame.
  @_noLocks
  private func largestSolo(_ strips: UnsafePointer<Item>) -> Float {
    var most: Float = 0
    for strip in 0..<stripCount {
      let solo = strips[strip].solo.value
      most = solo > most ? solo : most
    }
    return most
  }

  /// The factor of a strip whose parameters are constant.
  @_noLocks
  private static func factor(_ strip: Item, _ side: Side, _ soloing: Float) -> Float {
    // 1 if no strip is soloed, the strip's own solo value if one is.
    let heard = 1 - soloing * (1 - strip.solo.value)
    let level = strip.gain.value * ((1 - strip.mute.value) * heard)
    switch side {
    case .left: return level * PanLaw.balance(strip.pan.value).left
    case .right: return level * PanLaw.balance(strip.pan.value).right
    case .neither: return level
    }
  }

  @_noLocks
  package mutating func reset() {}
}
