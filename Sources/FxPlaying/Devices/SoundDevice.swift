import CALSA
package import FxAudio
import Synchronization

/// The sound device of a performance. It plays, records, or does both at once on one clock: a
/// recording from a second card is resampled to the clock of the playing one.
///
/// Opened and set up on the control thread, used by the render thread. Every wait has a limit: a
/// device may disappear without any error.
package final class SoundDevice: @unchecked Sendable {
  // Sendable: immutable except for the atomics and the memory of `state`, which belongs to one
  // thread at a time.

  /// The request for one direction.
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
    /// Frames per rendered block; nil for a period.
    package var blockFrameCount: Int?
    /// alsa-lib converts the sample rate where the device's rate differs.
    var convertsRate = false
    /// Plays on a device with fewer channels, to find out how many it has.
    var acceptsFewerChannels = false
    /// 16-bit samples get the same dither as in a file.
    package var isDithered = true
    /// Channels of the sound in a file; nil for the number of played channels.
    package var soundChannelCount: Int?
    /// fxrun waits for a lost device; otherwise the loss ends the performance.
    package var waitsForReturn = false

    package init(playback: End? = nil, capture: End? = nil) {
      self.playback = playback
      self.capture = capture
    }
  }

  package let request: Request
  /// The hardware parameters of both ends at the first opening.
  package let playback: ALSAAgreement?
  package let capture: ALSAAgreement?
  /// The sample rate of both ends in Hz.
  package let sampleRate: Double
  /// The format of the playing end; no channels where there is none.
  package let format: StreamFormat
  /// True when both ends start at the same frame.
  package let isLinked: Bool
  /// True when an end belongs to a sound server, so that the round trip is not known.
  package let hidesRoundTrip: Bool

  /// Set where the ends have two clocks.
  let clocks: TwoClocks?

  let events = DeviceEvents.make()
  let isStopping = Atomic<Bool>(false)
  /// The time until which fxrun changed the chain: the bit pattern of its seconds, infinite during
  /// a change.
  let changingUntil = Atomic<UInt64>(0)
  /// Increases while fxrun waits for a device, so that waiting does not look like hanging.
  let attempts = Atomic<Int>(0)
  let state: UnsafeMutablePointer<State>
  let peaks: UnsafeMutablePointer<Float>
  /// For the playing end and for the recording one.
  let services: UnsafeMutablePointer<ServiceWatch>

  /// The render thread's state of the device.
  struct State: BitwiseCopyable {
    var playback: ALSAStream?
    var capture: ALSAStream?
    var xrunCount = 0
    var captureXrunCount = 0
    /// Xruns of both ends that fxrun caused, and those of them during a change of the chain.
    var ownXrunCount = 0
    var changeXrunCount = 0
    /// How often an end was serviced later than its buffer lasts, without reporting an xrun.
    var gapCount = 0
    var suspendCount = 0
    var returnCount = 0
    /// How often this thread slept for the device.
    var waitCount = 0
    /// How often it was restarted.
    var restartCount = 0
    /// The longest delay of a wake-up after its due time, in seconds.
    var latestWakeup = 0.0
    /// The time when the device should be ready, during a wait; otherwise 0.
    var due = 0.0
    /// Frames played and recorded, in total and since the last restart.
    var playedCount = 0
    var recordedCount = 0
    var playedSinceStart = 0
    var recordedSinceStart = 0
    /// Recoveries in a row, with no more than four buffers moved between two of them.
    var recoveries = 0
    var framesAtRecovery = 0
    /// Frames moved at the last restart after an I/O error or a stall.
    var framesAtRestart = -1
    /// True where the round trip must be the same after every start.
    var alignsEnds = false
    /// Frames by which the playing end is ahead of the recording one; not for linked ends.
    var lead = Int.min
    /// The delays beyond the buffers in frames, as the drivers report them.
    var playbackDelay = 0
    var captureDelay = Int.max
    /// The number of these measurements since the start.
    var lookCount = 0
    var clipped = 0
    var nonFinite = 0
    var lossCode: Int32 = 0
    var lossDirection = DeviceDirection.playback
    /// True once fxrun has waited for it.
    var hasWaited = false
    /// True when the last block took longer than its duration.
    var wasLate = false
    /// True when fxrun waited for a source before the current block.
    var waitedForSource = false
    var isDraining = false
    var fadeIn = 0
  }

  /// Opens the ends by their ALSA names: `default`, `hw:0`, `plughw:1,0`, or any other defined
  /// name.
  package init(_ request: Request) throws(Failure) {
    self.request = request
    let ends = try SoundDevice.open(request)
    playback = ends.playback?.agreement
    capture = ends.capture?.agreement
    isLinked = ends.isLinked
    hidesRoundTrip = ends.playback?.isServer == true || ends.capture?.isServer == true
    var clocks: TwoClocks?
    if ends.hasTwoClocks, let end = request.capture, let agreement = ends.capture?.agreement {
      clocks = TwoClocks(
        width: min(end.channelCount, agreement.channelCount), capture: agreement,
        blockFrameCount: SoundDevice.blockFrameCount(request, ends.playback?.agreement))
      guard clocks != nil else {
        ends.close()
        throw Failure(.outOfMemory, end.name, "no memory for the sound device '\(end.name)'")
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
  var isDuplex: Bool { playback != nil && capture != nil }

  /// The frames from the recorded to the played signal, without the chain's own latency: the queued
  /// frames, minus the offset between the ends, plus the delays that drivers report beyond their
  /// buffers. nil unless it plays and records, and for a sound server.
  package var roundTripFrameCount: Int? {
    guard let playback, capture != nil, !hidesRoundTrip else { return nil }
    if let clocks {
      // A block is queued when the previous one has left the buffer.
      return SoundDevice.queuedFrameCount(playback) + clocks.correction.targetFrameCount
        - SoundDevice.blockFrameCount(request, playback)
    }
    let lead = isLinked || state.pointee.lead == .min ? 0 : state.pointee.lead
    let delay = state.pointee.captureDelay == .max ? 0 : max(state.pointee.captureDelay, 0)
    return SoundDevice.queuedFrameCount(playback) - lead + state.pointee.playbackDelay + delay
  }

  /// Frames per block: the requested number, or a period.
  static func blockFrameCount(_ request: Request, _ playback: ALSAAgreement?) -> Int {
    request.blockFrameCount ?? playback?.periodFrameCount ?? request.periodFrameCount
  }

  /// How far the recording clock is ahead of the playing one, in parts per million; nil for one
  /// clock.
  package var driftPartsPerMillion: Double? { clocks?.correction.partsPerMillion }

  /// Frames in the whole periods of the buffer, which are filled before playing starts.
  static func queuedFrameCount(_ playback: ALSAAgreement) -> Int {
    playback.bufferFrameCount / playback.periodFrameCount * playback.periodFrameCount
  }

  /// The duration of the longer buffer, in seconds.
  package var bufferSeconds: Double {
    Double(max(playback?.bufferFrameCount ?? 0, capture?.bufferFrameCount ?? 0)) / sampleRate
  }

  /// The settings that the device changed, one sentence per end.
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

  /// The counts so far; complete when the render thread has ended.
  package struct Report: Sendable, Hashable {
    package var xrunCount: Int
    package var captureXrunCount: Int
    /// Xruns of both ends that fxrun caused: a block took too long, or the chain changed.
    package var ownXrunCount: Int
    /// Those of them that occurred while fxrun was changing the chain.
    package var changeXrunCount: Int
    /// How often an end was serviced later than its buffer lasts, without reporting an xrun.
    package var gapCount: Int
    /// The longest delay of a wake-up after the device was due to be ready, in seconds.
    package var latestWakeup: Double
    package var suspendCount: Int
    package var returnCount: Int
    package var frameCount: Int
    package var recordedFrameCount: Int
    package var statistics: SinkStatistics
  }

  /// How often the render thread has slept for the device; for that thread.
  var waitCount: Int { state.pointee.waitCount }

  /// How often the device was restarted, for any reason; for the render thread.
  var restartCount: Int { state.pointee.restartCount }

  /// The frames that have played since the last block was written, by which the next one is late; 0
  /// while the playing end does not run. For the thread that plays.
  var lateFrameCount: Int {
    guard let playback = state.pointee.playback, playback.state == SND_PCM_STATE_RUNNING else {
      return 0
    }
    return max(playback.available(), 0)
  }

  /// Increases while fxrun waits for the device. From any thread.
  package var attemptCount: Int { attempts.load(ordering: .relaxed) }

  /// Ends all waits for the device. From any thread.
  func stopWaiting() { isStopping.store(true, ordering: .relaxed) }

  /// The oldest event of the device; nil when there is none. For one thread.
  package func nextEvent() -> DeviceEvent? { events.next() }

  /// The render thread may change these at any time; each is read as a whole word.
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
