import CRealtime
import FxAudio
import FxChain
import FxEngine

/// Renders buffers of samples through a chain: a whole sound, or block by block.
///
/// Samples are planar: an array of channels, each an array of frames, full scale at ±1. The chain's inputs
/// and outputs are the caller's buffers; a source or sink of its own is refused. With several inputs, their
/// channels follow one another in the order of `inputs`; outputs likewise. One thread at a time may use a
/// renderer.
///
///     let renderer = try ChainRenderer(chain, sampleRate: 48000, channels: 2)
///     let output = try renderer.renderWhole(input)
public final class ChainRenderer {
  /// An input or an output of the chain.
  public struct Port: Sendable, Hashable {
    /// The name in the chain: `main`.
    public let name: String
    public let channelCount: Int
    /// Of an output: frames from the input to it, at the start.
    public let latency: Int
  }

  /// Frames a second.
  public let sampleRate: Double
  /// The maximum number of frames in a block, as LV2 plugins see it.
  public let blockSize: Int
  public let inputs: [Port]
  public let outputs: [Port]
  /// The channels of all inputs.
  public let inputChannelCount: Int
  /// The channels of all outputs.
  public let outputChannelCount: Int
  /// The latency of `render` now, in frames, to the first output. `renderWhole` removes the latency at its
  /// start.
  ///
  /// If a plugin changes its latency while it renders, the other paths of the chain are adjusted
  /// between two blocks. This is then the new latency of the output.
  public var latency: Int { program.sinkLatencies.first ?? 0 }
  /// Faults of nodes that produced a NaN or infinite sample, and changes of latency, in order; at
  /// most 1000. Such a node is silent for a block and restarted, three times within ten seconds;
  /// then it stays silent. Input samples that are not finite are replaced with silence.
  public private(set) var events: [RenderingEvent] = []
  private let compiled: CompiledChain
  private let program: RenderProgram
  private let blocks: BlockCopier
  private let supervisor: Supervisor

  /// Builds the chain and all its units.
  ///
  /// - Parameters:
  ///   - chain: the chain to render. Its sources are inputs, and its sinks are outputs.
  ///   - sampleRate: the sample rate of the chain's inputs and outputs in Hz.
  ///   - channels: the number of channels of each input that does not say it itself.
  ///   - blockSize: replaces the chain's own block size.
  /// - Throws: `ChainFailure` with every mistake of the chain.
  public init(
    _ chain: Chain, sampleRate: Double = 48000, channels: Int = 2, blockSize: Int? = nil
  ) throws(ChainFailure) {
    guard (100...3_072_000).contains(sampleRate), (1...maximumBusWidth).contains(channels),
      ChainFormat.blockSizes.contains(blockSize ?? 1)
    else {
      throw .outOfRange(
        "no stream has this rate, width or block size: 100 to 3072000 Hz, 1 to \(maximumBusWidth) "
          + "channels, 1 to 8192 frames a block")
    }
    let compiled = try chain.compiled(
      .blocks(sampleRate: sampleRate, channels: channels, blockSize: blockSize))
    self.compiled = compiled
    try Self.check(compiled)
    if let node = compiled.liveNode { throw .liveOnly(node) }
    if let mistake = compiled.wholeSoundMistake(
      compiled.measuringUnits, where: "a render block by block")
    {
      throw ChainFailure(Diagnostics([mistake]))
    }
    let program = compiled.program(isInteractive: true)
    self.program = program
    blocks = BlockCopier(program, blockSize: compiled.blockSize)
    supervisor = Supervisor(program)
    self.sampleRate = compiled.sampleRate
    self.blockSize = compiled.blockSize
    inputs = zip(compiled.plan.sources, program.sourceWidths).map { source, width in
      Port(
        name: compiled.endpoint(ofSource: source)?.inputName ?? "", channelCount: width, latency: 0)
    }
    let latencies = program.sinkLatencies
    outputs = zip(compiled.plan.sinks.indices, program.sinkWidths).map { index, width in
      let sink = compiled.plan.sinks[index]
      return Port(
        name: compiled.endpoint(ofSink: sink)?.target ?? "", channelCount: width,
        latency: latencies[index])
    }
    inputChannelCount = program.sourceWidths.reduce(0, +)
    outputChannelCount = program.sinkWidths.reduce(0, +)
  }

