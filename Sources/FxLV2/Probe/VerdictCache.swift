import FxAudio
import Glibc

/// Keeps verdicts between runs of fxrun, in the user's cache folder.
///
/// A verdict is valid as long as the plugin's binary and bundle do not change. Read errors count as
/// an empty cache, and write errors are ignored: nothing depends on the cache.
package struct VerdictCache: Sendable {
  /// A verdict, and the state of the files that it is valid for.
  fileprivate struct Entry: Sendable {
    var binary: String
    var binaryStamp: Int
    var binarySize: Int
    var bundleStamp: Int
    var verdict: PluginVerdict
  }

  /// The file; nil where there is no cache folder.
  package let path: String?
  private var entries: [String: Entry] = [:]

  /// Names the version of the file format and of the probe.
  private static let mark = "fxrun verdicts 1"

  /// Reads the cache, by default `fxrun/verdicts` in `XDG_CACHE_HOME` or `~/.cache`.
  package init(path: String? = VerdictCache.standardPath) {
    self.path = path
    guard let bytes = CacheFile(path: path).contents() else { return }
    bytes.withUnsafeBytes { bytes in
      var reader = ByteDecoder(bytes)
      guard reader.text() == VerdictCache.mark else { return }
      let read = reader.list { reader in (reader.text(), Entry(from: &reader)) }
      guard reader.isSound else { return }
      entries = Dictionary(read) { first, _ in first }
    }
  }

  package static var standardPath: String? { CacheFile.standardPath("verdicts") }

  /// The verdict of a plugin as it is installed now; nil when it was never probed.
  package subscript(description: LV2Description) -> PluginVerdict? {
    get {
      guard let entry = entries[description.uri], let stamps = Stamps(description),
        entry.binary == stamps.binary, entry.binaryStamp == stamps.binaryStamp,
        entry.binarySize == stamps.binarySize, entry.bundleStamp == stamps.bundleStamp
      else { return nil }
      return entry.verdict
    }
    set {
      guard let newValue, let stamps = Stamps(description) else {
        entries[description.uri] = nil
        return
      }
      entries[description.uri] = Entry(
        binary: stamps.binary, binaryStamp: stamps.binaryStamp, binarySize: stamps.binarySize,
        bundleStamp: stamps.bundleStamp, verdict: newValue)
    }
  }

  /// Writes the cache. False when it could not be written.
  @discardableResult
  package func write() -> Bool {
    var writer = ByteEncoder()
    writer.put(VerdictCache.mark)
    writer.put(entries.sorted { $0.key < $1.key }) { writer, entry in
      writer.put(entry.key)
      entry.value.write(to: &writer)
    }
    return CacheFile(path: path).replace(with: writer.bytes)
  }

  /// The current state of a plugin's files.
  private struct Stamps {
    var binary: String
    var binaryStamp: Int
    var binarySize: Int
    var bundleStamp: Int

    init?(_ description: LV2Description) {
      binary = description.binary ?? ""
      binaryStamp = 0
      binarySize = -1
      if let stamp = FileStamp(binary) { (binaryStamp, binarySize) = (stamp.time, stamp.size) }
      guard let bundle = FileStamp(description.bundle) else { return nil }
      // Editing a description in place does not change the folder's time.
      let manifest = FileStamp(description.bundle + "manifest.ttl")
      bundleStamp = max(bundle.time, manifest?.time ?? 0)
    }
  }
}

extension VerdictCache.Entry {
  fileprivate func write(to writer: inout ByteEncoder) {
    writer.put(binary)
    writer.put(binaryStamp)
    writer.put(binarySize)
    writer.put(bundleStamp)
    writer.put(verdict.outcome.rawValue)
    writer.put(verdict.detail ?? "")
    writer.put(verdict.stage.map { Int($0.rawValue) } ?? -1)
    writer.put(verdict.latency ?? -1)
    writer.put(verdict.nanosecondsPerFrame ?? .nan)
    writer.put(verdict.peak ?? .nan)
    writer.put(verdict.prints)
  }

  fileprivate init(from reader: inout ByteDecoder) {
    binary = reader.text()
    binaryStamp = reader.int()
    binarySize = reader.int()
    bundleStamp = reader.int()
    verdict = PluginVerdict(PluginVerdict.Outcome(rawValue: reader.text()) ?? .failed)
    let detail = reader.text()
    verdict.detail = detail.isEmpty ? nil : detail
    verdict.stage = UInt32(exactly: reader.int()).flatMap { PluginVerdict.Stage(rawValue: $0) }
    let latency = reader.int()
    verdict.latency = latency < 0 ? nil : latency
    let cost = reader.double()
    verdict.nanosecondsPerFrame = cost.isNaN ? nil : cost
    let peak = reader.double()
    verdict.peak = peak.isNaN ? nil : peak
    verdict.prints = reader.flag()
  }
}
