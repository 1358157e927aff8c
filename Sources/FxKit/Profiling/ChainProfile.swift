/// What a chain takes: time and memory by node and step, what limits it, and what more threads give.
public struct ChainProfile: Sendable {
  public struct Node: Sendable, Hashable {
    /// As the chain names it.
    public let id: String
    /// The unit's name, or a plugin's URI.
    public let unit: String
    public let nanosecondsPerFrame: Double
    /// Of the time that all nodes and steps take together.
    public let share: Double
    /// Of the time that a block lasts.
    public let load: LiveSnapshot.Load
    /// Bytes of its own.
    public let memory: Int
  }

  /// What threads do in a render into files.
  public struct Activity: Sendable, Hashable {
    public enum Kind: String, Sendable {
      case reading, rendering
    }

    public let kind: Kind
    public let processorSeconds: Double
    /// Processor seconds of its busiest thread by the seconds that the render lasted, at most 1.
    public let busy: Double
  }

  /// What a number of threads comes to.
  public struct Scaling: Sendable, Hashable {
    public let threads: Int
    /// Seconds of a render into files, the median of several.
    public let seconds: Double
    /// Of the time that a block lasts, what the chain takes live; computed from the nodes' times.
    public let periodShare: Double
    /// Parts that the threads share live; 1 where one thread renders alone.
    public let liveTaskCount: Int
    public let activities: [Activity]

    /// The activity that the others wait for.
    public var limit: Activity.Kind? {
      activities.max { $0.busy < $1.busy }?.kind
    }
  }

  public let sampleRate: Double
  public let blockSize: Int
  /// Seconds of sound that were rendered.
  public let soundSeconds: Double
  /// The heaviest first.
  public let nodes: [Node]
  /// In the order of the plan.
  public let steps: [StepCost]
  /// Bytes of the whole chain: units, delays, buffers, and what waits between files and the render.
  public let memory: Int
  /// By number of threads, 1 first.
  public let scaling: [Scaling]

  public var nanosecondsPerFrame: Double {
    nodes.reduce(0) { $0 + $1.nanosecondsPerFrame }
      + steps.reduce(0) { $0 + $1.nanosecondsPerFrame }
  }
}
