package import FxAudio
import Glibc

/// Samples without a header, in a format that the user gives. Nothing is recognized: the first bytes
/// are sound, whatever they resemble.
final class RawSource: AudioSource {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  private(set) var warnings: [String] = []
  var isSeekable: Bool { reader.isSeekable }
  private let reader: ByteReader
  private let raw: RawFormat
  private let decoder: SampleDecoder
  /// The bytes as they are read; those of one byte with a law are expanded into the second half.
  private let bytes: UnsafeMutableRawPointer
  private var position = 0
  private static let blockFrameCount = 4096

  init(_ reader: ByteReader, _ raw: RawFormat) throws(Failure) {
    self.reader = reader
    self.raw = raw
    name = reader.name
    format = raw.format
    decoder = SampleDecoder(
      raw.coding.stored, channelCount: format.channelCount, silencesNonFinite: false)
    bytes = .allocate(
      byteCount: Self.blockFrameCount * format.channelCount * (raw.coding.byteCount + 2),
      alignment: 16)
    if let size = reader.byteCount {
      guard size > 0 else { throw Failure(.empty, name, "the file is empty") }
      guard size - raw.offset >= raw.frameByteCount else {
        throw Failure(
          .empty, name,
          raw.offset > 0
            ? "there is no sound behind the offset of \(raw.offset) bytes: the file has \(size)"
            : "the file has \(size) bytes, less than a frame of \(raw.frameByteCount)")
      }
      guard reader.seek(to: raw.offset) else { throw reader.error }
      frameCount = (size - raw.offset) / raw.frameByteCount
      noteRest((size - raw.offset) % raw.frameByteCount)
    } else {
      try skipOffset()
    }
  }

  deinit { bytes.deallocate() }

  private func noteRest(_ count: Int) {
    guard count > 0, warnings.isEmpty else { return }
    warnings.append(
      "the last \(count) \(count == 1 ? "byte is" : "bytes are") no whole frame of "
        + "\(raw.frameByteCount) bytes and \(count == 1 ? "is" : "are") ignored; check the coding, "
        + "the channels and the offset")
  }

  /// Reads the bytes before the first sample of a pipe.
  private func skipOffset() throws(Failure) {
    var left = raw.offset
    let capacity = Self.blockFrameCount * raw.frameByteCount
    while left > 0 {
      let got = reader.readFully(bytes, min(left, capacity))
      guard got >= 0, !reader.wasInterrupted else { throw reader.error }
      guard got > 0 else {
        throw Failure(
          .empty, name,
          "there is no sound behind the offset of \(raw.offset) bytes: the pipe had "
            + "\(raw.offset - left)")
      }
      left -= got
    }
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let left = self.frameCount.map { $0 - position } ?? Int.max
    let wanted = min(frameCount, Self.blockFrameCount, left)
    guard wanted > 0 else { return 0 }
    let got = reader.readFully(bytes, wanted * raw.frameByteCount)
    guard got >= 0, !reader.wasInterrupted else { throw reader.error }
    let count = got / raw.frameByteCount
    if count < wanted {
      guard self.frameCount == nil else {
        throw Failure(.truncated, name, "the file became shorter while it was read")
      }
      noteRest(got % raw.frameByteCount)
      if count == 0, position == 0 {
        throw Failure(.empty, name, "there is no sound in it: not one whole frame arrived")
      }
    }
    decoder.decode(
      converted(count * format.channelCount), frameCount: count, into: channels,
      width: format.channelCount, offset: 0)
    position += count
    return count
  }

