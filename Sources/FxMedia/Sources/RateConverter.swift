import CSoxr
package import FxAudio

/// Converts samples to another sample rate, piece by piece, with libsoxr.
///
/// The first frame stays first, because the library removes the latency of its filter.
package final class RateConverter {
  private let resampler: OpaquePointer
  private let name: String

  /// - Parameters:
  ///   - channelCount: channels of the sound.
  ///   - name: the name of the sound in messages.
  package init(
    from inputRate: Double, to outputRate: Double, channelCount: Int,
    quality: RateConversion.Quality = .veryHigh, name: String
  ) throws(Failure) {
    let ratio = outputRate / inputRate
    guard ratio.isFinite, ratio > 0 else {
      throw Failure(.unsupportedFormat, name, "cannot be converted to \(outputRate) Hz")
    }
    var layout = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
    var recipe = soxr_quality_spec(quality.recipe, 0)
    var failure: soxr_error_t?
    guard
      let resampler = soxr_create(
        inputRate, outputRate, UInt32(channelCount), &failure, &layout, &recipe, nil)
    else {
      let reason = failure.map { String(cString: $0) } ?? "out of memory"
      throw Failure(
        .unsupportedFormat, name,
        "cannot be converted from \(inputRate) Hz to \(outputRate) Hz: \(reason)")
    }
    self.resampler = resampler
    self.name = name
  }

  deinit { soxr_delete(resampler) }

  /// Takes input and gives output, each as far as there is room.
  ///
  /// - Parameters:
  ///   - input: a pointer for each channel; nil at the end, for what the filter still holds.
  ///   - inputCount: frames of the input.
  ///   - output: a pointer for each channel.
  ///   - outputCount: the frames for which it has room.
  package func convert(
    _ input: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?, _ inputCount: Int,
    into output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int
  ) throws(Failure) -> (consumed: Int, produced: Int) {
    var (consumed, produced) = (0, 0)
    let failure = soxr_process(
      resampler, input.map { UnsafeRawPointer($0) }, inputCount, &consumed,
      UnsafeMutableRawPointer(output), outputCount, &produced)
    if let failure {
      throw Failure(.unreadable, name, "resampling failed: \(String(cString: failure))")
    }
    return (consumed, produced)
  }

  /// Forgets the sound so far.
  package func clear() { soxr_clear(resampler) }
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
