import CLilv
import CRealtime
package import FxAudio
import Glibc
import Synchronization

/// The processes of plugins.
package enum LV2Hosting {
  /// Performs a task for plugins; returns for the task of another role.
  package static func serve(_ task: ReceivedTask) {
    HostExecutable.declareSelf()
    switch task.role {
    case .render: IsolationHost.main(task)
    case .probe: ProbeHost.main(task)
    case .bundles: BundleTrialHost.main(task)
    case .sofa, .testCase, .lint, .batch: break
    }
  }
}

/// The other side of an isolated plugin: the process that it runs in.
enum IsolationHost {
  static func main(_ task: ReceivedTask) -> Never {
    let memory = task.memory(minimumSize: HostExchange.minimumSize)
    let exchange = HostExchange(at: memory.base)
    guard exchange.fits(memory.size), let request = HostRequest(task.request) else { exit(64) }
    do throws(Failure) {
      let instance = try make(request)
      serve(instance, exchange, request.preparation)
    } catch {
      exchange.refusal = error.message
      exchange.stage.pointee.store(HostExchange.Stage.refused, ordering: .releasing)
      fx_semaphore_post(exchange.answer)
      _exit(0)
    }
    fx_lv2_flush_standard_output()
    // Skips the exit handlers of libraries, which may crash.
    _exit(0)
  }

  private static func make(_ request: HostRequest) throws(Failure) -> UnitInstance {
    let world = LV2World(searchPath: request.searchPath)
    guard let type = try world.plugin(uri: request.uri) else {
      throw Failure(
        .unusablePlugin, "LV2 plugin '\(request.uri)' is not installed any more")
    }
    return try type.make(request.preparation)
  }

  /// Renders until the end is requested, then lets the plugin clean up.
  private static func serve(
    _ instance: UnitInstance, _ exchange: HostExchange, _ preparation: Preparation
  ) {
    let context = HostLoop(instance, exchange, preparation)
    if preparation.isLive {
      fx_keep_freed_memory()
      _ = fx_lock_memory()
      fx_process_limit_realtime(5)
    }
    var tail = -1
    if case .frames(let frames) = instance.tail { tail = frames }
    exchange.report.pointee = HostExchange.Report(
      latency: instance.monitor?.latency ?? instance.latency, tailFrames: tail,
      canRestart: instance.restart == nil ? 0 : 1, messageSize: 0)
    context.run()
  }
}

/// The loop that renders blocks in a plugin's own process.
private final class HostLoop: @unchecked Sendable {
  // Sendable: used only by the render thread while it runs.
  private let instance: UnitInstance
  private let exchange: HostExchange
  private let isLive: Bool
  private let memory = LV2Memory()
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let parameters: UnsafeMutablePointer<ParameterSignal>
  private let sampleRate: Double
  /// The musical time of the current block.
  private let time: UnsafeMutablePointer<MusicalTime.State>

  init(_ instance: UnitInstance, _ exchange: HostExchange, _ preparation: Preparation) {
    self.instance = instance
    self.exchange = exchange
    isLive = preparation.isLive
    sampleRate = preparation.sampleRate
    time = .allocate(capacity: 1)
    time.initialize(
      to: MusicalTime.State(
        spans: exchange.spans(0), count: 1, sampleRate: sampleRate, isKnown: false))
    let sizes = exchange.sizes
    // Buffers with fixed addresses and padding after them, as in the engine.
    inputs = .allocate(capacity: sizes.inputCount + 1)
    outputs = .allocate(capacity: sizes.outputCount + 1)
    parameters = .allocate(capacity: sizes.parameterCount + 1)
    for index in 0..<sizes.inputCount {
      inputs[index] = UnsafePointer(memory.floats(sizes.frameCount + 16))
    }
    for index in 0..<sizes.outputCount {
      outputs[index] = memory.floats(sizes.frameCount + 16)
    }
  }

