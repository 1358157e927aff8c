package import FxPlaying

/// The result of a render or a performance.
public struct RenderSummary: Sendable {
  public struct Output: Sendable {
    /// The file or device; a partial file's own name.
    public let name: String
    /// True if the render was stopped and this is the part rendered so far.
    public let isPartial: Bool
    /// Largest absolute sample; 1 is full scale. For a lossy file as it is decoded, otherwise before
    /// clipping.
    public let peak: Float
    /// In LUFS, of the file as it is decoded; nil unless the request has a loudness or loudness tags;
    /// `-inf` for silence.
    public let loudness: Double?
    /// Samples beyond full scale.
    public let clippedSamples: Int
    /// True if the levels are those of the sound before lossy encoding: the output is a pipe, a
    /// recording, or the part of a render that was stopped.
    public let isBeforeEncoding: Bool
    /// Samples that were not a number or infinite, written as silence.
    public let nonFiniteSamples: Int
    public let frames: Int
    public let channels: Int
    /// The factor of peak normalization; 1 for none.
    public let normalization: Double
    /// Live: frames lost because writing was too slow. The file is silent there, so that it stays
    /// in time.
    public let overrunFrames: Int
    /// The positions of the lost frames, in order; at most 1000.
    public let gaps: [Gap]
    /// The files that the sound was split into, in order; empty for one file.
    public let parts: [Part]
    /// The takes of a recording that starts and stops, at most 1000; nil for other outputs.
    public let takes: [Take]?
  }

  /// One file of a split sound.
  public struct Part: Sendable {
    public let name: String
    /// The part's number, from 1.
    public let number: Int
    /// The title of its chapter.
    public let title: String?
    /// Its first frame in the whole sound.
    public let startFrame: Int
    public let frames: Int
    /// Largest absolute sample; for a lossy file as it is decoded, otherwise before clipping.
    public let peak: Float
    /// True if the render was stopped within this part.
    public let isPartial: Bool
  }

  /// One take of a recording that starts and stops.
  public struct Take: Sendable {
    /// Its first frame in the sound, pre-roll included.
    public let startFrame: Int
    /// Its first frame in the file.
    public let fileFrame: Int
    public let frames: Int
  }

  /// Lost frames of a file, which are silent in it.
  public struct Gap: Sendable {
    /// The first lost frame in the file.
    public let frame: Int
    public let frames: Int
  }

  /// A recovered file, under its own name.
  public struct Recovered: Sendable {
    public let name: String
    /// Seconds of sound in it; nil if its header is damaged.
    public let seconds: Double?
  }

  /// The settings of a sound device.
  public struct DeviceSettings: Sendable {
    public let sampleRate: Double
    public let channels: Int
    /// ALSA's name of the sample format: `S24_3LE`.
    public let format: String
    public let periodFrames: Int
    public let bufferFrames: Int
    /// True if samples were transferred directly through the device's memory.
    public let isMapped: Bool
  }

  /// A device that follows the clock device, resampled to stay in time.
  public struct FollowingDevice: Sendable {
    public let device: String
    /// True if the device records, false if it plays.
    public let isRecording: Bool
    public let settings: DeviceSettings
    /// How much faster its clock is than the clock device's, in parts per million.
    public let driftPartsPerMillion: Double
    /// Seconds from the chain to its playback, or from its recording to the chain.
    public let latencySeconds: Double
    public let xruns: Int
    /// Times that it was served too late, or had too many or too few frames and was restarted.
    public let gaps: Int
    public let suspensions: Int
    public let returns: Int
  }