  /// Refuses a source or sink of the chain's own, which the caller's buffers would replace.
  private static func check(_ compiled: CompiledChain) throws(ChainFailure) {
    for source in compiled.plan.sources where compiled.endpoint(ofSource: source)?.inputName == nil
    {
      throw ChainFailure(
        .request, code: .notBuffers,
        "the chain has a source of its own, '\(compiled.resolved.graph.nodes[source.node].id)', and a "
          + "renderer of buffers gives a chain its only sound: take an input, or render with a request"
      )
    }
    for sink in compiled.plan.sinks where compiled.endpoint(ofSink: sink)?.nature != .bound {
      throw ChainFailure(
        .request, code: .notBuffers,
        "the chain has a sink of its own, '\(compiled.resolved.graph.nodes[sink.node].id)', and a renderer "
          + "of buffers writes no file and plays on no device: take an output, or render with a request"
      )
    }
  }

  /// Renders the next frames. The output has as many frames as the input, delayed by `latency`.
  ///
  /// - Parameter input: `inputChannelCount` channels of equal length.
  /// - Returns: `outputChannelCount` channels of that length.
  /// - Throws: `ChainFailure` of kind `request` for another number of channels or different lengths.
  public func render(_ input: [[Float]]) throws(ChainFailure) -> [[Float]] {
    try check(input)
    return rendered(input, frameCount: input.first?.count ?? 0)
  }

  /// Renders the next frames of a chain without inputs: of its instruments, and of nodes that sound by
  /// themselves.
  ///
  /// - Parameter frames: at least 0.
  /// - Returns: `outputChannelCount` channels of that length.
  /// - Throws: `ChainFailure` of kind `request` if the chain has an input, or for a negative length.
  public func render(frames: Int) throws(ChainFailure) -> [[Float]] {
    guard inputs.isEmpty else {
      throw ChainFailure(
        .request, code: .usage,
        "the chain has an input, '\(inputs[0].name)': render a buffer for it")
    }
    guard (0...1 << 31).contains(frames) else {
      throw .outOfRange("a render has 0 to 2147483648 frames, not \(frames)")
    }
    return rendered([], frameCount: frames)
  }

  /// Renders the next frames from memory into memory: for a thread of the caller that must not wait. It
  /// neither allocates nor locks, if the chain's plugins do neither.
  ///
  /// - Parameters:
  ///   - frameCount: frames of each channel; more than `blockSize` are rendered block by block.
  ///   - input: `inputChannelCount` channels. They may lie in the memory of the output.
  ///   - output: `outputChannelCount` channels, which are overwritten.
  public func render(
    _ frameCount: Int, from input: UnsafePointer<UnsafePointer<Float>>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let mode = fx_flush_denormals()
    blocks.render(frameCount, from: input, into: output)
    fx_set_floating_point_mode(mode)
  }

  /// Handles what happened since the last call: faults are reported in `events`, and a node that failed is
  /// restarted. `render(_:)` calls it; with `render(_:from:into:)` the caller does, on the same thread or
  /// while it does not render.
  public func attend() {
    guard supervisor.hasNews else { return }
    // In seconds of sound, so that the result does not depend on the render speed.
    let now = Double(program.renderer.frame) / sampleRate
    events += supervisor.attend(now: now).prefix(max(0, 1000 - events.count))
  }

  private func check(_ input: [[Float]]) throws(ChainFailure) {
    guard input.count == inputChannelCount else {
      throw ChainFailure(
        .request, code: .usage,
        "the chain takes \(Text.count(inputChannelCount, "channel")), and the input has \(input.count)"
      )
    }
    guard input.allSatisfy({ $0.count == input[0].count }) else {
      throw ChainFailure(
        .request, code: .usage,
        "the channels of the input have different lengths: \(input.map(\.count)) frames")
    }
  }

  private func rendered(_ input: [[Float]], frameCount: Int) -> [[Float]] {
    var output = [[Float]](
      repeating: [Float](repeating: 0, count: frameCount), count: outputChannelCount)
    let mode = fx_flush_denormals()
    var frame = 0
    while frame < frameCount {
      let count = min(blockSize, frameCount - frame)
      blocks.renderBlock(count, from: input, into: &output, at: frame)
      attend()
      frame += count
    }
    fx_set_floating_point_mode(mode)
    return output
  }

