package import FxAudio
package import FxDevices
package import FxEngine
package import FxFrames
package import FxMedia

/// What a driver has done.
package struct RenderReport: Sendable, Hashable {
  package struct Sink: Sendable, Hashable {
    package let name: String
    package let statistics: SinkStatistics
    /// Frames taken from the front.
    package let latency: Int
    /// Where the valid part of an unfinished file is.
    package let partialPath: String?
    /// Frames that were dropped because a file could not keep up, live.
    package let overrunFrameCount: Int
    /// Where these are silent in the file; at most a thousand.
    package let gaps: [SinkGap]
    /// The pieces of a recording that starts and stops; nil for any other sink.
    package let takes: [RecordingSwitch.Take]?
  }

  /// What only a sound device shows.
  package struct Live: Sendable, Hashable {
    /// What plays, or records alone.
    package let device: String
    package let playback: ALSAAgreement?
    package let captureDevice: String?
    package let capture: ALSAAgreement?
    /// What the device has otherwise than it was asked, a sentence an end.
    package let differences: [String]
    /// Frames from what is recorded to what is heard of it, the chain's latency included.
    package let roundTripFrameCount: Int?
    /// Frames by which what is recorded was brought forward in files; nil for none.
    package let removedRoundTripFrameCount: Int?
    /// How far the recording clock is ahead of the playing one; nil for one clock.
    package let driftPartsPerMillion: Double?
    package let xrunCount: Int
    package let captureXrunCount: Int
    /// Those of both that fxrun caused: the chain's block took longer than it lasts, or the chain was
    /// being changed. At the others the machine or the device was late.
    package let ownXrunCount: Int
    /// Those of them that came while the chain was being changed.
    package let changeXrunCount: Int
    /// Times that the device was served later than its buffer lasts, and reported no xrun.
    package let gapCount: Int
    /// Seconds by which a wake-up came later than the device was due to be ready, at most.
    package let latestWakeup: Double
    package let suspendCount: Int
    /// How often the device was gone and has returned.
    package let returnCount: Int
    /// Frames of silence in place of a source that was not ready.
    package let starvedFrameCount: Int
    /// Seconds that a block took, without waiting for the device.
    package let meanBlockTime: Double
    package let maximumBlockTime: Double
    /// The same as it is spread.
    package let blockTimes: TimeHistogram.Summary
    package let threadUse: ThreadUse
    /// Seconds that a block lasts.
    package let blockDuration: Double
    package let isRealtime: Bool
    package let following: [Following]
  }

  /// A device beside the one that sets the pace.
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

  /// Processor seconds by what threads do.
  package struct ThreadTimes: Sendable, Hashable {
    /// Decoding and conversion, of all sources, and what is left of the process.
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
  /// True when the tail was still audible where it had to end.
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
  /// What happened to units, as far as there is room to remember it.
  package internal(set) var events: [RenderEvent] = []
  /// What ended the render early; nothing of it is kept.
  package internal(set) var fault: RenderEvent?

  package static let rememberedEventCount = 1000

  mutating func remember(_ happened: [RenderEvent]) {
    events += happened.prefix(max(0, RenderReport.rememberedEventCount - events.count))
  }

  package var outputFrameCount: Int { mainFrameCount + tailFrameCount }

  /// Seconds of sound a second.
  package var speed: Double {
    guard elapsed > 0, sampleRate > 0 else { return 0 }
    return Double(outputFrameCount) / sampleRate / elapsed
  }
}
