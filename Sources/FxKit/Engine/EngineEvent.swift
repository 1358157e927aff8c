public import FxEngine
public import FxPlaying

/// Something that happened to a performance.
public enum EngineEvent: Sendable {
  /// The first block plays.
  case started
  /// A warning or a note about the chain.
  case remark(ChainDiagnostic)
  /// A node failed, or changed its latency.
  case rendering(RenderingEvent)
  /// A device ran dry, went away or came back; a file or a stream is late.
  case device(DeviceNotice)
  /// Another chain has taken over, or was refused.
  case chain(ChainChange)
  /// A region of a player has begun or ended.
  case region(RegionEvent)
  /// The consumer was too slow and has missed this many events.
  case dropped(Int)
  /// The last event.
  case ended(Result<RenderSummary, ChainFailure>)
}

/// The events of an engine; it ends with the engine.
public struct EngineEvents: AsyncSequence, Sendable {
  public typealias Element = EngineEvent
  public typealias Failure = Never

  let queue: EventQueue

  public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

  public struct Iterator: AsyncIteratorProtocol {
    let queue: EventQueue

    public mutating func next() async -> EngineEvent? { await queue.next() }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> EngineEvent? { await queue.next() }
  }
}
