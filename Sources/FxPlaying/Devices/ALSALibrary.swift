import CALSA
package import FxAudio

/// The direction of the signal of a device.
package enum DeviceDirection: String, BitwiseCopyable, Sendable, Hashable, CaseIterable {
  case playback, capture

  var stream: snd_pcm_stream_t {
    if case .capture = self { SND_PCM_STREAM_CAPTURE } else { SND_PCM_STREAM_PLAYBACK }
  }
}

/// Calls to alsa-lib, and messages for its error codes.
enum ALSALibrary {
  /// Opens a device without blocking, so that a device in use is an error. Returns the device, or
  /// the library's error code.
  static func open(_ name: String, _ direction: DeviceDirection) -> (pcm: OpaquePointer?, Int32) {
    _ = isSilenced
    guard !name.isEmpty, !name.utf8.contains(0) else { return (nil, -EINVAL) }
    var pcm: OpaquePointer?
    let code = snd_pcm_open(&pcm, name, direction.stream, Int32(SND_PCM_NONBLOCK))
    return (code == 0 ? pcm : nil, code)
  }

  /// Opens a device; the error gives the reason and an alternative.
  static func opened(
    _ name: String, _ direction: DeviceDirection
  ) throws(Failure) -> OpaquePointer {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw .device(name, "a sound device needs a name", direction)
    }
    let (pcm, code) = open(name, direction)
    guard let pcm else {
      let verb = direction == .capture ? "record from" : "open"
      let code = DevicePermission.explained(code)
      var error = Failure.device(
        name, "cannot \(verb) the sound device '\(name)': \(openingReason(code))", direction)
      if isAbsence(code) { error.absence = openingReason(code) }
      throw error
    }
    return pcm
  }

  static func openingReason(_ code: Int32) -> String {
    switch code {
    case -ENOENT, -ENODEV, -ENXIO: "there is no such device"
    case -EBUSY, -EAGAIN: "another program is using it"
    case -EACCES, -EPERM: DevicePermission.reason
    case -ECONNREFUSED, -EHOSTDOWN: "its sound server does not answer"
    default: message(code)
    }
  }

  /// True for the errors of a device that may become available later.
  private static func isAbsence(_ code: Int32) -> Bool {
    switch code {
    case -ENOENT, -ENODEV, -ENXIO, -EBUSY, -EAGAIN, -ECONNREFUSED, -EHOSTDOWN: true
    default: false
    }
  }

  static func message(_ code: Int32) -> String { String(cString: snd_strerror(code)) }

  /// The number of a device's card; nil for a device without a card, or without a fixed one.
  static func card(of pcm: OpaquePointer) -> Int? {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) == 0 else { return nil }
    let card = snd_pcm_info_get_card(info)
    return card >= 0 ? Int(card) : nil
  }

  /// True if PulseAudio or PipeWire plays or records, which have buffers that they do not report as
  /// they are. Only the library's description of an opened device names its plugin.
  static func isServer(_ pcm: OpaquePointer) -> Bool {
    var output: OpaquePointer?
    guard snd_output_buffer_open(&output) == 0, let output else { return false }
    defer { snd_output_close(output) }
    var text: UnsafeMutablePointer<CChar>?
    guard snd_pcm_dump(pcm, output) == 0, case let count = snd_output_buffer_string(output, &text),
      count > 0, let text
    else { return false }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
    let description = String(decoding: bytes, as: UTF8.self)
    return ["PulseAudio", "PipeWire"].contains { description.contains($0) }
  }

  /// Errors are return values; the library's own prints are suppressed.
  private static let isSilenced: Int32 = fx_alsa_silence()
}

extension Failure {
  /// The error for a device that cannot be used, with alternatives.
  package static func device(
    _ name: String, _ complaint: String, _ direction: DeviceDirection = .playback
  ) -> Failure {
    let otherwise =
      direction == .playback ? "write a file with -o" : "name a file as the chain's input"
    return Failure(
      .deviceUnavailable, name,
      "\(complaint); name another device ('fxrun devices' lists them), or \(otherwise)")
  }
}
