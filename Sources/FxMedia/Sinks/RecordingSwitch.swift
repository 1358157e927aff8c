import Synchronization

/// What a recording that starts and stops is told by hand, and what it has done. From any thread but
/// the render thread.
package final class RecordingSwitch: Sendable {
  /// A piece that was written.
  package struct Take: Sendable, Hashable {
    /// Of the sound that came, its pre-roll included.
    package let startFrame: Int
    /// Of the file.
    package let fileFrame: Int
    /// nil while it goes on.
    package var frameCount: Int?
  }

  package struct Request: Sendable, Hashable {
    /// Of the sound that comes.
    package let frame: Int
    package let starts: Bool
  }

  private struct State {
    var requests: [Request] = []
    var takes: [Take] = []
    var startCount = 0
    var stopCount = 0
    var isRecording = false
  }

  /// Starts and stops that are kept.
  private static let limit = 1000
  private let state = Mutex(State())

  package init() {}

  /// Asks for a start or a stop at a frame, or as soon after it as can be.
  package func request(_ starts: Bool, at frame: Int) {
    state.withLock { $0.requests.append(Request(frame: frame, starts: starts)) }
  }

  /// The pieces so far, a thousand at most.
  package var takes: [Take] { state.withLock { $0.takes } }

  /// How often it has started and stopped, and what it did last.
  package var progress: (starts: Int, stops: Int, last: Take?) {
    state.withLock { ($0.startCount, $0.stopCount, $0.takes.last) }
  }

  package var isRecording: Bool { state.withLock { $0.isRecording } }

  /// The next request; nil where there is none.
  var next: Request? { state.withLock { $0.requests.first } }

  func takeNext() { state.withLock { _ = $0.requests.removeFirst() } }

  func start(_ take: Take) {
    state.withLock {
      $0.isRecording = true
      $0.startCount += 1
      if $0.takes.count < Self.limit { $0.takes.append(take) }
    }
  }

  func stop(frameCount: Int) {
    state.withLock {
      $0.isRecording = false
      if $0.startCount <= Self.limit, let last = $0.takes.indices.last {
        $0.takes[last].frameCount = frameCount
      }
      $0.stopCount += 1
    }
  }
}