  /// Renders a whole sound: removes the latency at the start and adds the tail at the end.
  ///
  /// The tail follows the chain: none, a given time, or the length that its units declare. If a
  /// unit cannot declare it, the tail ends when it has stayed below -90 dB for half a second longer
  /// than the declared tails plus the longest loop. It lasts at most 30 s longer than these.
  ///
  /// - Parameter input: `inputChannelCount` channels of equal length.
  /// - Throws: `ChainFailure` of kind `request` for another number of channels or different lengths.
  public func renderWhole(_ input: [[Float]]) throws(ChainFailure) -> [[Float]] {
    try check(input)
    let length = input.first?.count ?? 0
    let latency = latency
    let start = program.renderer.frame
    var output = rendered(input, frameCount: length)
    var (limit, hold) = (tailLimit, Int.max)
    if limit == nil {
      limit = Int(compiled.longestTail * sampleRate)
      hold = Int(compiled.silence * sampleRate)
    }
    if case .auto = compiled.built.tail, let declared = limit {
      limit = max(declared, program.tail(from: start + length).declaredFrames)
    }
    let end = length + (limit ?? 0) + latency
    var silentFrames = 0
    while let done = output.first?.count, done < end, silentFrames < hold {
      let count = min(blockSize, end - done)
      let block = rendered(
        [[Float]](repeating: [Float](repeating: 0, count: count), count: inputChannelCount),
        frameCount: count)
      for channel in output.indices { output[channel] += block[channel] }
      guard done >= length + latency else { continue }
      let isSilent = block.allSatisfy { $0.allSatisfy { abs($0) < Silence.level } }
      silentFrames = isSilent ? silentFrames + count : 0
    }
    var kept = output.map { Array($0.dropFirst(latency)) }
    if hold != .max {
      let last = kept.compactMap { $0.lastIndex { abs($0) >= Silence.level } }.max() ?? -1
      let end = max(length, last + 1)
      kept = kept.map { Array($0.prefix(end)) }
    }
    return kept
  }

  private var tailLimit: Int? {
    switch compiled.built.tail {
    case .none: return 0
    case .seconds(let seconds): return Int((seconds * sampleRate).rounded())
    case .auto:
      return compiled.tail.isOpenEnded ? nil : compiled.tail.declaredFrames
    }
  }

  /// Moves a parameter (`comp.threshold`, `eq.bands.presence.gain`, `reverb.wet`) to a value in its
  /// own unit of measure, from the next block on and without a click.
  public func set(_ parameter: String, to value: Double) throws(ChainFailure) {
    let built = compiled.built
    try send(parameter) { found throws(ValueProblem) in try built.value(value, for: found) }
  }

  /// Moves a parameter to a value as chains write it: `"-18 dB"`, `"3.2 kHz"`, `"true"`.
  public func set(_ parameter: String, to value: String) throws(ChainFailure) {
    let built = compiled.built
    try send(parameter) { found throws(ValueProblem) in try built.value(value, for: found) }
  }

  private func send(
    _ name: String, _ value: (BuiltChain.Parameter) throws(ValueProblem) -> Double
  ) throws(ChainFailure) {
    do throws(ValueProblem) {
      let parameter = try compiled.built.parameter(name)
      guard
        program.set(node: parameter.node, parameter: parameter.slot, to: try value(parameter))
      else {
        throw ValueProblem(.outOfRange, "too many changes are waiting; render a block first")
      }
    } catch {
      throw ChainFailure(.request, codeText: error.code.rawValue, "\(name): \(error.message)")
    }
  }

  /// The latest reading of a node (`peak` and `rms` of a meter, `gainReduction` of a compressor):
  /// one number per channel or one in all. nil if the node does not publish it.
  public func reading(_ reading: String, of node: String) -> [Float]? {
    guard let index = compiled.built.node(id: node), let instance = compiled.instances[index] else {
      return nil
    }
    let width = compiled.resolved.outputWidths[index].first ?? 0
    return instance.readings(width: width).first { $0.id == reading }?.values.map { Float($0) }
  }
}
