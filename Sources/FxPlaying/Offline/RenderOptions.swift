import FxAudio
import Synchronization

/// How long a render goes on, and where.
package struct RenderOptions: Sendable, Hashable {
  /// Where the length of the sound comes from; a tail follows it.
  package enum Length: Sendable, Hashable {
    /// As long as this source turns out to be.
    case source(Int)
    case frames(Int)
    /// Until it is stopped.
    case endless
  }

  /// What is kept of what sounds on after that.
  package enum Tail: Sendable, Hashable {
    case frames(Int)
    /// So many frames, which the units declare for the values that their parameters start with, or
    /// more where other values make it longer.
    case declared(Int)
    /// Up to the last frame above the threshold, once `hold` seconds in a row have been below it;
    /// at most `maximum` seconds.
    case untilSilent(threshold: Float, hold: Double, maximum: Double)

    /// Silence for half a second, after at most thirty.
    package static let automatic = untilSilent(threshold: Silence.level, hold: 0.5, maximum: 30)
  }

  package var length: Length
  package var tail: Tail
  /// A stop ends the sound as its end would: of a station there is no more to wait for.
  package var isWholeWhenStopped = false
  /// Numbers of the processors that the render thread may run on, live; none for all.
  package var processors: [Int] = []

  package init(length: Length = .source(0), tail: Tail = .automatic) {
    self.length = length
    self.tail = tail
  }
}

/// Asks a running driver to stop. From any thread, a signal handler's included.
package final class StopFlag: Sendable {
  private let isSet = Atomic<Bool>(false)

  package init() {}

  package func stop() { isSet.store(true, ordering: .relaxed) }

  package var isStopped: Bool { isSet.load(ordering: .relaxed) }
}

/// How far a render is.
package struct RenderProgress: Sendable, Hashable {
  package let frameCount: Int
  /// Frames of the sound without its tail; nil while unknown.
  package let total: Int?
  /// Seconds since the start.
  package let elapsed: Double
}
