/// The time and memory of a chain by node and step, its bottleneck, and its scaling with threads.
public struct ChainProfile: Sendable {
  public struct Node: Sendable, Hashable {
    /// The node's name in the chain.
    public let id: String
    /// The unit's name, or a plugin's URI.
    public let unit: String
    public let nanosecondsPerFrame: Double
    /// The share of the time of all nodes and steps.
    public let share: Double
    /// Shares of a block's duration.
    public let load: LiveSnapshot.Load
    /// The node's own memory in bytes.
    public let memory: Int
  }

  /// The processor time of one kind of thread in a render into files.
  public struct Activity: Sendable, Hashable {
    public enum Kind: String, Sendable {
      case reading, rendering
    }

    public let kind: Kind
    public let processorSeconds: Double
    /// The processor seconds of its busiest thread divided by the render's duration, at most 1.
    public let busy: Double
  }

  /// The measurements for a number of threads.
  public struct Scaling: Sendable, Hashable {
    public let threads: Int
    /// The median duration of a render into files, in seconds.
    public let seconds: Double
    /// The share of a block's duration that the chain needs live, computed from the nodes' times.
    public let periodShare: Double
    /// The number of tasks that the threads share live; 1 if one thread renders alone.
    public let liveTaskCount: Int
    public let activities: [Activity]

    /// The bottleneck: the activity with the busiest thread.
    public var limit: Activity.Kind? {
      activities.max { $0.busy < $1.busy }?.kind
    }
  }

  public let sampleRate: Double
  public let blockSize: Int
  /// The length of the rendered sound in seconds.
  public let soundSeconds: Double
  /// Sorted by cost, highest first.
  public let nodes: [Node]
  /// In the order of the plan.
  public let steps: [StepCost]
  /// The memory of the whole chain in bytes: units, delays, buffers, and queues to and from files.
  public let memory: Int
  /// Sorted by the number of threads, from 1.
  public let scaling: [Scaling]

  public var nanosecondsPerFrame: Double {
    nodes.reduce(0) { $0 + $1.nanosecondsPerFrame }
      + steps.reduce(0) { $0 + $1.nanosecondsPerFrame }
  }
}
