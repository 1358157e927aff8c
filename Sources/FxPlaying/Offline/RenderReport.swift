package import FxAudio
package import FxEngine
package import FxMedia

/// The result of a render or a live playback.
package struct RenderReport: Sendable, Hashable {
  package struct Sink: Sendable, Hashable {
    package let name: String
    package let statistics: SinkStatistics
    /// Frames dropped from the front.
    package let latency: Int
    /// The path of the valid part of an unfinished file.
    package let partialPath: String?
    /// Frames dropped in live playback because a file could not keep up.
    package let overrunFrameCount: Int
    /// The gaps where these frames are silent in the file; at most a thousand.
    package let gaps: [SinkGap]
    /// The parts of a recording that starts and stops; nil for other sinks.
    package let takes: [RecordingSwitch.Take]?
  }

  /// Results that exist only for live playback.
  package struct Live: Sendable, Hashable {
    /// The device that plays, or that records if none plays.
    package let device: String
    package let playback: ALSAAgreement?
    package let captureDevice: String?
    package let capture: ALSAAgreement?
    /// Settings that the device changed, one sentence for each direction.
    package let differences: [String]
    /// Frames from the recording input to the playback output, the chain's latency included.
    package let roundTripFrameCount: Int?
    /// Frames by which recorded files were shifted earlier; nil for none.
    package let removedRoundTripFrameCount: Int?
    /// The drift of the recording clock against the playback clock; positive if it is faster. nil
    /// for one clock.
    package let driftPartsPerMillion: Double?
    package let xrunCount: Int
    package let captureXrunCount: Int
    /// Xruns that fxrun caused: a block took longer than its duration, or the chain was being
    /// changed. The machine or the device caused the others.
    package let ownXrunCount: Int
    /// Own xruns during a change of the chain.
    package let changeXrunCount: Int
    /// How often the device was served too late for its buffer but reported no xrun.
    package let gapCount: Int
    /// The longest delay in seconds between the time when the device was due and the wake-up.
    package let latestWakeup: Double
    package let suspendCount: Int
    /// How often the device was gone and came back.
    package let returnCount: Int
    /// Frames of silence in place of a source that was not ready.
    package let starvedFrameCount: Int
    /// Seconds that a block took, without waiting for the device.
    package let meanBlockTime: Double
    package let maximumBlockTime: Double
    /// The distribution of these times.
    package let blockTimes: TimeHistogram.Summary
    package let threadUse: ThreadUse
    /// Seconds of sound in a block.
    package let blockDuration: Double
    let isRealtime: Bool
    package let following: [Following]
  }

  /// A device other than the one that sets the pace.
  package struct Following: Sendable, Hashable {
    package let name: String
    package let direction: DeviceDirection
    package let agreement: ALSAAgreement
    package let driftPartsPerMillion: Double
    /// Seconds.
    package let latency: Double
    package let xrunCount: Int
    package let gapCount: Int
    package let suspendCount: Int
    package let returnCount: Int
  }

  /// Processor seconds by kind of work.
  package struct ThreadTimes: Sendable, Hashable {
    /// Decoding and conversion of all sources, and the rest of the process.
    package var reading = 0.0
    /// By thread.
    package var rendering: [Double] = []
    package var writing = 0.0

    package init() {}

    init(reading: Double, rendering: [Double], writing: Double) {
      self.reading = reading
      self.rendering = rendering
      self.writing = writing
    }
  }

  package internal(set) var threadTimes = ThreadTimes()
  package internal(set) var sampleRate = 0.0
  /// Frames of the sound, without its tail.
  package internal(set) var mainFrameCount = 0
  package internal(set) var tailFrameCount = 0
  /// True when the tail was still audible at its maximum length.
  package internal(set) var tailWasCut = false
  package internal(set) var renderedFrameCount = 0
  package internal(set) var elapsed = 0.0
  package internal(set) var processorTime = 0.0
  /// Page faults of the render thread after its first blocks.
  package internal(set) var pageFaultCount = 0
  package internal(set) var wasStopped = false
  package internal(set) var sinks: [Sink] = []
  package var warnings: [String] = []
  package internal(set) var live: Live?
  /// Events of units; events beyond the limit are not kept.
  package internal(set) var events: [RenderEvent] = []
  /// The failure that ended the render early; no file is kept.
  package internal(set) var fault: RenderEvent?

  package static let rememberedEventCount = 1000

  mutating func remember(_ happened: [RenderEvent]) {
    events += happened.prefix(max(0, RenderReport.rememberedEventCount - events.count))
  }

  package var outputFrameCount: Int { mainFrameCount + tailFrameCount }

  /// Seconds of sound rendered in one second.
  package var speed: Double {
    guard elapsed > 0, sampleRate > 0 else { return 0 }
    return Double(outputFrameCount) / sampleRate / elapsed
  }
}
