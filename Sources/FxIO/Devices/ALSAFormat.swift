import CALSA

/// The sample formats that a device is asked for, best first.
enum ALSAFormat {
  static let candidates: [(format: snd_pcm_format_t, layout: SampleLayout)] = [
    (SND_PCM_FORMAT_FLOAT_LE, .float32),
    (SND_PCM_FORMAT_S32_LE, .int32),
    (SND_PCM_FORMAT_S24_LE, .int24Low),
    (SND_PCM_FORMAT_S24_3LE, .int24Packed),
    (SND_PCM_FORMAT_S16_LE, .int16),
  ]
}

/// What a device is asked for; it may decide otherwise in all but the channels of the sound.
package struct ALSARequest: Sendable, Hashable {
  package var sampleRate: Double
  package var channelCount: Int
  package var periodFrameCount: Int
  package var periodCount: Int

  package init(
    sampleRate: Double = 48000, channelCount: Int = 2, periodFrameCount: Int = 256,
    periodCount: Int = 3
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.periodFrameCount = periodFrameCount
    self.periodCount = periodCount
  }
}

/// What a device has agreed to.
package struct ALSAAgreement: Sendable, Hashable {
  package let sampleRate: Double
  /// The device's channels; at least those of the sound.
  package let channelCount: Int
  package let periodFrameCount: Int
  package let bufferFrameCount: Int
  package let bitsPerSample: Int
  package let isFloat: Bool
  let layout: SampleLayout
}

/// Agrees with an opened device on format, channels, rate and buffer, and installs that.
struct ALSANegotiation {
  private let pcm: OpaquePointer
  private let name: String
  private let parameters: OpaquePointer

  static func agree(
    _ pcm: OpaquePointer, _ name: String, _ request: ALSARequest
  ) throws(IOError) -> ALSAAgreement {
    var parameters: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
      throw IOError(.outOfMemory, name, "no memory for the sound device '\(name)'")
    }
    defer { snd_pcm_hw_params_free(parameters) }
    let negotiation = ALSANegotiation(pcm: pcm, name: name, parameters: parameters)
    return try negotiation.run(request)
  }

  private func run(_ request: ALSARequest) throws(IOError) -> ALSAAgreement {
    try require(snd_pcm_hw_params_any(pcm, parameters), "does not say what it can do")
    try require(
      snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
      "does not take interleaved frames")
    let layout = try agreeOnFormat()
    try agreeOnChannels(request.channelCount)
    try agreeOnRate(request.sampleRate)
    try agreeOnBuffer(request)
    try require(snd_pcm_hw_params(pcm, parameters), "refuses what it has agreed to")
    return try result(layout, request)
  }

  private func agreeOnFormat() throws(IOError) -> SampleLayout {
    for (format, layout) in ALSAFormat.candidates
    where snd_pcm_hw_params_set_format(pcm, parameters, format) == 0 {
      return layout
    }
    throw unavailable("takes neither floats nor 16, 24 or 32-bit samples")
  }

  private func agreeOnChannels(_ wanted: Int) throws(IOError) {
    var count = UInt32(clamping: wanted)
    if snd_pcm_hw_params_set_channels(pcm, parameters, count) == 0 { return }
    try require(
      snd_pcm_hw_params_set_channels_near(pcm, parameters, &count), "has no usable channels")
    // Some drivers agree to anything near; ask what it has come to.
    var agreed: UInt32 = 0
    snd_pcm_hw_params_get_channels(parameters, &agreed)
    guard agreed >= wanted || wanted <= Int(count) && agreed == 0 else {
      throw unavailable(
        "has \(agreed) \(agreed == 1 ? "channel" : "channels") and the sound \(wanted); "
          + "end the chain in a downmix, or try 'plug:\(name)'")
    }
  }

  /// The device's own rate where it has it, the library's conversion where not, the nearest else.
  private func agreeOnRate(_ wanted: Double) throws(IOError) {
    guard wanted >= 1, wanted < 4e9 else { throw unavailable("cannot run at \(wanted) Hz") }
    let rate = UInt32(wanted.rounded())
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
    if snd_pcm_hw_params_set_rate(pcm, parameters, rate, 0) == 0 { return }
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 1)
    if snd_pcm_hw_params_set_rate(pcm, parameters, rate, 0) == 0 { return }
    var near = rate
    try require(
      snd_pcm_hw_params_set_rate_near(pcm, parameters, &near, nil),
      "cannot run near \(rate) Hz")
  }

  private func agreeOnBuffer(_ request: ALSARequest) throws(IOError) {
    var period = snd_pcm_uframes_t(max(request.periodFrameCount, 1))
    try require(
      snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil),
      "has no usable period")
    var agreed: snd_pcm_uframes_t = 0
    if snd_pcm_hw_params_get_period_size(parameters, &agreed, nil) == 0, agreed > 0 {
      period = agreed
    }
    let (wanted, overflow) = period.multipliedReportingOverflow(
      by: snd_pcm_uframes_t(max(request.periodCount, 2)))
    var buffer = overflow ? period : wanted
    try require(
      snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer), "has no usable buffer")
  }

  /// Reads everything back: what was near may be far.
  private func result(
    _ layout: SampleLayout, _ request: ALSARequest
  ) throws(IOError) -> ALSAAgreement {
    var rate: UInt32 = 0
    var channels: UInt32 = 0
    var period: snd_pcm_uframes_t = 0
    var buffer: snd_pcm_uframes_t = 0
    try require(snd_pcm_hw_params_get_rate(parameters, &rate, nil), "has no fixed rate")
    try require(snd_pcm_hw_params_get_channels(parameters, &channels), "has no fixed channels")
    try require(snd_pcm_hw_params_get_period_size(parameters, &period, nil), "has no fixed period")
    try require(snd_pcm_hw_params_get_buffer_size(parameters, &buffer), "has no fixed buffer")
    guard rate > 0, period > 0, buffer >= period, buffer < 1 << 28 else {
      throw unavailable("offers a buffer of \(buffer) frames at \(rate) Hz, which cannot be used")
    }
    guard channels >= request.channelCount, channels <= 1024 else {
      throw unavailable(
        "has \(channels) channels and the sound \(request.channelCount); "
          + "end the chain in a downmix, or try 'plug:\(name)'")
    }
    let bits =
      switch layout {
      case .int16: 16
      case .int24Packed, .int24Low, .int24High: 24
      case .int32, .float32: 32
      }
    return ALSAAgreement(
      sampleRate: Double(rate), channelCount: Int(channels), periodFrameCount: Int(period),
      bufferFrameCount: Int(buffer), bitsPerSample: bits, isFloat: layout == .float32,
      layout: layout)
  }

  private func require(_ code: Int32, _ complaint: String) throws(IOError) {
    if code < 0 {
      throw unavailable("\(complaint) (\(String(cString: snd_strerror(code))))")
    }
  }

  private func unavailable(_ complaint: String) -> IOError {
    .device(name, "the sound device '\(name)' \(complaint)")
  }
}

extension IOError {
  /// A device that cannot be had, with the ways out.
  static func device(_ name: String, _ complaint: String) -> IOError {
    IOError(
      .deviceUnavailable, name,
      "\(complaint); name another device (aplay -L lists them), or write a file with -o")
  }
}
