import FxAudio

/// The requested hardware parameters. The device may change them, but must have the sound's
/// channels.
package struct ALSARequest: Sendable, Hashable {
  package var sampleRate: Double
  package var channelCount: Int
  package var periodFrameCount: Int
  package var periodCount: Int
  /// The smallest buffer in frames, whatever the periods: two blocks.
  var minimumBufferFrameCount = 0
  /// alsa-lib converts the sample rate where the device's rate differs.
  var convertsRate = false
  /// 16-bit samples get the same dither as in a file.
  package var isDithered = true
  /// Channels of the sound in a file; nil for `channelCount`. Mono is played on two channels.
  package var soundChannelCount: Int?
  /// Accepts a device with fewer channels: a recording uses those that exist, playback needs all.
  var acceptsFewerChannels = false

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

/// The hardware parameters that a device has accepted.
package struct ALSAAgreement: BitwiseCopyable, Sendable, Hashable {
  package let sampleRate: Double
  /// The device's channels.
  package let channelCount: Int
  package let periodFrameCount: Int
  package let bufferFrameCount: Int
  /// True when samples are written directly into the device's buffer.
  package let isMapped: Bool
  let format: ALSAFormat

  package var bitsPerSample: Int { format.bitsPerSample }
  package var isFloat: Bool { format.isFloat }
  /// alsa-lib's name of the sample format.
  package var formatName: String { format.name }

  var bytesPerFrame: Int { format.layout.byteCount * channelCount }

  /// The differences from the request, as texts: `period 441 frames instead of 256`.
  package func differences(from request: ALSARequest) -> [String] {
    var differences: [String] = []
    let rate = Int(sampleRate.rounded())
    if sampleRate != request.sampleRate.rounded() {
      differences.append("\(rate) Hz instead of \(Int(clamping: request.sampleRate))")
    }
    if channelCount < request.channelCount {
      differences.append(
        "\(channelCount) \(channelCount == 1 ? "channel" : "channels") "
          + "instead of \(request.channelCount)")
    }
    if periodFrameCount != request.periodFrameCount {
      differences.append(
        "period \(periodFrameCount) frames instead of \(request.periodFrameCount)")
    }
    let (product, overflow) = request.periodFrameCount.multipliedReportingOverflow(
      by: max(request.periodCount, 2))
    let buffer = max(overflow ? Int.max : product, request.minimumBufferFrameCount)
    if bufferFrameCount != buffer {
      differences.append("buffer \(bufferFrameCount) frames instead of \(buffer)")
    }
    return differences
  }
}

extension Int {
  /// The nearest whole number, clamped to the range of `Int`; NaN becomes the largest.
  init(clamping value: Double) {
    self = value.magnitude < 9e18 ? Int(value.rounded()) : (value < 0 ? .min : .max)
  }
}
