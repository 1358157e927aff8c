import Dispatch
public import Testing

/// Runs an asynchronous test on a thread of its own.
///
/// Swift shares a few threads out between all tasks, and other tests wait on them: a test that plays sound
/// would wait for its turn while the sound goes on.
public struct OwnThread: TestTrait, SuiteTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreadExecutor()) { try await function() }
  }

  /// For a suite there is nothing to do: its tests have the trait too.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnThread? {
    testCase == nil ? nil : self
  }
}

extension Trait where Self == OwnThread {
  /// Runs each test on a thread of its own.
  public static var ownThread: OwnThread { OwnThread() }
}

/// A thread of its own for a task: `Task(executorPreference: OwnThreadExecutor()) { … }`.
public final class OwnThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "test")

  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
