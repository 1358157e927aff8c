import CALSA
import FxAudio
import Glibc
import Synchronization

/// Opens a device without blocking, reads its abilities, and closes it again.
///
/// On a separate thread: a driver or a sound server may never answer.
enum DeviceProbe {
  /// The time limit for a device, in seconds.
  static let limit = 2.0

  /// nil when the device does not have this direction.
  static func examine(_ name: String, _ direction: DeviceDirection) -> DeviceEnd? {
    final class Answer: Sendable {
      let end = Mutex<DeviceEnd?>(nil)
      let arrived = Wakeup.make()
    }
    let answer = Answer()
    var code: Int32 = 0
    let thread = WorkerThread(failure: &code) {
      let end = ask(name, direction)
      answer.end.withLock { $0 = end }
      answer.arrived.signal()
    }
    guard let thread else { return .unavailable(Failure.systemMessage(code)) }
    guard answer.arrived.wait(seconds: limit) else {
      // The thread may return at any time; it holds its own reference to the answer.
      thread.forget()
      return .unresponsive
    }
    thread.join()
    answer.arrived.destroy()
    return answer.end.withLock { $0 }
  }

  private static func ask(_ name: String, _ direction: DeviceDirection) -> DeviceEnd? {
    let (pcm, code) = ALSALibrary.open(name, direction)
    guard let pcm else {
      switch DevicePermission.explained(code) {
      case -EBUSY, -EAGAIN: return .busy
      // No such direction, or no such card.
      case -ENOENT, -ENODEV, -ENXIO, -EINVAL: return nil
      case let code: return .unavailable(ALSALibrary.openingReason(code))
      }
    }
    defer { snd_pcm_close(pcm) }
    return abilities(of: pcm).map(DeviceEnd.available)
      ?? .unavailable("it does not report its hardware parameters")
  }

  private static func abilities(of pcm: OpaquePointer) -> DeviceAbilities? {
    var parameters: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else { return nil }
    defer { snd_pcm_hw_params_free(parameters) }
    guard snd_pcm_hw_params_any(pcm, parameters) >= 0 else { return nil }
    let formats = ALSAFormat.candidates.filter {
      snd_pcm_hw_params_test_format(pcm, parameters, $0.format) == 0
    }
    let isMapped =
      snd_pcm_hw_params_test_access(pcm, parameters, SND_PCM_ACCESS_MMAP_INTERLEAVED) == 0
    var low: UInt32 = 0
    var high: UInt32 = 0
    snd_pcm_hw_params_get_channels_min(parameters, &low)
    snd_pcm_hw_params_get_channels_max(parameters, &high)
    let channels = range(low, high)
    // The rates of the device itself, without the library's rate conversion.
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
    snd_pcm_hw_params_get_rate_min(parameters, &low, nil)
    snd_pcm_hw_params_get_rate_max(parameters, &high, nil)
    let rates = range(low, high)
    let usual = [
      8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 176_400, 192_000, 384_000,
    ].filter { snd_pcm_hw_params_test_rate(pcm, parameters, UInt32($0), 0) == 0 }
    // A period in frames depends on the rate.
    var near: UInt32 = 48000
    snd_pcm_hw_params_set_rate_near(pcm, parameters, &near, nil)
    return DeviceAbilities(
      formats: formats.map(\.name), sampleRates: rates, usualSampleRates: usual,
      channels: channels,
      period: frames(
        parameters, { snd_pcm_hw_params_get_period_size_min($0, $1, nil) },
        { snd_pcm_hw_params_get_period_size_max($0, $1, nil) }),
      buffer: frames(
        parameters, snd_pcm_hw_params_get_buffer_size_min, snd_pcm_hw_params_get_buffer_size_max),
      isMapped: isMapped)
  }

  private typealias Getter = (OpaquePointer, UnsafeMutablePointer<snd_pcm_uframes_t>) -> Int32

  private static func frames(
    _ parameters: OpaquePointer, _ least: Getter, _ greatest: Getter
  ) -> ClosedRange<Int> {
    var low: snd_pcm_uframes_t = 0
    var high: snd_pcm_uframes_t = 0
    guard least(parameters, &low) >= 0, greatest(parameters, &high) >= 0 else { return 0...0 }
    return Int(clamping: min(low, high))...Int(clamping: high)
  }

  private static func range(_ low: UInt32, _ high: UInt32) -> ClosedRange<Int> {
    Int(min(low, high))...Int(high)
  }
}
