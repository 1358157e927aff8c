import FxAudio

/// Successive bands of an equalizer with the same channels: all channels, some of them, or the mid
/// or side of a stereo sound.
///
/// Allocated on the control thread, used on the render thread.
struct EqualizerRun: ~Copyable {
  /// The channels that a band filters.
  enum Part: Equatable {
    case all, mid, side
    /// Indices of channels, ascending; none where the signal has none of them.
    case some([Int])

    /// The words of the option `channels`.
    static let words = ["all", "mid", "side", "left", "right"]

    /// - Parameter owner: The band, for messages.
    init(_ item: ListItem, _ preparation: Preparation, _ owner: String) throws(Failure) {
      guard case .text(let name)? = item.options["channels"], name != "all" else {
        self = .all
        return
      }
      if Self.words.contains(name) {
        guard preparation.channelCount == 2 else {
          throw Failure(
            .usage,
            "\(owner) is for the \(name) of a stereo signal, and here are "
              + "\(preparation.channelCount) channels")
        }
        self = name == "mid" ? .mid : name == "side" ? .side : .some([name == "left" ? 0 : 1])
        return
      }
      guard let selection = ChannelSelection(name) else {
        throw Failure(.usage, "\(owner) has no channel '\(name)'")
      }
      let channels = try selection.channels(preparation, owner)
      self = channels.count == preparation.channelCount ? .all : .some(channels)
    }

    /// The channels that the filters process.
    func channelCount(_ preparation: Preparation) -> Int {
      switch self {
      case .all: preparation.channelCount
      case .mid, .side: 1
      case .some(let channels): channels.count
      }
    }
  }

  private enum Way: BitwiseCopyable { case all, mid, side, some }

  private let way: Way
  private let channelCount: Int
  var cascade: FilterCascade
  /// The mid or side signal before and after the filters.
  private let before: SampleBuffer
  private let behind: SampleBuffer
  /// The signals that the filters read and write: the mid or side, or some channels.
  private let signalCount: Int
  private let indices: UnsafeMutablePointer<Int>
  private let input: UnsafeMutablePointer<UnsafePointer<Float>>
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(_ part: Part, sectionCount: Int, _ preparation: Preparation) {
    channelCount = preparation.channelCount
    cascade = FilterCascade(
      sectionCount: sectionCount, channelCount: part.channelCount(preparation),
      sampleRate: preparation.sampleRate)
    let frames = Self.isMixed(part) ? preparation.maximumFrameCount : 0
    before = SampleBuffer(count: frames)
    behind = SampleBuffer(count: frames)
    var channels = [0]
    switch part {
    case .all: (way, signalCount) = (.all, 0)
    case .mid: (way, signalCount) = (.mid, 1)
    case .side: (way, signalCount) = (.side, 1)
    case .some(let some):
      (way, signalCount) = (.some, some.count)
      channels = some.isEmpty ? [0] : some
    }
    let count = Self.pointerCount(part)
    indices = .allocate(capacity: count)
    input = .allocate(capacity: count)
    output = .allocate(capacity: count)
    for index in 0..<count {
      (indices + index).initialize(to: channels[index])
      (input + index).initialize(to: UnsafePointer(before.samples))
      (output + index).initialize(to: behind.samples)
    }
  }

  deinit {
    indices.deallocate()
    input.deallocate()
    output.deallocate()
  }

  private static func isMixed(_ part: Part) -> Bool { part == .mid || part == .side }

  private static func pointerCount(_ part: Part) -> Int {
    if case .some(let channels) = part { max(1, channels.count) } else { 1 }
  }

  /// The bytes that a run allocates.
  static func byteCount(_ part: Part, sectionCount: Int, _ preparation: Preparation) -> Int {
    let frames = isMixed(part) ? preparation.maximumFrameCount : 0
    return FilterCascade.byteCount(
      sectionCount: sectionCount, channelCount: part.channelCount(preparation),
      sampleRate: preparation.sampleRate)
      + 2 * SampleBuffer.byteCount(count: frames)
      + 3 * pointerCount(part) * MemoryLayout<Int>.stride
  }

  // MARK: - Realtime

  /// Filters frames of a block.
  ///
  /// - Parameter isFirst: True while the signal is still in the inputs; otherwise it is in the
  ///   outputs.
  @_noLocks
  mutating func render(_ block: RenderBlock, from start: Int, to end: Int, isFirst: Bool) {
    switch way {
    case .all:
      cascade.render(isFirst ? block : block.again, from: start, to: end)
    case .some:
      if isFirst { copy(block, from: start, to: end) }
      for index in 0..<signalCount {
        let samples = block.outputs[indices[index]]
        input[index] = UnsafePointer(samples)
        output[index] = samples
      }
      cascade.render(signals(block), from: start, to: end)
    case .mid, .side:
      if isFirst { copy(block, from: start, to: end) }
      mix(block, way == .mid ? 0.5 : -0.5, from: start, to: end)
    }
  }

  /// A block of the signals that the filters read and write.
  @_noLocks
  private func signals(_ block: RenderBlock) -> RenderBlock {
    RenderBlock(
      inputs: UnsafePointer(input), inputCount: signalCount, outputs: UnsafePointer(output),
      outputCount: signalCount, frameCount: block.frameCount, frame: block.frame,
      parameters: block.parameters)
  }

  /// Filters the mid or side signal and adds the difference to both channels.
  @_noLocks
  private mutating func mix(
    _ block: RenderBlock, _ share: Float, from start: Int, to end: Int
  ) {
    let (left, right) = (block.outputs[0], block.outputs[1])
    for frame in start..<end {
      before.samples[frame] = 0.5 * left[frame].finiteSample + share * right[frame].finiteSample
    }
    cascade.render(signals(block), from: start, to: end)
    let sign: Float = share > 0 ? 1 : -1
    for frame in start..<end {
      let change = behind.samples[frame] - before.samples[frame]
      left[frame] += change
      right[frame] += sign * change
    }
  }

  @_noLocks
  private func copy(_ block: RenderBlock, from start: Int, to end: Int) {
    for channel in 0..<channelCount {
      let (input, output) = (block.inputs[channel], block.outputs[channel])
      if input == UnsafePointer(output) { continue }
      for frame in start..<end { output[frame] = input[frame] }
    }
  }
}
