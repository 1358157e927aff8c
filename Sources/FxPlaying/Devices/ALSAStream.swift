import CALSA
import CRealtime
import FxAudio
import Glibc

/// One direction of an opened sound device. Transfers frames between float buffers and the device,
/// and waits for it, always with a time limit.
///
/// A view, so that the render thread counts no references; its opener closes it.
struct ALSAStream: BitwiseCopyable, @unchecked Sendable {
  // Sendable: pointers that belong to one thread at a time.
  let direction: DeviceDirection
  let agreement: ALSAAgreement
  /// -1 for a device without a card.
  let card: Int
  /// True for a sound server with buffers of its own, whose delays are not reported as they are.
  let isServer: Bool
  private let pcm: OpaquePointer
  private let converter: UnsafeMutablePointer<SampleConverter>
  /// One period of interleaved frames.
  private let staging: UnsafeMutableRawPointer
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  private let silence: UnsafeMutablePointer<Float>
  private let descriptors: UnsafeMutablePointer<pollfd>
  private let pollCount: Int

  /// - Parameter startsByItself: playback starts when the buffer is full; otherwise with `start`.
  static func open(
    _ name: String, _ direction: DeviceDirection, _ request: ALSARequest, startsByItself: Bool
  ) throws(Failure) -> ALSAStream {
    let pcm = try ALSALibrary.opened(name, direction)
    do throws(Failure) {
      let agreement = try ALSANegotiation.agree(pcm, name, direction, request)
      try setThresholds(pcm, name, direction, agreement, startsByItself)
      return ALSAStream(pcm, direction, agreement, request)
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
  }

  private init(
    _ pcm: OpaquePointer, _ direction: DeviceDirection, _ agreement: ALSAAgreement,
    _ request: ALSARequest
  ) {
    self.pcm = pcm
    self.direction = direction
    self.agreement = agreement
    card = ALSALibrary.card(of: pcm) ?? -1
    isServer = ALSALibrary.isServer(pcm)
    converter = .allocate(capacity: 1)
    converter.initialize(
      to: SampleConverter(
        layout: agreement.format.layout, channelCount: agreement.channelCount,
        isDithered: request.isDithered,
        soundChannelCount: request.soundChannelCount ?? request.channelCount,
        usedChannelCount: max(request.channelCount, 2)))
    let period = agreement.periodFrameCount
    staging = .allocate(byteCount: period * agreement.bytesPerFrame, alignment: 64)
    memset(staging, 0, period * agreement.bytesPerFrame)
    pollCount = min(max(Int(snd_pcm_poll_descriptors_count(pcm)), 0), 256)
    descriptors = .allocate(capacity: max(pollCount, 1))
    descriptors.initialize(repeating: pollfd(), count: max(pollCount, 1))
    silence = .allocate(capacity: period)
    silence.initialize(repeating: 0, count: period)
    sources = .allocate(capacity: agreement.channelCount)
    sources.initialize(repeating: UnsafePointer(silence), count: agreement.channelCount)
  }

  /// Closes the device and frees its memory. A call that hangs is abandoned after two seconds, and
  /// the memory that it may still use is not freed.
  func close() {
    let pcm = Closing(pcm: pcm)
    guard TimedCall.run(seconds: 2, { snd_pcm_close(pcm.pcm) }) else { return }
    converter.deallocate()
    staging.deallocate()
    silence.deallocate()
    descriptors.deallocate()
    sources.deallocate()
  }

  private struct Closing: @unchecked Sendable {
    // Sendable: nobody else uses it any more.
    let pcm: OpaquePointer
  }

  private static func setThresholds(
    _ pcm: OpaquePointer, _ name: String, _ direction: DeviceDirection,
    _ agreement: ALSAAgreement, _ startsByItself: Bool
  ) throws(Failure) {
    var parameters: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&parameters) == 0, let parameters else {
      throw Failure(.outOfMemory, name, "no memory for the sound device '\(name)'")
    }
    defer { snd_pcm_sw_params_free(parameters) }
    let period = snd_pcm_uframes_t(agreement.periodFrameCount)
    let buffer = snd_pcm_uframes_t(agreement.bufferFrameCount)
    guard snd_pcm_sw_params_current(pcm, parameters) == 0 else {
      throw .device(name, "the sound device '\(name)' reports no software parameters", direction)
    }
    // A threshold that is never reached.
    var never: snd_pcm_uframes_t = 0
    if snd_pcm_sw_params_get_boundary(parameters, &never) < 0 || never == 0 { never = buffer * 2 }
    // The device stops at an underrun or overrun (the default stop threshold).
    guard
      snd_pcm_sw_params_set_start_threshold(
        pcm, parameters, startsByItself ? buffer / period * period : never) == 0,
      snd_pcm_sw_params_set_avail_min(pcm, parameters, period) == 0,
      snd_pcm_sw_params(pcm, parameters) == 0
    else {
      throw .device(name, "the sound device '\(name)' refuses its software parameters", direction)
    }
  }

  // MARK: - Render thread
  // These call alsa-lib, which the realtime checker cannot inspect. So none of them is marked, and
  // the render itself never calls them. Error codes are negative.

  var state: snd_pcm_state_t { snd_pcm_state(pcm) }

