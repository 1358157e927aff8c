import FxMedia
package import FxPlaying
import Synchronization

/// Stops a render or a performance. From any thread.
public struct StopSignal: Sendable {
  package let flag = StopFlag()
  private let attention = Attention()

  public init() {}

  public func stop() { flag.stop() }
  public var isStopped: Bool { flag.isStopped }

  /// True when outputs are opened, so that there is something to stop. Before that, the thread may
  /// wait for an input pipe without checking the signal.
  package var isHeard: Bool { attention.isHeard.load(ordering: .acquiring) }

  /// For a process that ends without waiting for its renders: removes their partial outputs, but
  /// keeps live recordings.
  package func abandonOutputs() {
    attention.endings.withLock { $0 }?()
    FileSink.leaveAll()
  }

  /// Sets an action for `abandonOutputs`. From any thread.
  package func onAbandon(_ ending: @escaping @Sendable () -> Void) {
    attention.endings.withLock { $0 = ending }
  }

  /// Marks that outputs are about to be opened.
  package func hear() { attention.isHeard.store(true, ordering: .releasing) }

  private final class Attention: Sendable {
    let isHeard = Atomic<Bool>(false)
    let endings = Mutex<(@Sendable () -> Void)?>(nil)
  }
}

/// The progress of a render.
public struct RenderingProgress: Sendable {
  /// Frames rendered.
  public let frames: Int
  /// Frames of the sound without its tail; nil while unknown.
  public let totalFrames: Int?
  public let elapsedSeconds: Double
  public let sampleRate: Double
  /// True during the measuring pass before the render.
  public let isMeasuring: Bool
}
