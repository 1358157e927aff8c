import CALSA
package import FxAudio
package import FxFrames
import Synchronization

/// The sound device of a performance: it plays, records, or does both at once on one clock.
///
/// Opened and set up on the control thread, used by the render thread. Every wait has a limit: of
/// the ways in which a device can go, some give no error at all.
package final class SoundDevice: @unchecked Sendable {
  // Sendable: immutable but for what is behind `state`, which belongs to one thread at a time, and
  // the atomics.

  /// One direction that is asked for.
  package struct End: Sendable, Hashable {
    package var name: String
    package var channelCount: Int

    package init(_ name: String, channelCount: Int) {
      self.name = name
      self.channelCount = channelCount
    }
  }

  package struct Request: Sendable, Hashable {
    package var playback: End?
    package var capture: End?
    package var sampleRate = 48000.0
    package var periodFrameCount = 256
    package var periodCount = 3
    /// Frames that are rendered at once; nil for a period.
    package var blockFrameCount: Int?
    /// alsa-lib converts the rate where the device has another one.
    var convertsRate = false
    /// 16-bit samples get the dither that a file of the sound has.
    package var isDithered = true
    /// Channels of the sound in a file; nil for as many as are played.
    package var soundChannelCount: Int?
    /// A device that goes away is waited for; otherwise it ends the performance.
    package var waitsForReturn = false

    package init(playback: End? = nil, capture: End? = nil) {
      self.playback = playback
      self.capture = capture
    }
  }

  package let request: Request
  /// What the ends agreed to when they were opened first.
  package let playback: ALSAAgreement?
  package let capture: ALSAAgreement?
  /// Frames a second, of both ends.
  package let sampleRate: Double
  /// What the playing end is given; no channels where there is none.
  package let format: StreamFormat
  /// True when both ends start at the same frame.
  package let isLinked: Bool

  /// Where the ends are two cards.
  let clocks: TwoClocks?

  let events = DeviceEvents.make()
  let isStopping = Atomic<Bool>(false)
  /// Until when fxrun has been changing the chain: the bits of its seconds, infinite while it is.
  let changingUntil = Atomic<UInt64>(0)
  /// Goes on while a device is waited for, so that waiting is not taken for hanging.
  let attempts = Atomic<Int>(0)
  let state: UnsafeMutablePointer<State>
  let peaks: UnsafeMutablePointer<Float>
  /// Of the playing end and of the recording one.
  let services: UnsafeMutablePointer<ServiceWatch>

  /// What the render thread has of the device.
  struct State: BitwiseCopyable {
    var playback: ALSAStream?
    var capture: ALSAStream?
    var xrunCount = 0
    var captureXrunCount = 0
    /// Those of both that fxrun caused, and those of them where it was changing the chain.
    var ownXrunCount = 0
    var changeXrunCount = 0
    /// Times that an end was served later than its buffer lasts, and reported no xrun.
    var gapCount = 0
    var suspendCount = 0
    var returnCount = 0
    /// Times that this thread slept for the device.
    var waitCount = 0
    /// Times that it was started anew.
    var restartCount = 0
    /// Seconds by which a wake-up came after the moment for which it was due, at most.
    var latestWakeup = 0.0
    /// When the device should be ready, while it is waited for; 0 while it is not.
    var due = 0.0
    /// Frames played and recorded, since the start and since the last start anew.
    var playedCount = 0
    var recordedCount = 0
    var playedSinceStart = 0
    var recordedSinceStart = 0
    /// Recoveries since as much as four buffers was last moved.
    var recoveries = 0
    var framesAtRecovery = 0
    /// Frames moved when it was last started anew without any reason of its own.
    var framesAtRestart = -1
    /// True where the round trip has to be the same after every start.
    var alignsEnds = false
    /// How far the playing end is ahead of the recording one, which linked ends are not.
    var lead = Int.min
    /// Frames that the device is later than its buffer, as its driver reports.
    var playbackDelay = 0
    var captureDelay = Int.max
    /// Blocks since the start for which that is looked at.
    var lookCount = 0
    var clipped = 0
    var nonFinite = 0
    var lossCode: Int32 = 0
    var lossDirection = DeviceDirection.playback
    /// True once it had nothing to move.
    var hasWaited = false
    /// True when the last block took longer than it lasts.
    var wasLate = false
    var isDraining = false
    var fadeIn = 0
  }

  /// Opens the ends by their ALSA names: `default`, `hw:0`, `plughw:1,0`, any other that is defined.
  package init(_ request: Request) throws(IOError) {
    self.request = request
    let ends = try SoundDevice.open(request)
    playback = ends.playback?.agreement
    capture = ends.capture?.agreement
    isLinked = ends.isLinked
    var clocks: TwoClocks?
    if ends.hasTwoClocks, let end = request.capture, let agreement = ends.capture?.agreement {
      clocks = TwoClocks(
        width: min(end.channelCount, agreement.channelCount), capture: agreement,
        blockFrameCount: SoundDevice.blockFrameCount(request, ends.playback?.agreement))
      guard clocks != nil else {
        ends.close()
        throw IOError(.outOfMemory, end.name, "no memory for the sound device '\(end.name)'")
      }
    }
    self.clocks = clocks
    sampleRate = playback?.sampleRate ?? capture?.sampleRate ?? request.sampleRate
    let width = request.playback?.channelCount ?? 0
    format = StreamFormat(sampleRate: sampleRate, channelCount: width)
    state = .allocate(capacity: 1)
    state.initialize(to: State(playback: ends.playback, capture: ends.capture))
    peaks = .allocate(capacity: max(width, 1))
    peaks.initialize(repeating: 0, count: max(width, 1))
    services = .allocate(capacity: 2)
    services.initialize(repeating: ServiceWatch(), count: 2)
  }

  deinit {
    closeEnds()
    state.deallocate()
    peaks.deallocate()
    services.deallocate()
    events.destroy()
  }

  /// For messages.
  package var name: String { request.playback?.name ?? request.capture?.name ?? "" }
  package var isDuplex: Bool { playback != nil && capture != nil }

  /// Frames from what is recorded to what is played of it, the chain's own latency aside: what is
  /// queued for playing, less what the ends are apart, and what their drivers report beyond their
  /// buffers. nil where it is not both.
  package var roundTripFrameCount: Int? {
    guard let playback, capture != nil else { return nil }
    if let clocks {
      // A block is queued when the one before has gone.
      return SoundDevice.queuedFrameCount(playback) + clocks.correction.targetFrameCount
        - SoundDevice.blockFrameCount(request, playback)
    }
    let lead = isLinked || state.pointee.lead == .min ? 0 : state.pointee.lead
    let delay = state.pointee.captureDelay == .max ? 0 : max(state.pointee.captureDelay, 0)
    return SoundDevice.queuedFrameCount(playback) - lead + state.pointee.playbackDelay + delay
  }

  /// Frames a block: what was asked for, or a period.
  static func blockFrameCount(_ request: Request, _ playback: ALSAAgreement?) -> Int {
    request.blockFrameCount ?? playback?.periodFrameCount ?? request.periodFrameCount
  }

  /// How far the recording clock is ahead of the playing one, in parts per million; nil for one
  /// clock.
  package var driftPartsPerMillion: Double? { clocks?.correction.partsPerMillion }

  /// Whole periods of the buffer, which are filled before playing starts.
  static func queuedFrameCount(_ playback: ALSAAgreement) -> Int {
    playback.bufferFrameCount / playback.periodFrameCount * playback.periodFrameCount
  }

  /// How long the longer of the buffers lasts.
  package var bufferSeconds: Double {
    Double(max(playback?.bufferFrameCount ?? 0, capture?.bufferFrameCount ?? 0)) / sampleRate
  }

  /// What was asked for and is otherwise, a sentence an end.
  package var differences: [String] {
    var sentences: [String] = []
    if clocks != nil, let playback = request.playback, let capture = request.capture {
      sentences.append(
        "'\(capture.name)' has a clock of its own; it is resampled to keep in step with "
          + "'\(playback.name)'")
    }
    let requests = SoundDevice.requests(request, playback)
    for (end, agreement, asked) in [
      (request.playback, playback, requests.playback), (request.capture, capture, requests.capture),
    ] {
      guard let end, let agreement, let asked else { continue }
      let differences = agreement.differences(from: asked)
      guard !differences.isEmpty else { continue }
      sentences.append("'\(end.name)' has \(differences.joined(separator: ", "))")
    }
    return sentences
  }

  /// What has happened so far; complete when the render thread has ended.
  package struct Report: Sendable, Hashable {
    package var xrunCount: Int
    package var captureXrunCount: Int
    /// Those of both that fxrun caused: a block took longer than it lasts, or the chain changed.
    package var ownXrunCount: Int
    /// Those of them that came while fxrun was changing the chain.
    package var changeXrunCount: Int
    /// Times that an end was served later than its buffer lasts, and reported no xrun.
    package var gapCount: Int
    /// Seconds by which a wake-up came later than the device was due to be ready, at most.
    package var latestWakeup: Double
    package var suspendCount: Int
    package var returnCount: Int
    package var frameCount: Int
    package var recordedFrameCount: Int
    package var statistics: SinkStatistics
  }

  /// Times that the render thread slept for the device so far; for that thread.
  package var waitCount: Int { state.pointee.waitCount }

  /// Times that it was started anew, whatever the reason; for the render thread.
  var restartCount: Int { state.pointee.restartCount }

  /// By how many frames the playing end, while it runs, has waited longer than for the block that was
  /// written last; for the render thread.
  var lateFrameCount: Int {
    guard let playback = state.pointee.playback, playback.state == SND_PCM_STATE_RUNNING else {
      return 0
    }
    return max(playback.available(), 0)
  }

  /// Goes on while the device is waited for. From any thread.
  package var attemptCount: Int { attempts.load(ordering: .relaxed) }

  /// Ends all waiting for the device. From any thread.
  package func stopWaiting() { isStopping.store(true, ordering: .relaxed) }

  /// What happened to the device, oldest first; nil when there is no more. For one thread.
  package func nextEvent() -> DeviceEvent? { events.next() }

  /// Whole words that the render thread may be about to change.
  package var counts: (xruns: Int, gaps: Int, suspends: Int, returns: Int) {
    (
      state.pointee.xrunCount &+ state.pointee.captureXrunCount, state.pointee.gapCount,
      state.pointee.suspendCount, state.pointee.returnCount
    )
  }

  package var report: Report {
    let now = state.pointee
    let statistics = SinkStatistics(
      frameCount: now.playedCount, peaks: (0..<format.channelCount).map { peaks[$0] },
      clippedSampleCount: now.clipped, nonFiniteSampleCount: now.nonFinite)
    return Report(
      xrunCount: now.xrunCount, captureXrunCount: now.captureXrunCount,
      ownXrunCount: now.ownXrunCount, changeXrunCount: now.changeXrunCount,
      gapCount: now.gapCount, latestWakeup: now.latestWakeup,
      suspendCount: now.suspendCount, returnCount: now.returnCount,
      frameCount: now.playedCount, recordedFrameCount: now.recordedCount, statistics: statistics)
  }

  func closeEnds() {
    for end in [state.pointee.playback, state.pointee.capture].compactMap({ $0 }) {
      state.pointee.waitCount += 1
      end.close()
    }
    state.pointee.playback = nil
    state.pointee.capture = nil
  }
}
