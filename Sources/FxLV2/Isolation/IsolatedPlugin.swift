import CRealtime
import FxAudio
import Glibc
import Synchronization

/// Makes an LV2 plugin in a separate process.
struct IsolatedPlugin {
  let description: LV2Description
  let spec: UnitSpec
  let searchPath: String
  let settings: IsolationSettings
  let log: LV2LogHandler

  func make(_ preparation: Preparation) throws(Failure) -> UnitInstance {
    // The same block length as in fxrun's own process. Isolation adds this many frames of latency.
    let frameCount = LV2Features.blockLength(preparation.maximumFrameCount)
    var inner = preparation
    inner.setup.isIsolated = false
    inner.hasFixedBlocks = true
    inner.maximumFrameCount = frameCount
    inner.nominalFrameCount = min(preparation.nominalFrameCount, frameCount)
    if preparation.inbox != nil, let input = mainEventInput { inner.eventInputs.insert(input) }
    let hasEvents = !inner.eventInputs.isEmpty || !inner.eventOutputs.isEmpty
    let request = HostRequest(
      uri: description.uri, searchPath: searchPath, preparation: inner)
    let sizes = HostExchange.Sizes(
      frameCount: frameCount, inputCount: preparation.inputWidths.reduce(0, +),
      outputCount: preparation.outputWidths.reduce(0, +), parameterCount: spec.parameters.count,
      readingCount: spec.readingCellCount(preparation.outputWidths),
      eventCapacity: hasEvents ? IsolatedEvents.capacity : 0,
      signals: preparation.isLive ? 0 : 1)
    let (child, exchange) = try process(sizes, request)
    try start(child, exchange)
    return instance(child, exchange, preparation)
  }

  /// The index of the port that receives MIDI among the event inputs.
  private var mainEventInput: Int? {
    guard let port = description.midiInput else { return nil }
    return description.eventInputPorts.firstIndex { $0.index == port.index }
  }

  /// Starts a process for the plugin, with the memory that it shares with fxrun.
  private func process(
    _ sizes: HostExchange.Sizes, _ request: HostRequest
  ) throws(Failure) -> (ChildProcess, HostExchange) {
    let memory = try SharedMemory(size: HostExchange.size(sizes))
    let exchange = HostExchange.make(at: memory.base, sizes)
    let child = try ChildTask(.render, request: request.bytes, host: settings.host).start(
      sharing: memory, onEnd: { fx_semaphore_post(exchange.answer) })
    return (child, exchange)
  }

  /// Waits until the process has instantiated the plugin.
  private func start(_ child: ChildProcess, _ exchange: HostExchange) throws(Failure) {
    let deadline = fx_monotonic_seconds() + settings.start
    while true {
      switch exchange.stage.pointee.load(ordering: .acquiring) {
      case HostExchange.Stage.ready: return
      case HostExchange.Stage.refused: throw Failure(.unusablePlugin, exchange.refusal)
      default: break
      }
      if let end = child.end {
        let how =
          if case .signal = end { "crashed" } else { "ended its process" }
        throw Failure(
          .unusablePlugin,
          "LV2 plugin '\(description.uri)' \(how) while it was started: \(end.description)")
      }
      let left = deadline - fx_monotonic_seconds()
      guard left > 0 else {
        throw Failure(
          .unusablePlugin,
          "LV2 plugin '\(description.uri)' did not start within "
            + "\(LV2Plugin.number(settings.start)) s")
      }
      _ = fx_semaphore_wait(exchange.answer, left)
    }
  }

