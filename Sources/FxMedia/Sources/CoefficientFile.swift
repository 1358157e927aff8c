import FxAudio

/// Reads the coefficients of a filter, as programs for room correction write them: a text with one
/// number a line, or numbers in binary form without a header. They have no sample rate, and count
/// at that of the chain.
enum CoefficientFile {
  /// How the numbers stand in the file, by the ending of its name.
  enum Form {
    case text
    /// Little-endian.
    case float32, float64

    init?(_ path: String) {
      guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
      switch path[dot...].dropFirst().lowercased() {
      case "txt", "csv", "dat": self = .text
      case "raw", "pcm", "f32", "bin": self = .float32
      case "f64", "dbl": self = .float64
      default: return nil
      }
    }
  }

  /// The largest file in bytes.
  private static let byteLimit = 64 << 20

  /// - Throws: `Failure` for a file that is too large or empty, and for anything but a number,
  ///   with its line or its place.
  static func read(
    _ reader: ByteReader, _ path: String, _ form: Form
  ) throws(Failure) -> [Float] {
    let bytes = try reader.peek(byteLimit + 1)
    guard bytes.count <= byteLimit else {
      throw Failure(
        .outOfRange, path,
        "it has more than \(byteLimit >> 20) MB, the limit for a file of coefficients")
    }
    let values =
      switch form {
      case .text: try numbers(bytes, path)
      case .float32: try values(bytes, path, width: 4) { Double(Float(bitPattern: UInt32($0))) }
      case .float64: try values(bytes, path, width: 8) { Double(bitPattern: $0) }
      }
    guard !values.isEmpty else { throw Failure(.empty, path, "there are no coefficients in it") }
    return values
  }

  private static func numbers(_ bytes: [UInt8], _ path: String) throws(Failure) -> [Float] {
    var values: [Float] = []
    let lines = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
    for (index, line) in lines.enumerated() {
      let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == 13 }
      let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let value = Double(text), value.isFinite else {
        throw Failure(
          .damaged, path,
          "line \(index + 1) is no number: '\(text.prefix(40))'; a text of coefficients has one number "
            + "a line, such as 0.0625 or -1e-5")
      }
      guard let sample = sample(value) else {
        throw Failure(
          .outOfRange, path, "line \(index + 1): \(text.prefix(40)) is beyond 1000 (+60 dB)")
      }
      values.append(sample)
    }
    return values
  }

  private static func values(
    _ bytes: [UInt8], _ path: String, width: Int, _ value: (UInt64) -> Double
  ) throws(Failure) -> [Float] {
    guard bytes.count % width == 0 else {
      throw Failure(
        .damaged, path,
        "its \(bytes.count) bytes are no whole number of coefficients of \(width) bytes")
    }
    var values: [Float] = []
    values.reserveCapacity(bytes.count / width)
    for start in stride(from: 0, to: bytes.count, by: width) {
      var bits: UInt64 = 0
      for place in 0..<width { bits |= UInt64(bytes[start + place]) << UInt64(8 * place) }
      guard let sample = sample(value(bits)) else {
        throw Failure(
          .damaged, path,
          "coefficient \(start / width + 1) is no number, or beyond 1000: it may have another form, or "
            + "be a sound; its ending says \(width == 4 ? "32" : "64")-bit float, little-endian")
      }
      values.append(sample)
    }
    return values
  }

  /// nil for what is no coefficient: not finite, or beyond 60 dB.
  private static func sample(_ value: Double) -> Float? {
    value.isFinite && abs(value) <= 1000 ? Float(value) : nil
  }
}
