import FxLV2
import Glibc

/// A cache of the results of measuring passes, kept between runs of fxrun in the user's cache
/// folder. The key is a digest of everything that a result depends on.
///
/// The latest megabyte is kept; only requested entries are decoded. A cache that cannot be read is
/// empty, and a failure to write it is ignored, because nothing depends on it.
struct MeasurementCache {
  private static let mark = Array("fxrun measurements 2\n".utf8)
  private static let limit = 1 << 20
  private static let mostValues = limit / 128
  private static let lineEnd = UInt8(ascii: "\n")

  private let file: CacheFile
  /// The mark, and one line for each key with its values, latest last.
  private var bytes: [UInt8]
  private var isChanged = false

  /// Reads the cache, by default `fxrun/measurements` in `XDG_CACHE_HOME` or `~/.cache`.
  init(path: String? = CacheFile.standardPath("measurements")) {
    file = CacheFile(path: path)
    bytes = Self.mark
    guard let found = file.contents(), found.starts(with: Self.mark) else { return }
    bytes = found
    if bytes.last != Self.lineEnd { bytes.append(Self.lineEnd) }
  }

  /// The values of a key; nil if there are none, or if they cannot be decoded.
  func values(of key: String) -> [Double]? {
    guard let start = place(of: key) else { return nil }
    let line = bytes[start...].prefix { $0 != Self.lineEnd }
    let words = line.split(separator: UInt8(ascii: " "))
    let values = words.compactMap {
      UInt64(String(decoding: $0, as: UTF8.self), radix: 16).map(Double.init(bitPattern:))
    }
    return values.count == words.count ? values : nil
  }

  /// Adds the values of a key, unless the key exists or the values would push out many others.
  mutating func keep(_ values: [Double], of key: String) {
    guard place(of: key) == nil, values.count < Self.mostValues else { return }
    let words = [key] + values.map { String($0.bitPattern, radix: 16) }
    bytes += Array(words.joined(separator: " ").utf8) + [Self.lineEnd]
    isChanged = true
  }

  /// Writes the cache if something was added.
  func write() {
    guard isChanged else { return }
    var kept = bytes[Self.mark.count...]
    if kept.count > Self.limit {
      kept = kept.suffix(Self.limit).drop { $0 != Self.lineEnd }.dropFirst()
    }
    _ = file.replace(with: Self.mark + kept)
  }

  /// The offset of the values of a key.
  private func place(of key: String) -> Int? {
    let key = Array(key.utf8)
    return bytes.withUnsafeBytes { all -> Int? in
      guard let begin = all.baseAddress else { return nil }
      var start = Self.mark.count
      // Every line has an end.
      while let end = memchr(begin + start, Int32(Self.lineEnd), all.count - start) {
        let next = UnsafeRawPointer(end) - begin
        let values = start + key.count
        if values <= next, memcmp(begin + start, key, key.count) == 0,
          values == next || all[values] == UInt8(ascii: " ")
        {
          return values
        }
        start = next + 1
      }
      return nil
    }
  }
}
