import CRealtime
import FxAudio
import Glibc

/// Keeps verdicts of bundles between runs of fxrun, in the user's cache folder.
///
/// A verdict is valid as long as the bundle's files and lilv do not change.
struct BundleCache {
  private struct Entry {
    var stamp: UInt64
    /// Empty for a good bundle.
    var problem: String
  }

  private let file: CacheFile
  private var entries: [String: Entry]
  /// Entries that are not written to the file yet.
  private var news: [String: Entry] = [:]
  private static let lilv = libraryStamp()

  /// Names the version of the file format, the limit of the trial, and the lilv that was used.
  private static var mark: String {
    "fxrun bundles 3 \(ChildRole.bundles.limits.processor ?? 0) s \(lilv)"
  }

  init(path: String? = CacheFile.standardPath("bundles")) {
    file = CacheFile(path: path)
    entries = BundleCache.read(file)
  }

  /// The result of the trial: nil if there was none, empty for a good bundle.
  func problem(of path: String, stamp: TreeStamp) -> String? {
    guard let entry = entries[path], entry.stamp == stamp.value else { return nil }
    return entry.problem
  }

  mutating func keep(_ problem: String, of path: String, stamp: TreeStamp) {
    let entry = Entry(stamp: stamp.value, problem: problem)
    entries[path] = entry
    news[path] = entry
  }

  /// Merges new entries into the file, which others may have changed; drops bundles that no longer
  /// exist.
  mutating func write() {
    guard !news.isEmpty else { return }
    let all = BundleCache.read(file).merging(news) { $1 }.filter { access($0.key, F_OK) == 0 }
    news = [:]
    var writer = ByteEncoder()
    writer.put(BundleCache.mark)
    writer.put(all.sorted { $0.key < $1.key }) { writer, entry in
      writer.put(entry.key)
      writer.put(Int(bitPattern: UInt(entry.value.stamp)))
      writer.put(entry.value.problem)
    }
    _ = file.replace(with: writer.bytes)
  }

  private static func read(_ file: CacheFile) -> [String: Entry] {
    guard let bytes = file.contents() else { return [:] }
    return bytes.withUnsafeBytes { bytes in
      var reader = ByteDecoder(bytes)
      guard reader.text() == mark else { return [:] }
      let list = reader.list { reader in
        (
          reader.text(),
          Entry(stamp: UInt64(UInt(bitPattern: reader.int())), problem: reader.text())
        )
      }
      return reader.isSound ? Dictionary(list) { first, _ in first } : [:]
    }
  }

  /// Another version of lilv may read or refuse other bundles.
  private static func libraryStamp() -> String {
    fx_library_of("lilv_world_new").flatMap { FileStamp($0)?.text } ?? ""
  }
}
