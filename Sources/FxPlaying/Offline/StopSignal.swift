import FxMedia
import Synchronization

/// Stops a render or a performance. From any thread or signal handler.
public struct StopSignal: Sendable {
  private let state = State()

  public init() {}

  public func stop() { state.isStopped.store(true, ordering: .relaxed) }
  public var isStopped: Bool { state.isStopped.load(ordering: .relaxed) }

  /// True when outputs are opened, so that there is something to stop. Before that, the thread may
  /// wait for an input pipe without checking the signal.
  package var isHeard: Bool { state.isHeard.load(ordering: .acquiring) }

  /// For a process that ends without waiting for its renders: removes their partial outputs, but
  /// keeps live recordings.
  package func abandonOutputs() {
    state.endings.withLock { $0 }?()
    FileSink.leaveAll()
  }

  /// Sets an action for `abandonOutputs`. From any thread.
  package func onAbandon(_ ending: @escaping @Sendable () -> Void) {
    state.endings.withLock { $0 = ending }
  }

  /// Marks that outputs are about to be opened.
  package func hear() { state.isHeard.store(true, ordering: .releasing) }

  private final class State: Sendable {
    let isStopped = Atomic<Bool>(false)
    let isHeard = Atomic<Bool>(false)
    let endings = Mutex<(@Sendable () -> Void)?>(nil)
  }
}

/// The progress of a render.
public struct RenderingProgress: Sendable, Hashable {
  /// Frames rendered.
  public let frames: Int
  /// Frames of the sound without its tail; nil while unknown.
  public let totalFrames: Int?
  public let elapsedSeconds: Double
  public let sampleRate: Double
  /// True during the measuring pass before the render.
  public package(set) var isMeasuring = false
}
