/// How a performance stands at one moment: what it sounds like, what it costs, what has happened.
///
/// Levels are in dB relative to full scale; silence is minus infinity.
public struct LiveSnapshot: Sendable, Hashable {
  public enum State: String, Sendable, CaseIterable {
    case playing
    case paused
    /// The device is gone and waited for.
    case waiting
  }

  public var state = State.playing
  /// The chain's name, or its file's.
  public var chain = ""
  /// What plays, or records alone.
  public var device = ""
  /// What records, where it is another.
  public var captureDevice: String?
  /// Frames a second.
  public var sampleRate = 0.0
  public var periodFrames = 0
  public var bufferFrames = 0
  public var blockFrames = 0
  /// Seconds since the start.
  public var elapsedSeconds = 0.0
  /// Seconds of sound so far; where a file plays, its place in the file.
  public var positionSeconds = 0.0
  /// Beats a minute, the bar and the beat within it, both from 1; nil where nobody names a tempo.
  public var tempo: Double?
  public var bar: Int?
  public var beat: Double?
  /// How long the file is; nil for what has no end of its own.
  public var lengthSeconds: Double?
  /// Frames from what is recorded to what is heard of it, the chain's latency included.
  public var roundTripFrames: Int?
  /// Frames by which the chain is late.
  public var latencyFrames = 0

  /// What comes in, and what goes out.
  public var sources: [Stream] = []
  public var sinks: [Stream] = []
  /// The units in the order of the chain.
  public var nodes: [Node] = []
  /// Sums and delays between the nodes; nil where nothing is measured.
  public var betweenNodes: Load?
  /// Whole blocks, reading and writing aside.
  public var blocks: Load?
  public var counts = Counts()

  /// The channels of one source or sink.
  public struct Stream: Sendable, Hashable {
    /// The node.
    public var name: String
    /// The device or the file behind it.
    public var place: String?
    public var channels: [Level]

    public init(name: String, place: String? = nil, channels: [Level] = []) {
      self.name = name
      self.place = place
      self.channels = channels
    }
  }

  public struct Level: Sendable, Hashable {
    /// Falls by 20 dB in 1.7 s.
    public var peak: Double
    /// Of the last 300 ms; a full-scale sine has -3 dB.
    public var rms: Double
    /// The highest since the start.
    public var highest: Double
    /// Samples beyond full scale since the start.
    public var clippedSamples: Int

    public init(peak: Double, rms: Double, highest: Double, clippedSamples: Int = 0) {
      self.peak = peak
      self.rms = rms
      self.highest = highest
      self.clippedSamples = clippedSamples
    }
  }

  public struct Node: Sendable, Hashable {
    /// As the chain names it.
    public var id: String
    /// The unit's name, or a plugin's URI.
    public var unit: String
    /// What the unit publishes: `gainReduction`, `peak`.
    public var readings: [Reading]
    /// nil where nothing is measured.
    public var load: Load?
    /// The peak of its output, falling; nil unless node levels are asked for.
    public var peak: Double?

    public init(
      id: String, unit: String, readings: [Reading] = [], load: Load? = nil, peak: Double? = nil
    ) {
      self.id = id
      self.unit = unit
      self.readings = readings
      self.load = load
      self.peak = peak
    }
  }

  /// A figure that a unit publishes.
  public struct Reading: Sendable, Hashable {
    public var id: String
    /// What it is, for people.
    public var name: String
    /// `dB`; empty for a plain number.
    public var measure: String
    /// One number a channel, or one.
    public var values: [Double]

    public init(id: String, name: String = "", measure: String, values: [Double]) {
      self.id = id
      self.name = name
      self.measure = measure
      self.values = values
    }
  }

  /// Shares of the time that a block lasts; 1 is all of it.
  public struct Load: Sendable, Hashable {
    /// The mean since the snapshot before.
    public var now: Double
    /// Since the start.
    public var mean: Double
    public var p50: Double
    public var p99: Double
    public var p999: Double
    public var maximum: Double

    public init(
      now: Double, mean: Double, p50: Double, p99: Double, p999: Double, maximum: Double
    ) {
      self.now = now
      self.mean = mean
      self.p50 = p50
      self.p99 = p99
      self.p999 = p999
      self.maximum = maximum
    }
  }

  /// What has happened since the start.
  public struct Counts: Sendable, Hashable {
    /// Times that the device ran dry, or over.
    public var xruns = 0
    /// Those of them that fxrun caused: the chain took longer than its block lasts, or fxrun was
    /// changing the chain.
    public var ownXruns = 0
    /// Times that the device was served later than its buffer lasts, and reported no xrun.
    public var gaps = 0
    public var suspensions = 0
    /// Times that the device was gone and has returned.
    public var returns = 0
    /// Frames of silence in place of a source that was not ready.
    public var starvedFrames = 0
    /// Frames that a file could not keep up with.
    public var lostFrames = 0

    public init() {}
  }

  public init() {}

  /// Milliseconds from what is recorded to what is heard of it.
  public var roundTripMilliseconds: Double? {
    guard let roundTripFrames, sampleRate > 0 else { return nil }
    return Double(roundTripFrames) / sampleRate * 1000
  }

  /// Seconds that a block lasts.
  public var blockSeconds: Double { sampleRate > 0 ? Double(blockFrames) / sampleRate : 0 }
}
