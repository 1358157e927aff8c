import Synchronization

/// Requests to start and stop a recording, and its takes so far. From any thread except the render
/// thread.
package final class RecordingSwitch: Sendable {
  /// A recorded piece.
  package struct Take: Sendable, Hashable {
    /// The first frame in the input, including the pre-roll.
    package let startFrame: Int
    /// The first frame in the file.
    package let fileFrame: Int
    /// nil while it is being recorded.
    package var frameCount: Int?
  }

  package struct Request: Sendable, Hashable {
    /// The frame of the input.
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

  /// The most takes that are kept.
  private static let limit = 1000
  private let state = Mutex(State())

  package init() {}

  /// Requests a start or a stop at a frame, or as soon as possible after it.
  package func request(_ starts: Bool, at frame: Int) {
    state.withLock { $0.requests.append(Request(frame: frame, starts: starts)) }
  }

  /// The takes so far, at most a thousand.
  package var takes: [Take] { state.withLock { $0.takes } }

  /// How often it has started and stopped, and the last take.
  package var progress: (starts: Int, stops: Int, last: Take?) {
    state.withLock { ($0.startCount, $0.stopCount, $0.takes.last) }
  }

  package var isRecording: Bool { state.withLock { $0.isRecording } }

  /// The next request; nil if there is none.
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
