import CLilv
import CRealtime
import FxAudio
import Glibc

/// The other side of a probe: the process that runs the plugin.
enum ProbeHost {
  static func main(_ task: ReceivedTask) -> Never {
    let exchange = ProbeExchange(at: task.memory(minimumSize: ProbeExchange.size).base)
    guard let request = HostRequest(task.request) else { Glibc.exit(64) }
    // What plugins print goes to a separate file.
    let printed = fx_shared_memory_make(0)
    if printed >= 0 { StandardOutput.divert(to: printed) }
    do throws(Failure) {
      try run(request, exchange)
    } catch {
      exchange.message = error.message
      _exit(0)
    }
    fx_lv2_flush_standard_output()
    exchange.figures.pointee.prints = fx_shared_memory_size(printed) > 0 ? 1 : 0
    exchange.enter(.exit)
    // Not `_exit`: the exit handlers of libraries are part of the probe.
    Glibc.exit(0)
  }

  private static func run(_ request: HostRequest, _ exchange: ProbeExchange) throws(Failure) {
    let world = LV2World(searchPath: request.searchPath)
    guard let description = world.describe(uri: request.uri),
      let type = try world.plugin(uri: request.uri)
    else {
      throw Failure(
        .unusablePlugin, "LV2 plugin '\(request.uri)' is not installed any more")
    }
    _ = try LV2Library.load(description)
    exchange.enter(.instantiate)
    let instance = try type.make(request.preparation)
    exchange.figures.pointee.isMade = 1
    exchange.figures.pointee.latency = instance.monitor?.latency ?? instance.latency
    let takesSound = !description.mainInputs.isEmpty
    exchange.figures.pointee.shouldSound =
      takesSound && !description.audioOutputs.isEmpty ? 1 : 0
    exchange.enter(.run)
    render(instance, request.preparation, exchange)
    exchange.enter(.cleanup)
    // Freed on return.
    withExtendedLifetime(instance) {}
  }

  /// A second of noise, then half a second of silence.
  private static func render(
    _ instance: UnitInstance, _ preparation: Preparation, _ exchange: ProbeExchange
  ) {
    let mode = fx_flush_denormals()
    defer { fx_set_floating_point_mode(mode) }
    let memory = LV2Memory()
    let inputCount = preparation.inputWidths.reduce(0, +)
    let outputCount = preparation.outputWidths.reduce(0, +)
    let frameCount = preparation.maximumFrameCount
    // One more of each, so that empty lists have an address too.
    let samples = (0...inputCount).map { _ in memory.floats(frameCount + 16) }
    let inputs = memory.buffer(samples.map { UnsafePointer($0) })
    let outputs = memory.buffer((0...outputCount).map { _ in memory.floats(frameCount + 16) })
    let parameters = memory.buffer(
      (preparation.parameters + [0]).map { ParameterSignal(constant: Float($0)) })
    guard let first = inputs.baseAddress, let last = outputs.baseAddress,
      let values = parameters.baseAddress
    else { return }
    var seed: UInt32 = 0x9e37_79b9
    let noiseEnd = Int(preparation.sampleRate)
    let end = noiseEnd * 3 / 2
    var frame = 0
    while frame < end {
      for channel in 0..<inputCount {
        for index in 0..<frameCount {
          seed = seed &* 1_664_525 &+ 1_013_904_223
          let isNoise = frame + index < noiseEnd
          samples[channel][index] = isNoise ? Float(Int32(bitPattern: seed)) * 0x1p-33 : 0
        }
      }
      var block = RenderBlock(
        inputs: UnsafePointer(first), inputCount: inputCount, outputs: UnsafePointer(last),
        outputCount: outputCount, frameCount: frameCount, frame: frame,
        parameters: UnsafePointer(values))
      let start = fx_processor_seconds()
      instance.entry.render(instance.state, &block)
      exchange.figures.pointee.seconds += fx_processor_seconds() - start
      frame += frameCount
      exchange.figures.pointee.frames = frame
      for channel in 0..<outputCount { judge(outputs[channel], frameCount, exchange) }
    }
  }

  private static func judge(
    _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int, _ exchange: ProbeExchange
  ) {
    var peak: Float = 0
    for index in 0..<frameCount {
      let size = abs(samples[index])
      guard size.isFinite else {
        exchange.figures.pointee.isFinite = 0
        return
      }
      peak = max(peak, size)
    }
    exchange.figures.pointee.peak = max(exchange.figures.pointee.peak, Double(peak))
  }
}
