import FxLV2

/// What passes before a render have measured, kept from one run of fxrun to the next in the user's
/// cache folder, by the digest of everything that it depends on.
///
/// The last `limit` measurements are kept. A cache that cannot be read is empty, one that cannot be
/// written is left alone: nothing depends on it.
struct MeasurementCache {
  private static let mark = "fxrun measurements 1"
  private static let limit = 4096

  private let file: CacheFile
  /// The latest last.
  private var entries: [(key: String, values: [Double])] = []
  private var isChanged = false

  /// Reads the cache, by default `fxrun/measurements` in `XDG_CACHE_HOME` or `~/.cache`.
  init(path: String? = CacheFile.standardPath("measurements")) {
    file = CacheFile(path: path)
    guard let bytes = file.contents() else { return }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")[...]
    guard lines.popFirst() == Self.mark[...] else { return }
    for line in lines {
      let words = line.split(separator: " ")
      let values = words.dropFirst().compactMap {
        UInt64($0, radix: 16).map(Double.init(bitPattern:))
      }
      guard let key = words.first, values.count == words.count - 1 else { continue }
      entries.append((String(key), values))
    }
  }

  subscript(key: String) -> [Double]? {
    get { entries.last { $0.key == key }?.values }
    set {
      entries.removeAll { $0.key == key }
      if let newValue { entries.append((key, newValue)) }
      isChanged = true
    }
  }

  /// Writes the cache where something was added.
  func write() {
    guard isChanged else { return }
    let lines = entries.suffix(Self.limit).map { entry in
      ([entry.key] + entry.values.map { String($0.bitPattern, radix: 16) }).joined(separator: " ")
    }
    _ = file.replace(with: Array(([Self.mark] + lines).joined(separator: "\n").utf8))
  }
}