  private func instance(
    _ child: ChildProcess, _ exchange: HostExchange, _ preparation: Preparation
  ) -> UnitInstance {
    let report = exchange.report.pointee
    let sizes = exchange.sizes
    let latency = max(report.latency, 0) + sizes.frameCount
    let monitor = UnitMonitor(latency: latency)
    let board = ReadingBoard(cellCount: sizes.readingCount)
    let memory = LV2Memory()
    let dryInputs = spec.inputs.first?.isOptional == false ? preparation.inputWidths.first ?? 0 : 0
    let capacity = DryPath.capacity(latency: latency, frameCount: sizes.frameCount)
    let dry = DryPath(
      memory: memory.floats(
        DryPath.floatCount(
          capacity: capacity, inputCount: dryInputs, outputCount: sizes.outputCount)),
      capacity: capacity, inputCount: dryInputs, outputCount: sizes.outputCount,
      rampFrames: Int(min(max(preparation.sampleRate * 0.005, 1), 1e6)))
    let submissions = memory.buffer([Double](repeating: 0, count: HostExchange.slotCount))
    let lateBlocks = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
    lateBlocks.initialize(to: Atomic(0))
    let limit = preparation.isLive ? settings.liveBlock : settings.offlineBlock
    let state = UnsafeMutablePointer<IsolatedKernel>.allocate(capacity: 1)
    if let submissions = submissions.baseAddress {
      state.initialize(
        to: IsolatedKernel(
          exchange: exchange, process: child, monitor: monitor, board: board,
          place: LV2Place.of(description.uri, node: preparation.node), lateBlocks: lateBlocks,
          limit: limit, waits: !preparation.isLive,
          submissions: submissions, dry: dry,
          events: IsolatedEvents(
            exchange, preparation.inbox?.ring, input: mainEventInput ?? 0,
            sampleRate: preparation.sampleRate)))
    }
    let owner = Owner(
      state: state, child: child, exchange: exchange, memory: memory, lateBlocks: lateBlocks,
      settings: settings, uri: description.uri, log: log)
    var restart: (@Sendable () -> Void)?
    if report.canRestart != 0 { restart = { owner.restart() } }
    return UnitInstance(
      spec: spec, state: UnsafeMutableRawPointer(state), entry: IsolatedKernel.entry,
      latency: latency, tail: report.tailFrames < 0 ? .unknown : .frames(report.tailFrames),
      readings: board, inbox: preparation.inbox, monitor: monitor,
      latencyMoves: description.latencyPort != nil,
      restart: restart,
      faultDetail: { owner.detail(monitor.fault?.kind, limit: limit) },
      destroy: { state in
        owner.end()
        state.assumingMemoryBound(to: IsolatedKernel.self).deallocate()
      })
  }

  /// Keeps the process and the memory until the unit is freed.
  private final class Owner: @unchecked Sendable {
    // Sendable: used on the control thread alone, one call at a time.
    private let state: UnsafeMutablePointer<IsolatedKernel>
    private let child: ChildProcess
    private let exchange: HostExchange
    private let memory: LV2Memory
    private let lateBlocks: UnsafeMutablePointer<Atomic<Int>>
    private let settings: IsolationSettings
    private let uri: String
    private let log: LV2LogHandler

    init(
      state: UnsafeMutablePointer<IsolatedKernel>, child: ChildProcess, exchange: HostExchange,
      memory: LV2Memory, lateBlocks: UnsafeMutablePointer<Atomic<Int>>,
      settings: IsolationSettings, uri: String, log: @escaping LV2LogHandler
    ) {
      self.state = state
      self.child = child
      self.exchange = exchange
      self.memory = memory
      self.lateBlocks = lateBlocks
      self.settings = settings
      self.uri = uri
      self.log = log
    }

    deinit { lateBlocks.deallocate() }

    /// Makes the process deactivate and activate the plugin.
    func restart() {
      state.pointee.restart()
      exchange.order.pointee.store(HostExchange.Order.restart, ordering: .releasing)
      fx_semaphore_post(exchange.request)
      let deadline = fx_monotonic_seconds() + settings.start
      while child.end == nil,
        exchange.order.pointee.load(ordering: .acquiring) == HostExchange.Order.restart
      {
        let left = deadline - fx_monotonic_seconds()
        guard left > 0 else { return }
        _ = fx_semaphore_wait(exchange.answer, left)
      }
    }

    /// Asks the process to clean up and end, and kills it when it does not.
    func end() {
      // A process that has already ended or been killed was reported as a fault.
      let isFaulty = child.end != nil || child.isUnwanted.pointee.load(ordering: .acquiring)
      exchange.order.pointee.store(HostExchange.Order.end, ordering: .releasing)
      fx_semaphore_post(exchange.request)
      let end = child.wait(seconds: settings.end)
      if end == nil { _ = child.kill() }
      if !isFaulty, end != .status(0) {
        let what = end.map { "crashed while it was cleaned up: \($0.description)" }
        log(
          LV2LogLine(
            level: .warning, plugin: uri,
            text: what
              ?? "did not end within \(LV2Plugin.number(settings.end)) s and was killed"
          ))
      }
      let late = lateBlocks.pointee.load(ordering: .relaxed)
      guard late > 0 else { return }
      log(
        LV2LogLine(
          level: .warning, plugin: uri,
          text: "\(late) \(late == 1 ? "block was" : "blocks were") not ready in time and bypassed")
      )
    }

    /// Details of a fault besides its kind.
    func detail(_ fault: UnitFault?, limit: Double) -> String? {
      switch fault {
      case nil: return nil
      case .crashed: return child.end?.description
      case .hung: return "no answer for \(LV2Plugin.number(limit)) s"
      case .nonFinite: return nil
      }
    }
  }
}
