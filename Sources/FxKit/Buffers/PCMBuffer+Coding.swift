import FxAudio

extension PCMBuffer {
  /// Reads interleaved samples: the channels of the first frame, then those of the second.
  ///
  /// - Parameters:
  ///   - bytes: whole frames; they are copied.
  ///   - coding: how each sample is stored.
  ///   - format: the format of the samples.
  /// - Throws: `ChainFailure` of kind `request` if the bytes are not whole frames.
  public init(
    interleaved bytes: UnsafeRawBufferPointer, as coding: SampleCoding, format: SampleFormat
  ) throws(ChainFailure) {
    try format.check()
    let frameBytes = coding.byteCount * format.channels
    guard bytes.count.isMultiple(of: frameBytes) else {
      throw ChainFailure(
        .request, code: .usage,
        "\(bytes.count) bytes are not whole frames of \(frameBytes) bytes")
    }
    let decoder = SampleDecoder(
      coding.stored, channelCount: format.channels, silencesNonFinite: false)
    self.init(format, frameCount: bytes.count / frameBytes) { channels, frameCount in
      guard let start = bytes.baseAddress else { return }
      channels.withUnsafeBufferPointer { table in
        guard let table = table.baseAddress else { return }
        decoder.decode(
          start, frameCount: frameCount, into: table, width: format.channels, offset: 0)
      }
    }
  }

  /// Reads interleaved samples of a number type, such as those of another library.
  ///
  /// - Parameters:
  ///   - samples: whole frames: `Int16`, `Int32`, `Float` or `Double`.
  ///   - format: the format of the samples.
  /// - Throws: `ChainFailure` of kind `request` if the samples are not whole frames.
  public init<Sample: CodedSample>(
    interleaved samples: [Sample], format: SampleFormat
  ) throws(ChainFailure) {
    let read = samples.withUnsafeBytes { bytes in
      Result { () throws(ChainFailure) in
        try PCMBuffer(interleaved: bytes, as: Sample.coding, format: format)
      }
    }
    self = try read.get()
  }

  /// The samples, interleaved: whole numbers are rounded to the nearest step and clipped to full scale.
  /// Samples that are not numbers become silence; in floats infinite ones too.
  ///
  /// - Parameters:
  ///   - coding: how each sample is stored.
  ///   - isDithered: adds triangular dither of one step either way, with 16 bits only. It is the same in
  ///     every call.
  /// - Returns: `frameCount` × channels × `coding.byteCount` bytes.
  public func interleaved(as coding: SampleCoding, isDithered: Bool = false) -> [UInt8] {
    let size = frameCount * format.channels * coding.byteCount
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      if let start = bytes.baseAddress { write(coding, isDithered, to: start) }
      count = size
    }
  }

  /// The samples, interleaved, as numbers of a type: `buffer.interleaved(as: Int16.self)`.
  ///
  /// - Parameters:
  ///   - type: `Int16`, `Int32`, `Float` or `Double`.
  ///   - isDithered: adds triangular dither of one step either way, for `Int16` only.
  /// - Returns: `frameCount` × channels samples.
  public func interleaved<Sample: CodedSample>(
    as type: Sample.Type, isDithered: Bool = false
  ) -> [Sample] {
    let size = frameCount * format.channels
    return [Sample](unsafeUninitializedCapacity: size) { samples, count in
      if let start = samples.baseAddress { write(Sample.coding, isDithered, to: start) }
      count = size
    }
  }

  private func write(
    _ coding: SampleCoding, _ isDithered: Bool, to target: UnsafeMutableRawPointer
  ) {
    var converter = SampleConverter(
      layout: coding.layout, channelCount: format.channels, isDithered: isDithered)
    withChannels { channels in
      converter.convert(channels, frameCount: frameCount, to: target)
    }
  }
}

/// A number type that samples are stored in.
public protocol CodedSample: BitwiseCopyable {
  static var coding: SampleCoding { get }
}

extension Int16: CodedSample {
  public static var coding: SampleCoding { .int16 }
}
extension Int32: CodedSample {
  public static var coding: SampleCoding { .int32 }
}
extension Float: CodedSample {
  public static var coding: SampleCoding { .float32 }
}
extension Double: CodedSample {
  public static var coding: SampleCoding { .float64 }
}
