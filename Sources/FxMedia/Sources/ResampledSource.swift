import CSoxr
package import FxAudio

/// A source converted to a different sample rate by libsoxr.
///
/// The first frame stays first, because the filter's latency is removed. The length is the source's
/// length times the ratio, rounded.
package final class ResampledSource: ChangedSource {
  package let source: any AudioSource
  package let format: StreamFormat

  private let ratio: Double
  private let resampler: OpaquePointer
  private let input: PlanarBuffer
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var inputFill = 0
  private var inputOffset = 0
  private var inputTotal = 0
  /// Why the source ended early; thrown when its sound has been returned.
  private var failure: Failure?
  private var isInputAtEnd = false
  private var position = 0
  /// The length of the output, known when the input has ended.
  private var end: Int?
  private static let blockFrameCount = 4096

  package init(
    _ source: any AudioSource, to sampleRate: Double,
    quality: RateConversion.Quality = .veryHigh
  ) throws(Failure) {
    self.source = source
    let name = source.name
    let width = source.format.channelCount
    format = StreamFormat(sampleRate: sampleRate, layout: source.format.layout)
    ratio = sampleRate / source.format.sampleRate
    guard ratio.isFinite, ratio > 0 else {
      throw Failure(.unsupportedFormat, name, "cannot be converted to \(sampleRate) Hz")
    }
    var layout = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
    var recipe = soxr_quality_spec(quality.recipe, 0)
    var failure: soxr_error_t?
    guard
      let resampler = soxr_create(
        source.format.sampleRate, sampleRate, UInt32(width), &failure, &layout, &recipe, nil)
    else {
      let reason = failure.map { String(cString: $0) } ?? "out of memory"
      throw Failure(
        .unsupportedFormat, name,
        "cannot be converted from \(source.format.sampleRate) Hz to \(sampleRate) Hz: \(reason)")
    }
    self.resampler = resampler
    input = PlanarBuffer(channelCount: width, frameCount: ResampledSource.blockFrameCount)
    cursors = .allocate(capacity: max(width, 1))
  }

  deinit {
    soxr_delete(resampler)
    cursors.deallocate()
  }

  package var frameCount: Int? { end ?? source.frameCount.map(outputCount) }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    var done = 0
    while done < frameCount {
      if inputOffset == inputFill, !isInputAtEnd { try refill() }
      let left = end.map { $0 - position } ?? Int.max
      let wanted = min(frameCount - done, left)
      guard wanted > 0 else {
        if done == 0, let failure { throw failure }
        break
      }
      var got = try process(channels, at: done, wanted)
      if got == 0 {
        guard isInputAtEnd, inputOffset == inputFill else { continue }
        // The filter has no more output, but the promised length is filled with silence.
        got = wanted
        for channel in 0..<format.channelCount {
          (channels[channel] + done).update(repeating: 0, count: got)
        }
      }
      done += got
      position += got
    }
    return done
  }

  /// Restarts some way before the frame, at a position that is a whole frame at both rates. So the
  /// filter is filled as in continuous reading.
  package func seek(toFrame frame: Int) throws(Failure) {
    let target = max(frame, 0)
    let from = Int(source.format.sampleRate)
    let to = Int(format.sampleRate)
    let isWhole = Double(from) == source.format.sampleRate && Double(to) == format.sampleRate
    let divisor = isWhole ? ResampledSource.gcd(from, to) : 1
    let margin = 8192.0 * max(1, 1 / ratio)
    var inputStart = 0
    var outputStart = 0
    if isWhole, divisor > 0 {
      let steps = (Double(target) / ratio - margin) / Double(from / divisor)
      if steps >= 1, steps < 1e15 {
        inputStart = Int(steps) * (from / divisor)
        outputStart = Int(steps) * (to / divisor)
      }
    }
    try source.seek(toFrame: inputStart)
    soxr_clear(resampler)
    inputFill = 0
    inputOffset = 0
    inputTotal = inputStart
    isInputAtEnd = false
    failure = nil
    end = nil
    position = outputStart
    if target > outputStart { try skip(target - outputStart) }
  }

  package func interrupt() { source.interrupt() }

  private func outputCount(_ inputCount: Int) -> Int {
    let exact = (Double(inputCount) * ratio).rounded()
    return exact < 9e18 ? Int(exact) : Int.max
  }

  private func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, at offset: Int, _ wanted: Int
  ) throws(Failure) -> Int {
    let width = format.channelCount
    var consumed = 0
    var produced = 0
    let failure = withUnsafeTemporaryAllocation(
      of: UnsafeMutablePointer<Float>.self, capacity: max(width, 1)
    ) { outputs -> soxr_error_t? in
      guard let table = outputs.baseAddress else { return nil }
      for channel in 0..<width {
        (table + channel).initialize(to: channels[channel] + offset)
        (cursors + channel).initialize(to: input[channel] + inputOffset)
      }
      let available = inputFill - inputOffset
      return soxr_process(
        resampler, isInputAtEnd && available == 0 ? nil : UnsafeRawPointer(cursors), available,
        &consumed, UnsafeMutableRawPointer(table), wanted, &produced)
    }
    if let failure {
      throw Failure(.unreadable, name, "resampling failed: \(String(cString: failure))")
    }
    inputOffset += consumed
    return produced
  }

  private func refill() throws(Failure) {
    do throws(Failure) {
      inputFill = try source.read(
        into: input.channels, frameCount: ResampledSource.blockFrameCount)
    } catch {
      guard inputTotal > 0, error.code != .interrupted else { throw error }
      // First returns the sound from before the failure, which the filter still holds.
      failure = error
      inputFill = 0
    }
    inputOffset = 0
    inputTotal += inputFill
    if inputFill == 0 {
      isInputAtEnd = true
      end = outputCount(inputTotal)
    }
  }

  private static func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }
}

extension RateConversion.Quality {
  /// libsoxr's recipe for this quality.
  fileprivate var recipe: UInt {
    switch self {
    case .low: UInt(SOXR_LQ)
    case .medium: UInt(SOXR_MQ)
    case .high: UInt(SOXR_HQ)
    case .veryHigh: UInt(SOXR_VHQ)
    }
  }
}
