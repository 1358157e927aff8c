import FxAudio
import FxMedia

/// Converts buffers of one format to another, piece by piece: another sample rate (libsoxr, best quality),
/// and one channel to several.
///
///     let converter = try Converter(from: recorded.format, to: SampleFormat(sampleRate: 16000, channels: 1))
///     for buffer in buffers { send(try converter.convert(buffer)) }
///     send(try converter.finish())
///
/// One thread at a time uses it. For other mixes of channels render through a chain with `Matrix`;
/// `SoundParser` turns compressed packets into samples.
public final class Converter {
  public let input: SampleFormat
  public let output: SampleFormat
  private let rates: RateConverter?
  private var taken = 0
  private var given = 0

  /// - Throws: `ChainFailure` of kind `request` for a format that no sound has, and for a number of
  ///   channels that does not fit.
  public init(from input: SampleFormat, to output: SampleFormat) throws(ChainFailure) {
    try input.check()
    try output.check()
    guard input.channels == output.channels || input.channels == 1 else {
      throw ChainFailure(
        .request, code: .usage,
        "\(input.channels) channels do not become \(output.channels) in a converter: use a chain with a "
          + "matrix, which says how they are mixed")
    }
    self.input = input
    self.output = output
    guard input.sampleRate != output.sampleRate else {
      rates = nil
      return
    }
    do throws(Failure) {
      rates = try RateConverter(
        from: input.sampleRate, to: output.sampleRate, channelCount: input.channels,
        name: "the sound")
    } catch {
      throw ChainFailure(error, .request)
    }
  }

  /// Converts the next piece. The filter keeps some frames for the next call.
  ///
  /// - Returns: the frames that are ready, possibly none.
  /// - Throws: `ChainFailure` of kind `request` for a buffer of another format.
  public func convert(_ buffer: PCMBuffer) throws(ChainFailure) -> PCMBuffer {
    guard buffer.format == input else {
      throw ChainFailure(
        .request, code: .usage,
        "the converter takes \(input.channels) channels at \(input.sampleRate) Hz, and the buffer has "
          + "\(buffer.format.channels) at \(buffer.format.sampleRate) Hz")
    }
    guard let rates else { return try spread(buffer.channels) }
    taken += buffer.frameCount
    var channels = [[Float]](repeating: [], count: input.channels)
    do throws(Failure) {
      try drain(rates, buffer, into: &channels)
    } catch {
      throw ChainFailure(error, .request)
    }
    return try spread(channels)
  }

  /// Ends the sound: what the filter still held, so that the whole has its exact length. The next piece
  /// begins a new sound.
  public func finish() throws(ChainFailure) -> PCMBuffer {
    var channels = [[Float]](repeating: [], count: input.channels)
    guard let rates else { return try spread(channels) }
    let end = Int((Double(taken) * output.sampleRate / input.sampleRate).rounded())
    do throws(Failure) {
      try drain(rates, nil, into: &channels)
    } catch {
      throw ChainFailure(error, .request)
    }
    let left = max(0, end - (given - channels[0].count))
    for index in channels.indices {
      channels[index] = Array(channels[index].prefix(left))
      channels[index] += [Float](repeating: 0, count: left - channels[index].count)
    }
    rates.clear()
    (taken, given) = (0, 0)
    return try spread(channels)
  }

  /// Passes a piece through the filter; nil for the end of the sound.
  private func drain(
    _ rates: RateConverter, _ buffer: PCMBuffer?, into channels: inout [[Float]]
  ) throws(Failure) {
    let room = PlanarBuffer(channelCount: input.channels, frameCount: 4096)
    let source = buffer?.planarSamples
    var offset = 0
    let count = buffer?.frameCount ?? 0
    let inputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: input.channels)
    let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: input.channels)
    defer {
      inputs.deallocate()
      outputs.deallocate()
    }
    while true {
      for channel in 0..<input.channels {
        (outputs + channel).initialize(to: room[channel])
        if let source {
          // soxr reads the input through pointers that are not const.
          (inputs + channel).initialize(
            to: UnsafeMutablePointer(mutating: source + channel * count + offset))
        }
      }
      let (consumed, produced) = try rates.convert(
        source == nil ? nil : inputs, count - offset, into: outputs, room.frameCount)
      offset += consumed
      given += produced
      for channel in channels.indices {
        channels[channel] += UnsafeBufferPointer(start: room[channel], count: produced)
      }
      guard produced > 0 || offset < count else { return withExtendedLifetime(buffer) {} }
    }
  }

  /// One channel for each channel of the output.
  private func spread(_ channels: [[Float]]) throws(ChainFailure) -> PCMBuffer {
    let all =
      channels.count == output.channels
      ? channels : [[Float]](repeating: channels[0], count: output.channels)
    return try PCMBuffer(all, format: output)
  }
}

extension PCMBuffer {
  /// The whole sound in another format.
  ///
  /// - Throws: `ChainFailure` of kind `request`, as `Converter` does.
  public func converted(to format: SampleFormat) throws(ChainFailure) -> PCMBuffer {
    if format == self.format { return self }
    let converter = try Converter(from: self.format, to: format)
    let (first, last) = (try converter.convert(self), try converter.finish())
    return try PCMBuffer(zip(first.channels, last.channels).map { $0 + $1 }, format: format)
  }
}
