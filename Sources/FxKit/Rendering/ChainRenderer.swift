import CRealtime
import FxAudio
import FxChain
import FxEngine

/// Renders buffers of samples through a chain: a whole sound, or block by block.
///
/// Samples are planar: an array of channels, each an array of frames, full scale at ±1. The chain
/// has one input and one output, and no source or sink of its own. One thread at a time may use a renderer.
///
///     let renderer = try ChainRenderer(chain, sampleRate: 48000, channels: 2)
///     let output = try renderer.renderWhole(input)
public final class ChainRenderer {
  /// Frames a second.
  public let sampleRate: Double
  /// The maximum number of frames in a block, as LV2 plugins see it.
  public let blockSize: Int
  public let inputChannelCount: Int
  public let outputChannelCount: Int
  /// The latency of `render` now, in frames. `renderWhole` removes the latency at its start.
  ///
  /// If a plugin changes its latency while it renders, the other paths of the chain are adjusted
  /// between two blocks. This is then the new latency of the output.
  public var latency: Int { program.sinkLatencies[0] }
  /// Faults of nodes that produced a NaN or infinite sample, and changes of latency, in order; at
  /// most 1000. Such a node is silent for a block and restarted, three times within ten seconds;
  /// then it stays silent. Input samples that are not finite are replaced with silence.
  public private(set) var events: [RenderingEvent] = []
  private let compiled: CompiledChain
  private let program: RenderProgram
  private let supervisor: Supervisor

  /// Builds the chain and all its units.
  ///
  /// - Parameters:
  ///   - chain: the chain to render; it must have one input and one output and no other source or sink.
  ///   - sampleRate: the sample rate of the chain's input and output in Hz.
  ///   - channels: the number of input channels.
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
    compiled = try chain.compiled(
      .blocks(sampleRate: sampleRate, channels: channels, blockSize: blockSize))
    guard compiled.plan.sources.count == 1, compiled.plan.sinks.count == 1 else {
      throw ChainFailure(
        .request, code: .severalStreams,
        "a chain that renders buffers has one source and one sink; "
          + "this one has \(compiled.plan.sources.count) and \(compiled.plan.sinks.count)")
    }
    try Self.check(compiled)
    if let node = compiled.liveNode { throw .liveOnly(node) }
    if let mistake = compiled.wholeSoundMistake(
      compiled.measuringUnits, where: "a render block by block")
    {
      throw ChainFailure(Diagnostics([mistake]))
    }
    program = compiled.program(isInteractive: true)
    supervisor = Supervisor(program)
    self.sampleRate = compiled.sampleRate
    self.blockSize = compiled.blockSize
    inputChannelCount = program.sourceWidths[0]
    outputChannelCount = program.sinkWidths[0]
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
  public func render(_ input: [[Float]]) -> [[Float]] {
    precondition(input.count == inputChannelCount, "the chain takes \(inputChannelCount) channels")
    let frameCount = input.first?.count ?? 0
    precondition(input.allSatisfy { $0.count == frameCount }, "channels differ in length")
    var output = [[Float]](
      repeating: [Float](repeating: 0, count: frameCount), count: outputChannelCount)
    var frame = 0
    while frame < frameCount {
      let count = min(blockSize, frameCount - frame)
      for channel in input.indices {
        let buffer = program.sourceBuffer(0, channel: channel)
        for offset in 0..<count { buffer[offset] = input[channel][frame + offset] }
      }
      renderBlock(count)
      for channel in output.indices {
        let buffer = program.sinkBuffer(0, channel: channel)
        for offset in 0..<count { output[channel][frame + offset] = buffer[offset] }
      }
      frame += count
    }
    return output
  }

  /// Renders a whole sound: removes the latency at the start and adds the tail at the end.
  ///
  /// The tail follows the chain: none, a given time, or the length that its units declare. If a
  /// unit cannot declare it, the tail ends when it has stayed below -90 dB for half a second longer
  /// than the declared tails plus the longest loop. It lasts at most 30 s longer than these.
  public func renderWhole(_ input: [[Float]]) -> [[Float]] {
    let length = input.first?.count ?? 0
    let latency = latency
    let start = program.renderer.frame
    var output = render(input)
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
    while let rendered = output.first?.count, rendered < end, silentFrames < hold {
      let count = min(blockSize, end - rendered)
      let block = render(
        [[Float]](repeating: [Float](repeating: 0, count: count), count: inputChannelCount))
      for channel in output.indices { output[channel] += block[channel] }
      guard rendered >= length + latency else { continue }
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

  private func renderBlock(_ frameCount: Int) {
    let mode = fx_flush_denormals()
    fx_realtime_enter()
    program.sourceGuard.inspect(
      0, program.view.sourceBuffers[0], channelCount: inputChannelCount, frameCount: frameCount,
      at: program.renderer.frame)
    program.renderer.render(frameCount: frameCount)
    fx_realtime_exit()
    fx_set_floating_point_mode(mode)
    guard supervisor.hasNews else { return }
    // In seconds of sound, so that the result does not depend on the render speed.
    let now = Double(program.renderer.frame) / sampleRate
    events += supervisor.attend(now: now).prefix(max(0, 1000 - events.count))
  }
}
