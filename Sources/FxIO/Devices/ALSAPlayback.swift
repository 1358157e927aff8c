import CALSA
import CRealtime
package import FxAudio
import Glibc

/// A sound device that plays: opened and set up on the control thread, written on the render
/// thread.
///
/// Every wait has a limit: of the ways in which a device can go, some give no error at all.
package final class ALSAPlayback: @unchecked Sendable {
  // Sendable: immutable but for what is behind `state`, which belongs to one thread at a time.
  package let name: String
  package let agreement: ALSAAgreement
  /// The sound's channels, at the device's rate.
  package let format: StreamFormat

  /// What has happened while playing.
  package struct Report: Sendable, Hashable {
    package fileprivate(set) var xrunCount = 0
    package fileprivate(set) var suspendCount = 0
    package fileprivate(set) var frameCount = 0
    package var statistics: SinkStatistics
  }

  private struct State {
    var converter: SampleConverter
    var xrunCount = 0
    var suspendCount = 0
    var frameCount = 0
    /// Recoveries since as much as four buffers was last taken.
    var recoveries = 0
    var framesAtRecovery = 0
    var peak: Float = 0
    var clipped = 0
    var nonFinite = 0
    var lossCode: Int32 = 0
    /// True once it had no room.
    var hasWaited = false
  }

  private let pcm: OpaquePointer
  private let state: UnsafeMutablePointer<State>
  private let peaks: UnsafeMutablePointer<Float>
  /// One period of interleaved frames.
  private let staging: UnsafeMutableRawPointer
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  private let silence: UnsafeMutablePointer<Float>
  private let bytesPerFrame: Int
  private let descriptors: UnsafeMutablePointer<pollfd>
  private let pollCount: Int

  /// Opens a device by its ALSA name: `default`, `hw:0`, `plughw:1,0`, any other that is defined.
  package init(_ name: String, _ request: ALSARequest) throws(IOError) {
    self.name = name
    pcm = try ALSAPlayback.open(name)
    do throws(IOError) {
      agreement = try ALSANegotiation.agree(pcm, name, request)
      try ALSAPlayback.setThresholds(pcm, name, agreement)
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
    format = StreamFormat(
      sampleRate: agreement.sampleRate, channelCount: request.channelCount)
    bytesPerFrame = agreement.layout.byteCount * agreement.channelCount
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(
        converter: SampleConverter(
          layout: agreement.layout, channelCount: agreement.channelCount, isDithered: true)))
    peaks = .allocate(capacity: max(request.channelCount, 1))
    peaks.initialize(repeating: 0, count: max(request.channelCount, 1))
    let period = agreement.periodFrameCount
    staging = .allocate(byteCount: max(period * bytesPerFrame, 1), alignment: 64)
    memset(staging, 0, period * bytesPerFrame)
    pollCount = max(Int(snd_pcm_poll_descriptors_count(pcm)), 0)
    descriptors = .allocate(capacity: max(pollCount, 1))
    descriptors.initialize(repeating: pollfd(), count: max(pollCount, 1))
    silence = .allocate(capacity: period)
    silence.initialize(repeating: 0, count: period)
    sources = .allocate(capacity: agreement.channelCount)
    sources.initialize(repeating: UnsafePointer(silence), count: agreement.channelCount)
  }

  deinit {
    snd_pcm_close(pcm)
    state.deallocate()
    peaks.deallocate()
    staging.deallocate()
    silence.deallocate()
    descriptors.deallocate()
    sources.deallocate()
  }

  package var report: Report {
    var statistics = SinkStatistics(channelCount: format.channelCount)
    statistics.frameCount = state.pointee.frameCount
    for channel in 0..<format.channelCount { statistics.peaks[channel] = peaks[channel] }
    statistics.clippedSampleCount = state.pointee.clipped
    statistics.nonFiniteSampleCount = state.pointee.nonFinite
    return Report(
      xrunCount: state.pointee.xrunCount, suspendCount: state.pointee.suspendCount,
      frameCount: state.pointee.frameCount, statistics: statistics)
  }

  /// Why playing ended, after `write` or `drain` has returned false.
  package var loss: IOError {
    let code = state.pointee.lossCode
    let reason =
      switch code {
      case -ETIME: "it has taken no sound for two seconds"
      case -EPIPE: "it runs dry again and again without playing"
      case -ENODEV, -EBADFD: "it was unplugged or its server has ended"
      case -EIO: "it reports an input/output error; it may have been unplugged"
      default: String(cString: snd_strerror(code))
      }
    return IOError(
      .deviceLost, name,
      "the sound device '\(name)' is lost: \(reason); start again, or write a file with -o")
  }

  /// Why playing ended when a call into the device never returned.
  package var hang: IOError {
    IOError(
      .deviceLost, name,
      "the sound device '\(name)' hangs: its driver or server does not answer; "
        + "start again, or write a file with -o")
  }

  private static func open(_ name: String) throws(IOError) -> OpaquePointer {
    _ = isSilenced
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw .device(name, "a sound device needs a name")
    }
    var pcm: OpaquePointer?
    // Opened without waiting, so that a device in use is an error and not a standstill.
    let code = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    guard code == 0, let pcm else {
      let reason =
        switch code {
        case -ENOENT, -ENODEV, -ENXIO: "there is no such device"
        case -EBUSY, -EAGAIN: "another program is using it"
        case -EACCES, -EPERM: "no permission; the user must be in the group 'audio'"
        case -ECONNREFUSED, -EHOSTDOWN: "its sound server does not answer"
        default: String(cString: snd_strerror(code))
        }
      throw .device(name, "cannot open the sound device '\(name)': \(reason)")
    }
    return pcm
  }

  private static let isSilenced: Int32 = fx_alsa_silence()

  private static func setThresholds(
    _ pcm: OpaquePointer, _ name: String, _ agreement: ALSAAgreement
  ) throws(IOError) {
    var parameters: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&parameters) == 0, let parameters else {
      throw IOError(.outOfMemory, name, "no memory for the sound device '\(name)'")
    }
    defer { snd_pcm_sw_params_free(parameters) }
    let period = snd_pcm_uframes_t(agreement.periodFrameCount)
    let buffer = snd_pcm_uframes_t(agreement.bufferFrameCount)
    // It starts by itself once it is full, and stops when it is dry.
    guard snd_pcm_sw_params_current(pcm, parameters) == 0,
      snd_pcm_sw_params_set_start_threshold(pcm, parameters, buffer / period * period) == 0,
      snd_pcm_sw_params_set_avail_min(pcm, parameters, period) == 0,
      snd_pcm_sw_params(pcm, parameters) == 0
    else {
      throw .device(name, "the sound device '\(name)' refuses its thresholds")
    }
  }

  // MARK: - Render thread
  // Calls into alsa-lib, which no checker sees through: none of these is marked, and the render
  // itself never calls them.

  /// False for a device without a clock, which has taken more than it can hold and never had to be
  /// waited for. What runs dry has a clock.
  var isPaced: Bool {
    state.pointee.hasWaited || state.pointee.xrunCount > 0
      || state.pointee.frameCount < agreement.bufferFrameCount
  }

  /// Plays a block, waiting for room but never longer than two seconds. False when the device is
  /// lost.
  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) -> Bool {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, agreement.periodFrameCount)
      stage(channels, done, count)
      guard put(staging, count) else { return false }
      state.pointee.frameCount += count
      done += count
    }
    return true
  }

  /// Plays what has been written to its end, for as long as that takes and a little more.
  /// False when the device is lost on the way.
  package func drain() -> Bool {
    let period = agreement.periodFrameCount
    // Whole periods, and one of silence behind them, which is what plays until the stop.
    memset(staging, 0, period * bytesPerFrame)
    let rest = (period - state.pointee.frameCount % period) % period
    guard put(staging, rest), put(staging, period) else { return false }
    if snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
    let rate = agreement.sampleRate
    var delay: snd_pcm_sframes_t = 0
    if snd_pcm_delay(pcm, &delay) < 0 { delay = 0 }
    let queued = max(Double(delay), Double(agreement.bufferFrameCount))
    let deadline = fx_monotonic_seconds() + min(queued / rate, 10) + 0.25
    let pause = UInt32(max(500, min(Double(period) / rate * 5e5, 20000)))
    while fx_monotonic_seconds() < deadline {
      let available = snd_pcm_avail_update(pcm)
      if available < 0 {
        // Dry is what was waited for.
        snd_pcm_drop(pcm)
        if available == -EPIPE { return true }
        state.pointee.lossCode = Int32(clamping: available)
        return available == -EBADFD && snd_pcm_state(pcm) != SND_PCM_STATE_DISCONNECTED
      }
      if snd_pcm_delay(pcm, &delay) < 0 { delay = 0 }
      if available >= agreement.bufferFrameCount, delay <= 0 { break }
      usleep(pause)
    }
    snd_pcm_drop(pcm)
    return true
  }

  /// Stops at once.
  package func stop() { snd_pcm_drop(pcm) }

  /// Turns part of a block into the device's samples. A mono sound goes to the first two channels,
  /// channels without sound are silent.
  private func stage(
    _ channels: UnsafePointer<UnsafePointer<Float>>, _ offset: Int, _ count: Int
  ) {
    let width = format.channelCount
    for channel in 0..<width {
      let samples = channels[channel] + offset
      sources[channel] = samples
      let level = BlockLevel(samples, frameCount: count)
      if level.peak > peaks[channel] { peaks[channel] = level.peak }
      state.pointee.clipped += level.clippedCount
      state.pointee.nonFinite += level.nonFiniteCount
    }
    if width == 1, agreement.channelCount > 1 { sources[1] = sources[0] }
    state.pointee.converter.convert(UnsafePointer(sources), frameCount: count, to: staging)
  }

  private func put(_ frames: UnsafeMutableRawPointer, _ frameCount: Int) -> Bool {
    var done = 0
    var waitedSince = 0.0
    while done < frameCount {
      let written = snd_pcm_writei(
        pcm, frames + done * bytesPerFrame, snd_pcm_uframes_t(frameCount - done))
      if written > 0 {
        done += written
        waitedSince = 0
        continue
      }
      if written < 0, written != -EAGAIN, written != -EINTR {
        guard recover(Int32(clamping: written)) else { return false }
        continue
      }
      state.pointee.hasWaited = true
      if snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
      let time = fx_monotonic_seconds()
      if waitedSince == 0 { waitedSince = time }
      let limit = 2 + Double(agreement.bufferFrameCount) / agreement.sampleRate
      guard time - waitedSince < limit else { return lose(-ETIME) }
      let ready = waitForRoom(milliseconds: 100)
      if ready < 0, !recover(ready) { return false }
      // Some plugins are ready at once and take nothing all the same.
      if ready >= 0, fx_monotonic_seconds() - time < 0.0001 { usleep(200) }
    }
    return true
  }

  /// Waits once for the device: 1 when it may have room, 0 when it does not say so in time, or its
  /// error. The library's own wait starts anew as often as a device wakes it for nothing, and so
  /// may never end.
  private func waitForRoom(milliseconds: Int32) -> Int32 {
    let count = UInt32(pollCount)
    let filled = snd_pcm_poll_descriptors(pcm, descriptors, count)
    if filled < 0 { return filled }
    let ready = poll(descriptors, nfds_t(filled), milliseconds)
    if ready <= 0 { return ready < 0 && errno != EINTR ? -errno : 0 }
    var events: UInt16 = 0
    let code = snd_pcm_poll_descriptors_revents(pcm, descriptors, UInt32(filled), &events)
    if code < 0 { return code }
    guard Int32(events) & (POLLERR | POLLNVAL) != 0 else {
      return Int32(events) & POLLOUT != 0 ? 1 : 0
    }
    switch snd_pcm_state(pcm) {
    case SND_PCM_STATE_XRUN: return -EPIPE
    case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE
    case SND_PCM_STATE_DISCONNECTED: return -ENODEV
    default: return -EIO
    }
  }

  /// Gets the device going again after an error. False when it is lost.
  private func recover(_ code: Int32) -> Bool {
    let frames = state.pointee.frameCount
    if frames - state.pointee.framesAtRecovery > 4 * agreement.bufferFrameCount {
      state.pointee.recoveries = 0
    }
    state.pointee.framesAtRecovery = frames
    state.pointee.recoveries += 1
    guard state.pointee.recoveries <= 100 else { return lose(-EPIPE) }
    // Without a pause a dead server's hundred errors would all be one.
    if state.pointee.recoveries > 10 { usleep(10000) }
    switch code {
    case -EPIPE:
      state.pointee.xrunCount += 1
      return prepare()
    case -ESTRPIPE:
      state.pointee.suspendCount += 1
      return resume()
    case -EBADFD where snd_pcm_state(pcm) == SND_PCM_STATE_SETUP:
      return prepare()
    default:
      return lose(code)
    }
  }

  private func prepare() -> Bool {
    let code = snd_pcm_prepare(pcm)
    return code >= 0 || lose(code)
  }

  /// Resumes for up to two seconds, then starts anew. A plugin may say that it has resumed while
  /// it has not: the state counts.
  private func resume() -> Bool {
    let deadline = fx_monotonic_seconds() + 2
    while fx_monotonic_seconds() < deadline {
      let code = snd_pcm_resume(pcm)
      if code == 0, snd_pcm_state(pcm) != SND_PCM_STATE_SUSPENDED { return true }
      if code < 0, code != -EAGAIN { break }
      usleep(10000)
    }
    return prepare()
  }

  private func lose(_ code: Int32) -> Bool {
    state.pointee.lossCode = code
    return false
  }
}
