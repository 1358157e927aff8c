extension Engine {
  /// The level of a node of a graph, as `levels(of:every:)` for its name.
  public func levels(
    of node: GraphNode<some ChainNode>, every interval: Duration = .milliseconds(100)
  ) -> AsyncStream<Level> {
    levels(of: node.id, every: interval)
  }

  /// The level of a node's output, of a source or of a sink.
  public struct Level: Sendable, Hashable {
    /// The highest peak of all channels in dB relative to full scale; -inf for silence. It falls by 20 dB in
    /// 1.7 s.
    public var peak: Double
    /// Of a source or a sink: peak and RMS of each channel.
    public var channels: [LiveSnapshot.Level]
  }

  /// The level of a node, again and again until the engine ends; the newest is kept for a slow consumer.
  ///
  /// - Parameters:
  ///   - node: the name in the chain. A name that the chain does not have ends the stream.
  ///   - interval: the time between two levels, from 5 ms to an hour.
  public func levels(
    of node: String, every interval: Duration = .milliseconds(100)
  ) -> AsyncStream<Level> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      // A stream that nobody reads does not keep the engine.
      let task = Task { [weak self] in
        _ = try? await self?.send(.nodeLevels(true))
        while !Task.isCancelled, case .snapshot(let now)? = try? await self?.send(.snapshot),
          let level = Level(of: node, in: now)
        {
          continuation.yield(level)
          try? await Task.sleep(for: min(max(interval, .milliseconds(5)), .seconds(3600)))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension Engine.Level {
  /// nil for a node that the snapshot does not have.
  fileprivate init?(of node: String, in snapshot: LiveSnapshot) {
    if let stream = (snapshot.sources + snapshot.sinks).first(where: { $0.name == node }) {
      self.init(
        peak: stream.channels.map(\.peak).max() ?? -.infinity, channels: stream.channels)
    } else if let node = snapshot.nodes.first(where: { $0.id == node }) {
      self.init(peak: node.peak ?? -.infinity, channels: [])
    } else {
      return nil
    }
  }
}
