package import FxPlaying

/// What a render or a performance came to.
public struct RenderSummary: Sendable {
  public struct Output: Sendable {
    /// The file or device; a partial file's own name.
    public let name: String
    /// True for what was kept of a render that was stopped.
    public let isPartial: Bool
    /// Largest absolute sample, before clipping; 1 is full scale.
    public let peak: Float
    /// In LUFS, where tags were to say it; `-inf` for silence.
    public let loudness: Double?
    /// Samples beyond full scale.
    public let clippedSamples: Int
    /// Samples that were not a number or infinite, written as silence.
    public let nonFiniteSamples: Int
    public let frames: Int
    public let channels: Int
    /// What the samples were multiplied by to bring their highest peak to a level; 1 for nothing.
    public let normalization: Double
    /// Frames that a file could not keep up with, live; it is silent there, so that it keeps its time.
    public let overrunFrames: Int
    /// Where that is, in order; at most a thousand.
    public let gaps: [Gap]
    /// The files that the sound was divided into, in order; empty for one file.
    public let parts: [Part]
    /// The pieces of a recording that starts and stops, at most a thousand; nil for any other output.
    public let takes: [Take]?
  }

  /// A file that a sound was divided into.
  public struct Part: Sendable {
    public let name: String
    /// From 1.
    public let number: Int
    /// Of its chapter.
    public let title: String?
    /// Of the whole sound.
    public let startFrame: Int
    public let frames: Int
    /// Largest absolute sample, before clipping.
    public let peak: Float
    /// True for what was kept of a part that was stopped.
    public let isPartial: Bool
  }

  /// A piece of a recording that starts and stops.
  public struct Take: Sendable {
    /// Of the sound, its pre-roll included.
    public let startFrame: Int
    /// Of the file.
    public let fileFrame: Int
    public let frames: Int
  }

  /// Frames of a file that were lost, and are silent in it.
  public struct Gap: Sendable {
    /// Of the file.
    public let frame: Int
    public let frames: Int
  }

  /// A file that was kept, under a name of its own.
  public struct Recovered: Sendable {
    public let name: String
    /// Seconds of sound in it; nil where its header is damaged.
    public let seconds: Double?
  }

  /// How a sound device was set.
  public struct DeviceSettings: Sendable {
    public let sampleRate: Double
    public let channels: Int
    /// ALSA's name of the sample format: `S24_3LE`.
    public let format: String
    public let periodFrames: Int
    public let bufferFrames: Int
    /// True when samples went straight into the device's memory.
    public let isMapped: Bool
  }

  /// A device beside the one that sets the pace, resampled to keep in step.
  public struct FollowingDevice: Sendable {
    public let device: String
    /// True for one that records, false for one that plays.
    public let isRecording: Bool
    public let settings: DeviceSettings
    /// How far its clock is ahead of the one that sets the pace, in parts per million.
    public let driftPartsPerMillion: Double
    /// Seconds from the chain to what it plays, or from what it records to the chain.
    public let latencySeconds: Double
    public let xruns: Int
    /// Times that it was served too late, or had too many or too few frames and began anew.
    public let gaps: Int
    public let suspensions: Int
    public let returns: Int
  }

  public struct Live: Sendable {
    /// What played, or recorded alone.
    public let device: String
    public let playback: DeviceSettings?
    public let captureDevice: String?
    public let capture: DeviceSettings?
    /// What the device had otherwise than it was asked, a sentence each.
    public let differences: [String]
    /// Frames from what is recorded to what is heard of it: the device's buffer and the chain's
    /// latency. Converters add a millisecond or two that no driver reports.
    public let roundTripFrames: Int?
    /// Frames by which what is recorded was brought forward in files, beside what was heard to it;
    /// nil where there was nothing to do.
    public let removedRoundTripFrames: Int?
    /// How far the recording card's clock is ahead of the playing one's, in parts per million, as it
    /// was made up for; nil for one clock.
    public let driftPartsPerMillion: Double?
    /// Times that the device ran dry, or over.
    public let xruns: Int
    /// Those of them that were in what it recorded.
    public let captureXruns: Int
    /// Those of them that fxrun caused: the chain took longer than its block lasts, or fxrun was
    /// changing the chain.
    public let ownXruns: Int
    /// Those of `ownXruns` where fxrun was changing the chain, and its blocks were in time.
    public let changeXruns: Int
    /// Those of them where the machine or the device was late, and the chain in time.
    public var lateXruns: Int { xruns - ownXruns }
    /// Seconds by which a wake-up came later than the device was due to be ready, at most.
    public let latestWakeupSeconds: Double
    /// Times that the device was served later than its buffer lasts, and reported no xrun.
    public let gaps: Int
    public let suspensions: Int
    /// Times that the device was gone and has returned.
    public let returns: Int
    /// Frames of silence in place of a source that was not ready.
    public let starvedFrames: Int
    public let periodFrames: Int
    public let bufferFrames: Int
    /// Seconds that a block took to render, without waiting for the device.
    public let meanBlockSeconds: Double
    public let maximumBlockSeconds: Double
    /// Seconds that a block lasts.
    public let blockSeconds: Double
    /// How much of its time a block took: not more than that in half of the blocks, in 99 % and in
    /// 99.9 %, and at most; 1 is all of it.
    public let blockTimes: BlockTimes
    /// How often the render thread gave its processor away and how often that was taken from it,
    /// after its first blocks.
    public let voluntarySwitches: Int
    public let involuntarySwitches: Int
    /// How often it waited for anything but the device: never, unless a source is late or several threads
    /// render.
    public let otherWaits: Int
    /// The devices beside it.
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
  /// What happened to the sound device and to streams, in order; at most a thousand.
  public let deviceNotices: [DeviceNotice]
  /// What each node took, the heaviest first; empty offline unless it was asked for.
  public let nodeCosts: [NodeCost]
  /// What each sum and delay took, where the request asked for it.
  package var stepCosts: [StepCost] = []
  /// Processor seconds of the threads of a render into files.
  package var threadTimes = RenderReport.ThreadTimes()
  /// What the units of the chain published last, in the order of the chain.
  public let readings: [LiveReading]
  /// What was kept of outputs that an earlier process could not complete, because it was killed.
  public let recovered: [Recovered]

  /// The regions of the chain's players that were played, in the order of their beginnings.
  public internal(set) var regions: [PlayedRegion] = []

  public var seconds: Double { sampleRate > 0 ? Double(frames) / sampleRate : 0 }
  /// Seconds of sound a second.
  public var speed: Double { elapsedSeconds > 0 ? seconds / elapsedSeconds : 0 }
}