  /// The samples in the byte order and the signs of `SampleDecoder`.
  private func converted(_ count: Int) -> UnsafeMutableRawPointer {
    let size = raw.coding.byteCount
    switch raw.coding {
    case .s8:
      let samples = bytes.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { samples[index] ^= 0x80 }
    case .alaw, .ulaw:
      let table = raw.coding == .alaw ? CompandedSample.aLaw : CompandedSample.muLaw
      let samples = bytes.assumingMemoryBound(to: UInt8.self)
      let place = (Self.blockFrameCount * format.channelCount + 1) & ~1
      let expanded = bytes + place
      table.withUnsafeBufferPointer { table in
        for index in 0..<count {
          expanded.storeBytes(
            of: table[Int(samples[index])], toByteOffset: 2 * index, as: Int16.self)
        }
      }
      return expanded
    default:
      guard raw.coding.isBigEndian else { break }
      let samples = bytes.assumingMemoryBound(to: UInt8.self)
      for start in stride(from: 0, to: count * size, by: size) {
        for index in 0..<size / 2 {
          let other = start + size - 1 - index
          (samples[start + index], samples[other]) = (samples[other], samples[start + index])
        }
      }
    }
    return bytes
  }

  func seek(toFrame frame: Int) throws(Failure) {
    if reader.isSeekable {
      let target = min(max(frame, 0), frameCount ?? Int.max)
      guard reader.seek(to: raw.offset + target * raw.frameByteCount) else { throw reader.error }
      position = target
      return
    }
    try skip(to: frame, from: position)
  }

  func interrupt() { reader.interrupt() }
}

extension RawFormat.Coding {
  /// How a sample is stored after its bytes were brought into order.
  fileprivate var stored: StoredSample {
    switch self {
    case .s8, .u8: .uint8
    case .s16le, .s16be, .alaw, .ulaw: .int16
    case .s24le, .s24be: .int24Packed
    case .s32le, .s32be: .int32
    case .f32le, .f32be: .float32
    case .f64le, .f64be: .float64
    }
  }
}

/// The samples of eight bits with a law of ITU-T G.711, expanded to 16 bits.
private enum CompandedSample {
  static let aLaw: [Int16] = (0..<256).map { code in
    let bits = code ^ 0x55
    let (exponent, mantissa) = (bits >> 4 & 7, bits & 15)
    let size = exponent == 0 ? mantissa << 4 | 8 : (mantissa << 4 | 0x108) << (exponent - 1)
    return Int16(bits & 0x80 != 0 ? size : -size)
  }

  static let muLaw: [Int16] = (0..<256).map { code in
    let bits = ~code & 0xff
    let size = ((bits & 15) << 3 | 0x84) << (bits >> 4 & 7) - 0x84
    return Int16(bits & 0x80 != 0 ? -size : size)
  }
}

extension FileSource {
  /// Opens a file, standard input (`-`) or an HTTP address: as raw samples if a format is given,
  /// otherwise by its content. With settings for streams it may also be a playlist.
  package static func open(
    _ path: String, raw: RawFormat?, _ monitor: OpeningMonitor? = nil, isReadTwice: Bool = false,
    _ settings: StreamSettings? = nil
  ) throws(Failure) -> any AudioSource {
    guard let raw else {
      guard let settings else { return try open(path, monitor, isReadTwice: isReadTwice) }
      return try open(path, monitor, isReadTwice: isReadTwice, settings)
    }
    let streams = settings ?? StreamSettings()
    if let address = HTTPAddress(path) {
      let stream = try HTTPStream(address, streams, monitor)
      let source = try opened(ByteReader(stream), raw, isReadTwice: isReadTwice)
      return isReadTwice ? source : StreamedSource(source, stream, streams.news)
    }
    return try opened(ByteReader(byteStream(path, monitor)), raw, isReadTwice: isReadTwice)
  }

  private static func opened(
    _ reader: ByteReader, _ raw: RawFormat, isReadTwice: Bool
  ) throws(Failure) -> any AudioSource {
    guard isReadTwice, !reader.isSeekable || reader.isCostly else {
      return try RawSource(reader, raw)
    }
    return try Spool.open(reader, warns: false) { (copy) throws(Failure) in
      try RawSource(copy, raw)
    }
  }
}
