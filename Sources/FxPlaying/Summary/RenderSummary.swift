package import FxAudio
public import FxEngine
package import FxMedia

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
    /// The sound and the file as they were measured, if the request only measures them.
    package let measured: (sound: MeasuredLoudness, file: MeasuredLoudness)?
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
    public package(set) var normalization = 1.0
    /// Live: frames lost because writing was too slow. The file is silent there, so that it stays
    /// in time.
    public let overrunFrames: Int
    /// The positions of the lost frames, in order; at most 1000.
    public let gaps: [Gap]
    /// The files that the sound was split into, in order; empty for one file.
    public package(set) var parts: [Part] = []
    /// The takes of a recording that starts and stops, at most 1000; nil for other outputs.
    public let takes: [Take]?
    /// Frames dropped from the front.
    package let latency: Int

    init(
      _ name: String, _ statistics: SinkStatistics, channels: Int, latency: Int,
      partialPath: String?, overrunFrames: Int = 0, gaps: [Gap] = [],
      takes: [RecordingSwitch.Take]? = nil
    ) {
      self.name = partialPath ?? name
      isPartial = partialPath != nil
      peak = statistics.peak
      loudness = statistics.loudness
      measured = statistics.measured
      clippedSamples = statistics.clippedSampleCount
      isBeforeEncoding = statistics.isBeforeEncoding
      nonFiniteSamples = statistics.nonFiniteSampleCount
      frames = statistics.frameCount
      self.channels = channels
      self.latency = latency
      self.overrunFrames = overrunFrames
      self.gaps = gaps
      self.takes = takes?.map {
        Take(startFrame: $0.startFrame, fileFrame: $0.fileFrame, frames: $0.frameCount ?? 0)
      }
    }
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
    /// Samples beyond full scale.
    public let clippedSamples: Int
    /// In LUFS, if it was measured, as that of an output.
    public let loudness: Double?
    /// True if the render was stopped within this part.
    public let isPartial: Bool
    /// Where the sound of the part begins and ends in the file of the main input; nil if the
    /// render repeats, reverses or cuts that file, or does not play it.
    public let source: SourceSpan?

    package init(_ part: SplitSink.Part, _ source: SourceSpan?) {
      name = part.name
      number = part.number
      title = part.title
      startFrame = part.startFrame
      frames = part.frameCount
      peak = part.peak
      clippedSamples = part.statistics.clippedSampleCount
      loudness = part.statistics.loudness
      isPartial = part.isPartial
      self.source = source
    }
  }

  /// A piece of an input file, in seconds.
  public struct SourceSpan: Sendable, Hashable {
    public let start: Double
    public let end: Double
    /// The sample rate of the file in Hz; nil if it has none.
    public let sampleRate: Double?

    package init(start: Double, end: Double, sampleRate: Double?) {
      self.start = start
      self.end = end
      self.sampleRate = sampleRate
    }

    /// The first frame of the piece in the file.
    public var startFrame: Int? { sampleRate.map { Int((start * $0).rounded()) } }
    /// The frame behind its last.
    public var endFrame: Int? { sampleRate.map { Int((end * $0).rounded()) } }
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
  public struct Gap: Sendable, Hashable {
    /// The first lost frame in the file.
    public let frame: Int
    public let frames: Int
  }

  /// A recovered file, under its own name.
  public struct Recovered: Sendable {
    public let name: String
    /// Seconds of sound in it; nil if its header is damaged.
    public let seconds: Double?

    package init(_ file: RecoveredFile) {
      name = file.path
      seconds = file.seconds
    }
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

    init(_ agreement: ALSAAgreement) {
      sampleRate = agreement.sampleRate
      channels = agreement.channelCount
      format = agreement.formatName
      periodFrames = agreement.periodFrameCount
      bufferFrames = agreement.bufferFrameCount
      isMapped = agreement.isMapped
    }
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
    /// The distribution of the render times of blocks.
    public let blockTimes: BlockLoad
    /// Voluntary and involuntary context switches of the render thread, after its first blocks.
    public let voluntarySwitches: Int
    public let involuntarySwitches: Int
    /// How often it waited for something other than the device. This happens only if a source is
    /// late or several threads render.
    public let otherWaits: Int
    /// The devices that follow.
    public let following: [FollowingDevice]
  }

  /// Processor seconds by kind of work.
  package struct ThreadTimes: Sendable {
    /// Decoding and conversion of all sources, and the rest of the process.
    package var reading = 0.0
    /// By thread.
    package var rendering: [Double] = []
    package var writing = 0.0
  }

  public package(set) var outputs: [Output] = []
  public package(set) var live: Live?
  public package(set) var sampleRate = 0.0
  public package(set) var blockSize = 0
  /// Frames of the sound, without its tail.
  package internal(set) var mainFrames = 0
  /// Frames of sound, its tail included.
  public var frames: Int { mainFrames + tailFrames }
  public package(set) var tailFrames = 0
  /// The rule for the tail's length: `none`, `declared`, `silence` or `given`.
  public package(set) var tailPolicy = "none"
  /// True if the tail was still audible when it had to end.
  public package(set) var tailWasCut = false
  /// Frames removed from the start of the output with the largest latency.
  public package(set) var latencyFrames = 0
  /// Frames that the chain rendered, those of latency included.
  package internal(set) var renderedFrames = 0
  public package(set) var elapsedSeconds = 0.0
  public package(set) var processorSeconds = 0.0
  /// Page faults of the render thread after its first blocks.
  public package(set) var pageFaults = 0
  /// True if it was stopped before its end.
  public package(set) var wasStopped = false
  public package(set) var warnings: [String] = []
  /// Faults of nodes and changes of latency, in order; at most 1000.
  package internal(set) var events: [RenderingEvent] = []
  /// The fault that ended the render early; no file is kept.
  package internal(set) var fault: RenderingEvent?
  /// Events of the sound devices, MIDI inputs, streams and files, in order; at most 1000.
  public package(set) var deviceNotices: [DeviceNotice] = []
  /// The cost of each node, highest first; offline empty unless requested.
  public package(set) var nodeCosts: [NodeCost] = []
  /// The cost of each sum and delay, if requested.
  package var stepCosts: [StepCost] = []
  /// Processor seconds of the threads of a render into files.
  package internal(set) var threadTimes = ThreadTimes()
  /// The last readings of the chain's units, in the order of the chain.
  public package(set) var readings: [LiveReading] = []
  /// Partial outputs of an earlier process that was killed.
  public package(set) var recovered: [Recovered] = []
  /// The played regions of the chain's players, sorted by their start.
  public package(set) var regions: [PlayedRegion] = []

  package static let rememberedEventCount = 1000

  mutating func remember(_ happened: [RenderingEvent]) {
    events += happened.prefix(max(0, Self.rememberedEventCount - events.count))
  }

  /// Faults of nodes during the performance, in order; at most 1000.
  public var faults: [RenderingEvent] { events.filter(\.isFault) }
  /// Changes of latency, in order; at most 1000.
  public var latencyChanges: [RenderingEvent] { events.filter { !$0.isFault } }
  public var seconds: Double { sampleRate > 0 ? Double(frames) / sampleRate : 0 }
  /// Seconds of sound rendered per second.
  public var speed: Double { elapsedSeconds > 0 ? seconds / elapsedSeconds : 0 }
}
