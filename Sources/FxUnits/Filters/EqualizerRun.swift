import FxAudio
import FxDSP

/// Successive bands of an equalizer with the same channels: all channels, left, right, mid or side
/// of a stereo sound.
///
/// Allocated on the control thread, used on the render thread.
struct EqualizerRun: ~Copyable {
  /// The channels that a band filters.
  enum Part: String, CaseIterable, BitwiseCopyable {
    case all, mid, side, left, right

    init(_ item: ListItem) {
      guard case .text(let name)? = item.options["channels"] else {
        self = .all
        return
      }
      self = Part(rawValue: name) ?? .all
    }
  }

  private let part: Part
  private let channelCount: Int
  var cascade: FilterCascade
  /// The mid or side signal before and after the filters.
  private let before: SampleBuffer
  private let behind: SampleBuffer
  private let input: UnsafeMutablePointer<UnsafePointer<Float>>
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(_ part: Part, sectionCount: Int, _ preparation: Preparation) {
    self.part = part
    channelCount = preparation.channelCount
    cascade = FilterCascade(
      sectionCount: sectionCount, channelCount: part == .all ? channelCount : 1,
      sampleRate: preparation.sampleRate)
    let frames = Self.isMixed(part) ? preparation.maximumFrameCount : 0
    before = SampleBuffer(count: frames)
    behind = SampleBuffer(count: frames)
    input = .allocate(capacity: 1)
    input.initialize(to: UnsafePointer(before.samples))
    output = .allocate(capacity: 1)
    output.initialize(to: behind.samples)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  private static func isMixed(_ part: Part) -> Bool { part == .mid || part == .side }

  /// The bytes that a run allocates.
  static func byteCount(_ part: Part, sectionCount: Int, _ preparation: Preparation) -> Int {
    let frames = isMixed(part) ? preparation.maximumFrameCount : 0
    return FilterCascade.byteCount(
      sectionCount: sectionCount, channelCount: part == .all ? preparation.channelCount : 1,
      sampleRate: preparation.sampleRate)
      + 2 * SampleBuffer.byteCount(count: frames) + 2 * MemoryLayout<Int>.stride
  }

  // MARK: - Realtime

  /// Filters frames of a block.
  ///
  /// - Parameter isFirst: True while the signal is still in the inputs; otherwise it is in the
  ///   outputs.
  @_noLocks
  mutating func render(_ block: RenderBlock, from start: Int, to end: Int, isFirst: Bool) {
    switch part {
    case .all:
      cascade.render(isFirst ? block : again(block, channel: 0, channelCount), from: start, to: end)
    case .left, .right:
      if isFirst { copy(block, from: start, to: end) }
      let channel = part == .left ? 0 : 1
      cascade.render(again(block, channel: channel, 1), from: start, to: end)
    case .mid, .side:
      if isFirst { copy(block, from: start, to: end) }
      mix(block, part == .mid ? 0.5 : -0.5, from: start, to: end)
    }
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
    cascade.render(
      RenderBlock(
        inputs: UnsafePointer(input), inputCount: 1, outputs: UnsafePointer(output),
        outputCount: 1, frameCount: block.frameCount, frame: block.frame,
        parameters: block.parameters), from: start, to: end)
    let sign: Float = share > 0 ? 1 : -1
    for frame in start..<end {
      let change = behind.samples[frame] - before.samples[frame]
      left[frame] += change
      right[frame] += sign * change
    }
  }

  /// A block that reads its own outputs and writes to them.
  @_noLocks
  private func again(_ block: RenderBlock, channel: Int, _ count: Int) -> RenderBlock {
    let channels = block.outputs + channel
    return RenderBlock(
      inputs: UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self),
      inputCount: count, outputs: channels, outputCount: count, frameCount: block.frameCount,
      frame: block.frame, parameters: block.parameters)
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
