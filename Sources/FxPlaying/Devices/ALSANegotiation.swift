import CALSA
import FxAudio

/// Negotiates the hardware parameters of an opened device (access, format, channels, rate and
/// buffer), and sets them.
///
/// The nearest supported value may be far from the request, and some drivers accept any value: so
/// everything is read back.
struct ALSANegotiation {
  private let pcm: OpaquePointer
  private let name: String
  private let direction: DeviceDirection
  private let parameters: OpaquePointer

  static func agree(
    _ pcm: OpaquePointer, _ name: String, _ direction: DeviceDirection, _ request: ALSARequest
  ) throws(Failure) -> ALSAAgreement {
    var parameters: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
      throw Failure(.outOfMemory, name, "no memory for the sound device '\(name)'")
    }
    defer { snd_pcm_hw_params_free(parameters) }
    let negotiation = ALSANegotiation(
      pcm: pcm, name: name, direction: direction, parameters: parameters)
    return try negotiation.run(request)
  }

  private func run(_ request: ALSARequest) throws(Failure) -> ALSAAgreement {
    try require(snd_pcm_hw_params_any(pcm, parameters), "does not report its hardware parameters")
    let isMapped = try agreeOnAccess()
    let format = try agreeOnFormat()
    try agreeOnChannels(request)
    try agreeOnRate(request)
    try agreeOnBuffer(request)
    try require(
      snd_pcm_hw_params(pcm, parameters), "refuses the hardware parameters that it offered")
    return try result(format, isMapped, request)
  }

  private func agreeOnAccess() throws(Failure) -> Bool {
    let mapped = SND_PCM_ACCESS_MMAP_INTERLEAVED
    if snd_pcm_hw_params_set_access(pcm, parameters, mapped) == 0 { return true }
    guard snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) == 0 else {
      throw unavailable("does not take interleaved frames; try 'plug:\(name)'")
    }
    return false
  }

  private func agreeOnFormat() throws(Failure) -> ALSAFormat {
    for candidate in ALSAFormat.candidates
    where snd_pcm_hw_params_set_format(pcm, parameters, candidate.format) == 0 {
      return candidate
    }
    throw unavailable("takes neither floats nor 16, 24 or 32-bit samples; try 'plug:\(name)'")
  }

  private func agreeOnChannels(_ request: ALSARequest) throws(Failure) {
    let count = UInt32(clamping: request.channelCount)
    if snd_pcm_hw_params_set_channels(pcm, parameters, count) == 0 { return }
    // Otherwise the fewest channels above the count; the extra channels are silent.
    var more = count
    if snd_pcm_hw_params_set_channels_min(pcm, parameters, &more) == 0 {
      var fewest: UInt32 = 0
      try require(
        snd_pcm_hw_params_set_channels_first(pcm, parameters, &fewest), "has no usable channels")
      return
    }
    var most: UInt32 = 0
    try require(
      snd_pcm_hw_params_set_channels_last(pcm, parameters, &most), "has no usable channels")
    if !request.acceptsFewerChannels { throw tooFewChannels(Int(most), request) }
  }

  private func tooFewChannels(_ count: Int, _ request: ALSARequest) -> Failure {
    unavailable(
      "has \(count) \(count == 1 ? "channel" : "channels") and the sound \(request.channelCount); "
        + "end the chain in a downmix, or try 'plug:\(name)'")
  }

  /// The device's own rate if it has it, otherwise the library's conversion, otherwise the nearest
  /// rate.
  private func agreeOnRate(_ request: ALSARequest) throws(Failure) {
    let wanted = request.sampleRate
    guard wanted >= 1, wanted < 4e9 else { throw unavailable("cannot run at \(wanted) Hz") }
    let rate = UInt32(wanted.rounded())
    // Disabling conversion first would leave only the device's own rates to choose from.
    if request.convertsRate, snd_pcm_hw_params_set_rate(pcm, parameters, rate, 0) == 0 { return }
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
    if snd_pcm_hw_params_set_rate(pcm, parameters, rate, 0) == 0 { return }
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 1)
    if snd_pcm_hw_params_set_rate(pcm, parameters, rate, 0) == 0 { return }
    var near = rate
    try require(
      snd_pcm_hw_params_set_rate_near(pcm, parameters, &near, nil),
      "cannot run near \(rate) Hz")
  }

  private func agreeOnBuffer(_ request: ALSARequest) throws(Failure) {
    var period = snd_pcm_uframes_t(clamping: max(request.periodFrameCount, 1))
    try require(
      snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil),
      "has no usable period")
    var agreed: snd_pcm_uframes_t = 0
    if snd_pcm_hw_params_get_period_size(parameters, &agreed, nil) == 0, agreed > 0 {
      period = agreed
    }
    let (product, overflow) = period.multipliedReportingOverflow(
      by: snd_pcm_uframes_t(clamping: max(request.periodCount, 2)))
    var buffer = overflow ? period : product
    if buffer < request.minimumBufferFrameCount {
      let least = snd_pcm_uframes_t(clamping: request.minimumBufferFrameCount)
      buffer = (least - 1) / period * period + period
    }
    try require(
      snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer), "has no usable buffer")
  }

  private func result(
    _ format: ALSAFormat, _ isMapped: Bool, _ request: ALSARequest
  ) throws(Failure) -> ALSAAgreement {
    var rate: UInt32 = 0
    var channels: UInt32 = 0
    var period: snd_pcm_uframes_t = 0
    var buffer: snd_pcm_uframes_t = 0
    try require(snd_pcm_hw_params_get_rate(parameters, &rate, nil), "has no fixed rate")
    try require(snd_pcm_hw_params_get_channels(parameters, &channels), "has no fixed channels")
    try require(snd_pcm_hw_params_get_period_size(parameters, &period, nil), "has no fixed period")
    try require(snd_pcm_hw_params_get_buffer_size(parameters, &buffer), "has no fixed buffer")
    guard rate > 0, rate < 1 << 28, period > 0, buffer >= period, buffer < 1 << 28, channels > 0,
      channels <= 1024, period * UInt(channels) < 1 << 26
    else {
      throw unavailable(
        "offers \(channels) channels and a buffer of \(buffer) frames at \(rate) Hz, "
          + "which cannot be used")
    }
    if channels < request.channelCount, !request.acceptsFewerChannels {
      throw tooFewChannels(Int(channels), request)
    }
    return ALSAAgreement(
      sampleRate: Double(rate), channelCount: Int(channels), periodFrameCount: Int(period),
      bufferFrameCount: Int(buffer), isMapped: isMapped, format: format)
  }

  private func require(_ code: Int32, _ complaint: String) throws(Failure) {
    if code < 0 { throw unavailable("\(complaint) (\(ALSALibrary.message(code)))") }
  }

  private func unavailable(_ complaint: String) -> Failure {
    .device(name, "the sound device '\(name)' \(complaint)", direction)
  }
}
