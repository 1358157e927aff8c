public import FxPlaying

/// The state of a performance at one moment: levels, load and counts of events.
///
/// Levels are in dB relative to full scale; silence is minus infinity.
public struct LiveSnapshot: Sendable, Hashable {
  public enum State: String, Sendable, CaseIterable {
    case playing
    case paused
    /// The device is gone; fxrun waits for it.
    case waiting
  }

  public var state = State.playing
  /// The chain's name, or its file's path.
  public var chain = ""
  /// The playback device, or the recording device if nothing is played.
  public var device = ""
  /// The recording device, if it differs.
  public var captureDevice: String?
  /// Frames a second.
  public var sampleRate = 0.0
  public var periodFrames = 0
  public var bufferFrames = 0
  public var blockFrames = 0
  /// Seconds since the start.
  public var elapsedSeconds = 0.0
  /// The request's start plus the seconds of sound so far: the position in the file, unless
  /// somebody has paused, moved or looped it.
  public var positionSeconds = 0.0
  /// Beats a minute, the bar and the beat within it, both from 1; nil without a tempo.
  public var tempo: Double?
  public var bar: Int?
  public var beat: Double?
  /// The length of the sound in seconds; nil if it has no end of its own.
  public var lengthSeconds: Double?
  /// Frames from the recording input to the playback output, the chain's latency included.
  public var roundTripFrames: Int?
  /// The chain's latency in frames.
  public var latencyFrames = 0

  /// The inputs and the outputs.
  public var sources: [Stream] = []
  public var sinks: [Stream] = []
  /// The units in the order of the chain.
  public var nodes: [Node] = []
  /// Sums and delays between the nodes; nil if times are not measured.
  public var betweenNodes: Load?
  /// Whole blocks, without reading and writing.
  public var blocks: Load?
  public var counts = Counts()

  /// The channels of one source or sink.
  public struct Stream: Sendable, Hashable {
    /// The node's name.
    public var name: String
    /// Its device or file.
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
    /// The RMS of the last 300 ms; a full-scale sine has -3 dB.
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
    /// The name in the chain.
    public var id: String
    /// The unit's name, or a plugin's URI.
    public var unit: String
    /// The unit's readings, such as `gainReduction` and `peak`.
    public var readings: [Reading]
    /// nil if times are not measured.
    public var load: Load?
    /// The falling peak of its output; nil unless node levels are requested.
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

  /// Values that a unit publishes.
  public struct Reading: Sendable, Hashable {
    public var id: String
    /// A description for people.
    public var name: String
    /// `dB`; empty for a plain number.
    public var measure: String
    /// One number per channel, or one in all.
    public var values: [Double]

    public init(id: String, name: String = "", measure: String, values: [Double]) {
      self.id = id
      self.name = name
      self.measure = measure
      self.values = values
    }
  }

  /// Shares of a block's duration; 1 is the whole block.
  public typealias Load = BlockLoad

  /// Counts of events since the start.
  public struct Counts: Sendable, Hashable {
    /// Times that the device ran dry or over.
    public var xruns = 0
    /// The xruns that fxrun caused: the chain took longer than its block lasts, or fxrun was
    /// changing the chain.
    public var ownXruns = 0
    /// Times that the device was served later than its buffer lasts, but reported no xrun.
    public var gaps = 0
    public var suspensions = 0
    /// Times that the device was gone and has returned.
    public var returns = 0
    /// Frames of silence played because a source was not ready.
    public var starvedFrames = 0
    /// Frames that an output file lost because writing was too slow.
    public var lostFrames = 0

    public init() {}
  }

  public init() {}

  /// Milliseconds from the recording input to the playback output.
  public var roundTripMilliseconds: Double? {
    guard let roundTripFrames, sampleRate > 0 else { return nil }
    return Double(roundTripFrames) / sampleRate * 1000
  }

  /// Seconds that a block lasts.
  public var blockSeconds: Double { sampleRate > 0 ? Double(blockFrames) / sampleRate : 0 }
}
