import FxEngine
import Synchronization

/// A program as a driver sees it: where the frames of the driver's sources go, and where those of its
/// sinks are. Another program of a changed chain may have them in another order.
///
/// Made on the control thread, which keeps it for as long as the render thread may look at it.
final class ProgramPorts: @unchecked Sendable {
  // Sendable: never changed after `init`.
  let program: RenderProgram
  let view: UnsafeMutablePointer<View>

  /// What the render thread reads.
  struct View: BitwiseCopyable, @unchecked Sendable {
    // Sendable: pointers to memory of the program, which one thread renders.
    let renderer: Renderer
    let sourceGuard: SourceGuard
    /// By source of the driver, the program's number of it.
    let sourceIndices: UnsafeMutablePointer<Int>
    /// The channels of every source, one source behind the other.
    let sourceChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let sinkIndices: UnsafeMutablePointer<Int>
    let sinkChannels: UnsafeMutablePointer<UnsafePointer<Float>>
    let latencyNumbers: UnsafePointer<Int>?
    /// The sinks' latencies where none of them moves.
    let latencies: UnsafeMutablePointer<Int>
  }

  /// `sources` and `sinks`: by source and sink of the driver, the program's number of it; nil where
  /// both count alike.
  init(_ program: RenderProgram, sources: [Int]? = nil, sinks: [Int]? = nil) {
    self.program = program
    let sources = sources ?? Array(program.sourceWidths.indices)
    let sinks = sinks ?? Array(program.sinkWidths.indices)
    let inputs = sources.flatMap { source in
      (0..<program.sourceWidths[source]).map { program.sourceBuffer(source, channel: $0) }
    }
    let outputs = sinks.flatMap { sink in
      (0..<program.sinkWidths[sink]).map { program.sinkBuffer(sink, channel: $0) }
    }
    view = .allocate(capacity: 1)
    view.initialize(
      to: View(
        renderer: program.renderer, sourceGuard: program.sourceGuard,
        sourceIndices: Self.copy(sources), sourceChannels: Self.copy(inputs),
        sinkIndices: Self.copy(sinks), sinkChannels: Self.copy(outputs),
        latencyNumbers: program.sinkLatencyNumbers,
        latencies: Self.copy(sinks.map { program.sinkLatencies[$0] })))
  }

  deinit {
    view.pointee.sourceIndices.deallocate()
    view.pointee.sourceChannels.deallocate()
    view.pointee.sinkIndices.deallocate()
    view.pointee.sinkChannels.deallocate()
    view.pointee.latencies.deallocate()
    view.deallocate()
  }

  /// By sink of the driver, the frames by which it is late.
  var sinkLatencies: [Int] {
    let latencies = program.sinkLatencies
    return latencies.indices.map { latencies[view.pointee.sinkIndices[$0]] }
  }

  private static func copy<Value: BitwiseCopyable>(
    _ values: [Value]
  ) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: max(values.count, 1))
    for (index, value) in values.enumerated() { (memory + index).initialize(to: value) }
    return memory
  }
}

/// Hands programs to the render thread, which takes them between two blocks, and keeps each until the
/// next has been taken.
final class ProgramExchange: Sendable {
  private let pending = Atomic<UInt>(0)
  private let takenCount = Atomic<Int>(0)
  private let kept: Mutex<(sent: Int, ports: [ProgramPorts])>

  init(_ first: ProgramPorts) { kept = Mutex((0, [first])) }

  /// The program that was sent last.
  var current: ProgramPorts { kept.withLock { $0.ports[$0.ports.count - 1] } }

  /// True when the render thread has taken what was sent.
  var isTaken: Bool { takenCount.load(ordering: .acquiring) == kept.withLock { $0.sent } }

  /// Hands over the next; the last one has to be taken by then.
  func send(_ ports: ProgramPorts) {
    kept.withLock { kept in
      kept.sent += 1
      kept.ports.append(ports)
    }
    pending.store(UInt(bitPattern: ports.view), ordering: .releasing)
  }

  /// Frees the programs that the render thread has left.
  func retire() {
    guard isTaken else { return }
    kept.withLock { $0.ports.removeFirst($0.ports.count - 1) }
  }

  // MARK: - Realtime

  /// What was sent since the last time.
  @_noLocks
  func receive() -> ProgramPorts.View? {
    guard pending.load(ordering: .relaxed) != 0,
      let view = UnsafePointer<ProgramPorts.View>(
        bitPattern: pending.exchange(0, ordering: .acquiring))
    else { return nil }
    defer { takenCount.add(1, ordering: .releasing) }
    return view.pointee
  }
}
