import FxAudio
import Glibc

/// Finds the bundles of a search path that mention a URI, and keeps the results between runs of
/// fxrun in the user's cache folder.
///
/// Reading 280 manifests takes a tenth of the time of a short render. Results are valid as long as
/// no manifest of the search path is added, removed or written.
struct LV2BundleIndex {
  /// The results for one search path.
  private struct Shelf {
    let path: String
    let stamp: UInt64
    /// Newest first.
    var findings: [(uri: String, bundles: [String])]
  }

  private let searchPath: LV2SearchPath
  private let file: CacheFile
  private let now: Int

  /// Names the version of the file format.
  private static let mark = "fxrun mentions 2"
  private static let shelfLimit = 8
  private static let findingLimit = 1000

  /// `now` is the time in seconds since 1970.
  init(
    _ searchPath: LV2SearchPath, path: String? = CacheFile.standardPath("mentions"),
    now: Int = time(nil)
  ) {
    self.searchPath = searchPath
    file = CacheFile(path: path)
    self.now = now
  }

  /// Bundles whose manifest mentions a URI, with a slash at the end, in search order.
  func bundles(mentioning uri: String) -> [String] {
    let manifests = LV2Manifests(searchPath, now: now)
    let path = searchPath.text
    let shelves = read()
    let shelf = shelves.first { $0.path == path && $0.stamp == manifests.stamp.value }
    if let found = shelf?.findings.first(where: { $0.uri == uri }) { return found.bundles }
    let bundles = manifests.bundles(mentioning: uri)
    if manifests.isSettled {
      let others = shelf?.findings.prefix(LV2BundleIndex.findingLimit - 1) ?? []
      let new = Shelf(path: path, stamp: manifests.stamp.value, findings: [(uri, bundles)] + others)
      write([new] + shelves.filter { $0.path != path }.prefix(LV2BundleIndex.shelfLimit - 1))
    }
    return bundles
  }

  // MARK: The file

  private func read() -> [Shelf] {
    guard let bytes = file.contents() else { return [] }
    return bytes.withUnsafeBytes { bytes in
      var reader = ByteDecoder(bytes)
      guard reader.text() == LV2BundleIndex.mark else { return [] }
      let shelves = reader.list { reader in
        Shelf(
          path: reader.text(), stamp: UInt64(UInt(bitPattern: reader.int())),
          findings: reader.list { reader in (reader.text(), reader.list { $0.text() }) })
      }
      return reader.isSound ? shelves : []
    }
  }

  private func write(_ shelves: [Shelf]) {
    var writer = ByteEncoder()
    writer.put(LV2BundleIndex.mark)
    writer.put(shelves) { writer, shelf in
      writer.put(shelf.path)
      writer.put(Int(bitPattern: UInt(shelf.stamp)))
      writer.put(shelf.findings) { writer, finding in
        writer.put(finding.uri)
        writer.put(finding.bundles) { $0.put($1) }
      }
    }
    _ = file.replace(with: writer.bytes)
  }
}
