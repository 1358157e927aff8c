/// What a render or a performance came to.
public struct RenderSummary: Sendable {
  public struct Output: Sendable {
    /// The file or device; a partial file's own name.
    public let name: String
    /// True for what was kept of a render that was stopped.
    public let isPartial: Bool
    /// Largest absolute sample, before clipping; 1 is full scale.
    public let peak: Float
    /// Samples beyond full scale.
    public let clippedSamples: Int
    /// Samples that were not a number or infinite, written as silence.
    public let nonFiniteSamples: Int
    public let frames: Int
    public let channels: Int
    /// Frames that a file could not keep up with, live.
    public let overrunFrames: Int
  }

  public struct Live: Sendable {
    public let device: String
    public let xruns: Int
    public let suspensions: Int
    /// Frames of silence in place of a source that was not ready.
    public let starvedFrames: Int
    public let periodFrames: Int
    public let bufferFrames: Int
    /// Seconds that a block took to render, without waiting for the device.
    public let meanBlockSeconds: Double
    public let maximumBlockSeconds: Double
    /// Seconds that a block lasts.
    public let blockSeconds: Double
  }

  public let outputs: [Output]
  public let live: Live?
  public let sampleRate: Double
  public let blockSize: Int
  /// Frames of sound, its tail included.
  public let frames: Int
  public let tailFrames: Int
  /// How the tail's length was chosen: `none`, `declared`, `silence` or `given`.
  public let tailPolicy: String
  /// True when the tail was still audible where it had to end.
  public let tailWasCut: Bool
  /// Frames taken from the front of the latest output.
  public let latencyFrames: Int
  public let elapsedSeconds: Double
  public let processorSeconds: Double
  /// Page faults of the render thread after its first blocks.
  public let pageFaults: Int
  /// True when it was stopped before its end.
  public let wasStopped: Bool
  public let warnings: [String]
  /// Nodes that failed while the performance went on, in order; at most a thousand.
  public let faults: [RenderingEvent]
  /// Latencies that changed, in order; at most a thousand.
  public let latencyChanges: [RenderingEvent]

  public var seconds: Double { sampleRate > 0 ? Double(frames) / sampleRate : 0 }
  /// Seconds of sound a second.
  public var speed: Double { elapsedSeconds > 0 ? seconds / elapsedSeconds : 0 }
}
