import FxAudio

/// The state of a node in addition to its unit: moving parameters, whether the unit is taken out,
/// its last samples. Programs that share the unit share it.
///
/// Allocated and freed on the control thread, used on the render thread.
final class NodeMemory: @unchecked Sendable {
  // Sendable: the pointers never change. Their memory belongs to the render thread while a program
  // runs, except the guard, which both threads may use.
  struct State: BitwiseCopyable {
    /// nil for a node that no control signal moves.
    var modulation: ModulationBank?
    /// The slot of the node's `wet` in the bank; `bypass` follows.
    let wetSlot: Int
    var bank: ParameterBank
    /// True when a parameter has changed since the unit last ran.
    var hasNewParameters = true
    /// True from when the unit is taken out until it has run again.
    var wasOut = false

    /// Bytes before the fields that every block reads.
    static let rarelyReadBytes =
      (MemoryLayout<Self>.offset(of: \.bank) ?? 0) + ParameterBank.rarelyReadBytes

    // MARK: - Realtime

    /// The parameters that the unit reads, then `wet` and `bypass`.
    var signals: UnsafeMutablePointer<ParameterSignal> {
      @_noLocks get { modulation?.signals ?? bank.signals }
    }
  }

  let state: UnsafeMutablePointer<State>
  let watch: UnsafeMutablePointer<NodeGuard>
  /// The last sample of each output channel.
  let lastSamples: UnsafeMutablePointer<Float>
  /// Render times of the node's blocks; nil where they are not measured.
  let times: TimeHistogram?
  /// One allocation, so that the values that a node reads in every block lie on few cache lines.
  private let memory: UnsafeMutableRawPointer
  private let modulation: ModulationMemory?

  init(
    _ unit: UnitConfiguration, spec: UnitSpec, inputCount: Int, outputCount: Int,
    sampleRate: Double, isMeasured: Bool = false
  ) {
    modulation = ModulationMemory(unit, inputCount: inputCount)
    times = isMeasured ? .make() : nil
    var written: [ParameterEvent] = []
    var moving: [ParameterTrack] = []
    let automation = Dictionary(grouping: unit.automation, by: \.slot)
    for (index, slot) in unit.parameters.enumerated() {
      let start = written.count
      for line in automation[index] ?? [] {
        written += slot.spec.events(for: line, sampleRate: sampleRate)
      }
      moving.append(
        ParameterTrack(
          motion: ParameterMotion(resting: slot.spec.delivered(unit.values[index])),
          nextEvent: Int32(start), eventEnd: Int32(written.count),
          smoothingFrames: Int32(slot.spec.smoothingFrames(sampleRate: sampleRate)),
          smoothingPath: slot.spec.smoothingPath))
    }
    var layout = MemoryLayoutPlan()
    let count = moving.count
    let places = (
      watch: layout.add(NodeGuard.self),
      state: layout.add(State.self, startingLineAt: State.rarelyReadBytes),
      signals: layout.add(ParameterSignal.self, count: count),
      lastSamples: layout.add(Float.self, count: outputCount),
      tracks: layout.add(ParameterTrack.self, count: count),
      events: layout.add(ParameterEvent.self, count: written.count)
    )
    memory = .allocate(byteCount: layout.byteCount, alignment: MemoryLayoutPlan.alignment)
    state = places.state.bind(in: memory)
    watch = places.watch.bind(in: memory)
    lastSamples = places.lastSamples.bind(in: memory)
    let signals = places.signals.bind(in: memory)
    let tracks = places.tracks.bind(in: memory)
    let events = places.events.bind(in: memory)
    for (index, track) in moving.enumerated() { (tracks + index).initialize(to: track) }
    signals.initialize(repeating: ParameterSignal(constant: 0), count: max(count, 1))
    for (index, event) in written.enumerated() { (events + index).initialize(to: event) }
    lastSamples.initialize(repeating: 0, count: max(outputCount, 1))
    watch.initialize(to: NodeGuard())
    state.initialize(
      to: State(
        modulation: modulation?.bank, wetSlot: unit.slots.wet,
        bank: ParameterBank(
          tracks: tracks, signals: signals, events: UnsafePointer(events), count: count,
          firstPerFrame: spec.readsParametersPerFrame
            ? 0 : max(0, unit.slots.ofUnit.count - spec.perFrameParameterCount))))
  }

  deinit {
    times?.destroy()
    watch.deinitialize(count: 1)
    memory.deallocate()
  }
}