  public struct Live: Sendable {
    /// The playback device, or the recording device if nothing was played.
    public let device: String
    public let playback: DeviceSettings?
    public let captureDevice: String?
    public let capture: DeviceSettings?
    /// Settings that the device changed, a sentence each.
    public let differences: [String]
    /// Frames from the recording input to the playback output: the device's buffer and the chain's
    /// latency. Converters add one or two milliseconds that no driver reports.
    public let roundTripFrames: Int?
    /// Frames by which recordings were moved earlier in files, to align them with the playback; nil
    /// if nothing was moved.
    public let removedRoundTripFrames: Int?
    /// How much faster the recording card's clock is than the playback card's, in parts per
    /// million, as it was compensated; nil for one clock.
    public let driftPartsPerMillion: Double?
    /// Times that the device ran dry or over.
    public let xruns: Int
    /// The xruns of the recording side.
    public let captureXruns: Int
    /// The xruns that fxrun caused: the chain took longer than its block lasts, or fxrun was
    /// changing the chain.
    public let ownXruns: Int
    /// The part of `ownXruns` during a change of the chain, with all blocks in time.
    public let changeXruns: Int
    /// The xruns for which the system or the device was late and the chain in time.
    public var lateXruns: Int { xruns - ownXruns }
    /// The largest delay of a wake-up after the expected time, in seconds.
    public let latestWakeupSeconds: Double
    /// Times that the device was served later than its buffer lasts, but reported no xrun.
    public let gaps: Int
    public let suspensions: Int
    /// Times that the device was gone and has returned.
    public let returns: Int
    /// Frames of silence played because a source was not ready.
    public let starvedFrames: Int
    public let periodFrames: Int
    public let bufferFrames: Int
    /// The mean time to render a block in seconds, without waiting for the device.
    public let meanBlockSeconds: Double
    public let maximumBlockSeconds: Double
    /// Seconds that a block lasts.
    public let blockSeconds: Double
    /// Percentiles and maximum of the render time of a block, as a share of its duration; 1 is the
    /// whole duration.
    public let blockTimes: BlockTimes
    /// Voluntary and involuntary context switches of the render thread, after its first blocks.
    public let voluntarySwitches: Int
    public let involuntarySwitches: Int
    /// How often it waited for something other than the device. This happens only if a source is
    /// late or several threads render.
    public let otherWaits: Int
    /// The devices that follow.
    public let following: [FollowingDevice]
  }

  public struct BlockTimes: Sendable {
    public let p50: Double
    public let p99: Double
    public let p999: Double
    public let maximum: Double
  }

  public let outputs: [Output]
  public let live: Live?
  public let sampleRate: Double
  public let blockSize: Int
  /// Frames of sound, its tail included.
  public let frames: Int
  public let tailFrames: Int
  /// The rule for the tail's length: `none`, `declared`, `silence` or `given`.
  public let tailPolicy: String
  /// True if the tail was still audible when it had to end.
  public let tailWasCut: Bool
  /// Frames removed from the start of the output with the largest latency.
  public let latencyFrames: Int
  public let elapsedSeconds: Double
  public let processorSeconds: Double
  /// Page faults of the render thread after its first blocks.
  public let pageFaults: Int
  /// True if it was stopped before its end.
  public let wasStopped: Bool
  public let warnings: [String]
  /// Faults of nodes during the performance, in order; at most 1000.
  public let faults: [RenderingEvent]
  /// Changes of latency, in order; at most 1000.
  public let latencyChanges: [RenderingEvent]
  /// Events of the sound devices, MIDI inputs, streams and files, in order; at most 1000.
  public let deviceNotices: [DeviceNotice]
  /// The cost of each node, highest first; offline empty unless requested.
  public let nodeCosts: [NodeCost]
  /// The cost of each sum and delay, if requested.
  var stepCosts: [StepCost] = []
  /// Processor seconds of the threads of a render into files.
  package var threadTimes = RenderReport.ThreadTimes()
  /// The last readings of the chain's units, in the order of the chain.
  public let readings: [LiveReading]
  /// Partial outputs of an earlier process that was killed.
  public let recovered: [Recovered]

  /// The played regions of the chain's players, sorted by their start.
  public internal(set) var regions: [PlayedRegion] = []

  public var seconds: Double { sampleRate > 0 ? Double(frames) / sampleRate : 0 }
  /// Seconds of sound rendered per second.
  public var speed: Double { elapsedSeconds > 0 ? seconds / elapsedSeconds : 0 }
}