  func start() -> Int32 { snd_pcm_start(pcm) }
  func prepare() -> Int32 { snd_pcm_prepare(pcm) }
  func resume() -> Int32 { snd_pcm_resume(pcm) }
  func stop() { snd_pcm_drop(pcm) }

  /// From now on both start and stop at the same frame. False if the devices cannot be linked.
  func link(to other: ALSAStream) -> Bool { snd_pcm_link(pcm, other.pcm) == 0 }
  func unlink() { snd_pcm_unlink(pcm) }

  /// Frames that can be transferred now, at most the buffer's length; or an error code.
  func available() -> Int {
    min(checked(snd_pcm_avail_update(pcm)), agreement.bufferFrameCount)
  }

  /// Frames until a frame that is written now is played; 0 when that is unknown.
  var delay: Int {
    var delay: snd_pcm_sframes_t = 0
    guard snd_pcm_delay(pcm, &delay) >= 0 else { return 0 }
    // Buffers after the device's own are never as long as ten seconds.
    let limit = agreement.bufferFrameCount + 10 * Int(agreement.sampleRate)
    return (-limit...limit).contains(delay) ? delay : 0
  }

  /// Checks a frame count or an error code of the driver; -EPROTO for an impossible value.
  private func checked(_ result: Int, atMost limit: Int = .max) -> Int {
    switch result {
    case 0...: result <= limit ? result : Int(-EPROTO)
    // Error codes of the system, and of alsa-lib.
    case -4095 ... -1, -501_000 ... -500_000: result
    default: Int(-EPROTO)
    }
  }

  /// Converts up to a period of a block to the device's samples. Mono goes to the first two
  /// channels; extra channels are silent. `frame` is the position of the first frame in the sound.
  func stage(
    _ channels: UnsafePointer<UnsafePointer<Float>>, width: Int, offset: Int, frameCount: Int,
    frame: Int
  ) {
    converter.pointee.seek(to: frame)
    for channel in 0..<min(width, agreement.channelCount) {
      sources[channel] = channels[channel] + offset
    }
    if width == 1, agreement.channelCount > 1 { sources[1] = sources[0] }
    converter.pointee.convert(UnsafePointer(sources), frameCount: frameCount, to: staging)
    if agreement.format.isBigEndian {
      agreement.format.swapBytes(staging, count: frameCount * agreement.channelCount)
    }
  }

  /// A period of silence.
  func stageSilence() {
    memset(staging, 0, agreement.periodFrameCount * agreement.bytesPerFrame)
  }

  /// Writes staged frames from `offset` on. Returns the number of written frames, or an error code.
  func put(from offset: Int, frameCount: Int) -> Int {
    let frames = staging + offset * agreement.bytesPerFrame
    let count = snd_pcm_uframes_t(frameCount)
    let done = checked(
      agreement.isMapped
        ? snd_pcm_mmap_writei(pcm, frames, count) : snd_pcm_writei(pcm, frames, count),
      atMost: frameCount)
    return done == -EAGAIN || done == -EINTR ? 0 : done
  }

  /// Reads recorded frames, at most a period. Returns their number, or an error code.
  func get(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, width: Int, offset: Int,
    frameCount: Int
  ) -> Int {
    let wanted = min(frameCount, agreement.periodFrameCount)
    let count = snd_pcm_uframes_t(wanted)
    let done = checked(
      agreement.isMapped
        ? snd_pcm_mmap_readi(pcm, staging, count) : snd_pcm_readi(pcm, staging, count),
      atMost: wanted)
    guard done > 0 else { return done == -EAGAIN || done == -EINTR ? 0 : done }
    if agreement.format.isBigEndian {
      agreement.format.swapBytes(staging, count: done * agreement.channelCount)
    }
    SampleDecoder(layout: agreement.format.layout, channelCount: agreement.channelCount)
      .decode(staging, frameCount: done, into: channels, width: width, offset: offset)
    return done
  }

  /// Waits once for the device. Returns 1 when it may be ready, 0 after the timeout, or an error
  /// code. The library's own wait restarts at every wake-up without a result, so it may never end.
  func wait(milliseconds: Int32) -> Int32 {
    let start = fx_monotonic_seconds()
    let filled = snd_pcm_poll_descriptors(pcm, descriptors, UInt32(pollCount))
    if filled < 0 { return filled }
    guard filled <= pollCount else { return -EPROTO }
    let ready = poll(descriptors, nfds_t(filled), milliseconds)
    if ready <= 0 { return ready < 0 && errno != EINTR ? -errno : 0 }
    var events: UInt16 = 0
    let code = snd_pcm_poll_descriptors_revents(pcm, descriptors, UInt32(filled), &events)
    if code < 0 { return code }
    guard Int32(events) & (POLLERR | POLLNVAL) != 0 else {
      // Some devices wake the poll at once although they are not ready.
      if fx_monotonic_seconds() - start < 0.0001 { usleep(100) }
      return Int32(events) & (POLLOUT | POLLIN) != 0 ? 1 : 0
    }
    switch state {
    case SND_PCM_STATE_XRUN: return -EPIPE
    case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE
    case SND_PCM_STATE_DISCONNECTED: return -ENODEV
    default: return -EIO
    }
  }
}
