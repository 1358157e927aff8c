/// A file of coefficients without a header.
struct CoefficientFile {
  enum Format {
    /// A number a line.
    case text
    /// Whole numbers: the bytes of each, and the bits of them that count, which are the lowest.
    case integers(bytes: Int, bits: Int)
    case floats
    case doubles

    /// Bytes of a number; 1 for a line of text.
    fileprivate var size: Int {
      switch self {
      case .text: 1
      case .integers(let bytes, _): bytes
      case .floats: 4
      case .doubles: 8
      }
    }

    /// The numbers in this many bytes or lines.
    func count(_ length: Int) -> Int { length / size }

    /// The ends of names by which fxrun knows this format; none for a format that it does not read as an impulse.
    fileprivate var extensions: [String] {
      switch self {
      case .text: ["txt", "csv", "dat"]
      case .integers: []
      case .floats: ["raw", "pcm", "f32", "bin"]
      case .doubles: ["f64", "dbl"]
      }
    }
  }

  let name: String
  let format: Format
  var isBigEndian = false
  /// Lines or bytes before the first number.
  var skipped = 0
  /// The most coefficients that are used; nil for all.
  var limit: Int?

  /// How the chain names the file: itself if fxrun reads it as it is, otherwise a text with its coefficients.
  ///
  /// - Parameter id: a name for the text.
  /// - Returns: nil if it cannot be read.
  func imported(_ importing: Importing, id: String) -> String? {
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let isKnown = format.extensions.contains(ending) && skipped == 0 && !isBigEndian
    guard !isKnown || limit != nil else { return importing.file(name) }
    guard let numbers = numbers(importing), !numbers.isEmpty, numbers.allSatisfy(\.isFinite) else {
      // fxrun says what is wrong with it.
      return isKnown ? importing.file(name) : nil
    }
    guard !isKnown || numbers.count > limit ?? .max else { return importing.file(name) }
    return importing.file(id, coefficients: Array(numbers.prefix(limit ?? .max)))
  }

  private func numbers(_ importing: Importing) -> [Double]? {
    guard case .text = format else {
      return importing.bytes(of: name).map { decoded(Array($0.dropFirst(skipped))) }
    }
    let lines = importing.text(of: name)?.split(whereSeparator: \.isNewline).dropFirst(skipped)
    guard let lines else { return nil }
    let numbers = lines.map { Double($0.filter { !$0.isWhitespace }) }
    return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
  }

  private func decoded(_ bytes: [UInt8]) -> [Double] {
    let size = format.size
    return stride(from: 0, to: bytes.count - bytes.count % size, by: size).map { start in
      let part = bytes[start..<start + size]
      let word = (isBigEndian ? Array(part) : part.reversed()).reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      switch format {
      case .text: return 0
      case .integers(_, let bits):
        let shift = UInt64(64 - bits)
        return Double(Int64(bitPattern: word << shift) >> shift) / Double(UInt64(1) << (bits - 1))
      case .floats: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
      case .doubles: return Double(bitPattern: word)
      }
    }
  }
}
