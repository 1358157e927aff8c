import FxMedia
package import FxPlaying
import Synchronization

/// Asks a render or a performance to stop. From any thread.
public struct StopSignal: Sendable {
  package let flag = StopFlag()
  private let attention = Attention()

  public init() {}

  public func stop() { flag.stop() }
  public var isStopped: Bool { flag.isStopped }

  /// True once there is something to stop: outputs that are begun. Before that, what opens inputs
  /// may wait for a pipe and does not look.
  package var isHeard: Bool { attention.isHeard.load(ordering: .acquiring) }

  /// For a process that ends without waiting for its renders: removes what they have begun, or keeps
  /// it where it is recorded live.
  package func abandonOutputs() {
    attention.endings.withLock { $0 }?()
    FileSink.leaveAll()
  }

  /// Does more when the process ends in a hurry, from here on. From any thread.
  package func onAbandon(_ ending: @escaping @Sendable () -> Void) {
    attention.endings.withLock { $0 = ending }
  }

  /// Says that there is something to stop from here on.
  package func hear() { attention.isHeard.store(true, ordering: .releasing) }

  private final class Attention: Sendable {
    let isHeard = Atomic<Bool>(false)
    let endings = Mutex<(@Sendable () -> Void)?>(nil)
  }
}

/// How far a render is.
public struct RenderingProgress: Sendable {
  /// Frames rendered.
  public let frames: Int
  /// Frames of the sound without its tail; nil while unknown.
  public let totalFrames: Int?
  public let elapsedSeconds: Double
  public let sampleRate: Double
  /// True in a pass before the render, in which the sound is measured.
  public let isMeasuring: Bool
}