  deinit {
    inputs.deallocate()
    outputs.deallocate()
    parameters.deallocate()
    time.deallocate()
  }

  /// Runs until the end is requested. Live, with realtime priority where that is allowed: one below
  /// the thread that waits for the sound card.
  func run() {
    var thread: UInt64 = 0
    let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { loop in
      if let loop { Unmanaged<HostLoop>.fromOpaque(loop).takeUnretainedValue().loop() }
      return nil
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    if isLive, fx_thread_start(&thread, 69, body, context) == 0 {
      fx_thread_join(thread)
    } else {
      loop()
    }
  }

  private func loop() {
    let mode = fx_flush_denormals()
    defer { fx_set_floating_point_mode(mode) }
    exchange.stage.pointee.store(HostExchange.Stage.ready, ordering: .releasing)
    fx_semaphore_post(exchange.answer)
    var block = 0
    while true {
      while fx_semaphore_wait(exchange.request, 3600) == 0 {}
      while block < exchange.submitted.pointee.load(ordering: .acquiring) {
        render(block)
        block += 1
        exchange.completed.pointee.store(block, ordering: .releasing)
        if exchange.sizes.signals != 0 { fx_semaphore_post(exchange.answer) }
      }
      switch exchange.order.pointee.load(ordering: .acquiring) {
      case HostExchange.Order.end: return
      case HostExchange.Order.restart:
        instance.restart?()
        exchange.order.pointee.store(HostExchange.Order.none, ordering: .releasing)
        fx_semaphore_post(exchange.answer)
      default: break
      }
    }
  }

  private func render(_ number: Int) {
    let sizes = exchange.sizes
    let header = exchange.header(number)
    for channel in 0..<sizes.inputCount {
      UnsafeMutablePointer(mutating: inputs[channel]).update(
        from: exchange.input(number, channel), count: sizes.frameCount)
    }
    for index in 0..<sizes.parameterCount {
      parameters[index] = ParameterSignal(constant: exchange.parameters(number)[index])
    }
    var block = RenderBlock(
      inputs: UnsafePointer(inputs), inputCount: sizes.inputCount,
      outputs: UnsafePointer(outputs), outputCount: sizes.outputCount,
      frameCount: sizes.frameCount, frame: header.pointee.frame,
      parameters: UnsafePointer(parameters))
    if sizes.eventCapacity > 0 {
      block.events = exchange.events(number).list
      exchange.givenEvents(number).clear()
      block.givenEvents = exchange.givenEvents(number)
    }
    if (1...HostExchange.spanCapacity).contains(header.pointee.spanCount) {
      time.pointee = MusicalTime.State(
        spans: exchange.spans(number), count: header.pointee.spanCount, sampleRate: sampleRate,
        isKnown: header.pointee.isTimeKnown != 0)
      time.pointee.revision = header.pointee.timeRevision
      block.time = MusicalTime(UnsafePointer(time))
    }
    instance.entry.render(instance.state, &block)
    var badFrame = sizes.frameCount
    for channel in 0..<sizes.outputCount {
      let samples = UnsafePointer(outputs[channel])
      // A finite sample times 0 is 0; NaN or infinity gives NaN.
      var sum: Float = 0
      for frame in 0..<sizes.frameCount { sum += samples[frame] * 0 }
      if sum != 0 {
        badFrame = min(badFrame, (0..<badFrame).first { !samples[$0].isFinite } ?? badFrame)
      }
      exchange.output(number, channel).update(from: samples, count: sizes.frameCount)
    }
    for cell in 0..<min(sizes.readingCount, instance.readings.cellCount) {
      exchange.readings(number)[cell] = instance.readings[cell]
    }
    if badFrame == sizes.frameCount { badFrame = instance.monitor?.isFaulty == true ? 0 : -1 }
    header.pointee.badFrame = badFrame
    header.pointee.latency = max(instance.monitor?.latency ?? instance.latency, 0)
  }
}
