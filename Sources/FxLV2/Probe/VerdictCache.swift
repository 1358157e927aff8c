import Glibc

/// Verdicts that are kept from one run of fxrun to the next, in the user's cache folder.
///
/// A verdict counts as long as the plugin's binary and bundle are those that were tried. A cache that
/// cannot be read is empty, one that cannot be written is left alone: nothing depends on it.
package struct VerdictCache: Sendable {
  /// What a verdict was made of.
  fileprivate struct Entry: Sendable {
    var binary: String
    var binaryStamp: Int
    var binarySize: Int
    var bundleStamp: Int
    var verdict: PluginVerdict
  }

  /// The file; nil where there is no place for it.
  package let path: String?
  private var entries: [String: Entry] = [:]

  /// Of this version of the file and of what probes do.
  private static let mark = "fxrun verdicts 1"

  /// Reads the cache, by default `fxrun/verdicts` in `XDG_CACHE_HOME` or `~/.cache`.
  package init(path: String? = VerdictCache.standardPath) {
    self.path = path
    guard let path, let bytes = VerdictCache.contents(of: path) else { return }
    bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      guard reader.text() == VerdictCache.mark else { return }
      let read = reader.list { reader in (reader.text(), Entry(from: &reader)) }
      guard reader.isSound else { return }
      entries = Dictionary(read) { first, _ in first }
    }
  }

  package static var standardPath: String? {
    if let folder = getenv("XDG_CACHE_HOME"), folder.pointee == UInt8(ascii: "/") {
      return String(cString: folder) + "/fxrun/verdicts"
    }
    guard let home = getenv("HOME"), home.pointee != 0 else { return nil }
    return String(cString: home) + "/.cache/fxrun/verdicts"
  }

  /// The verdict of a plugin as it is installed now; nil when it was never tried.
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

  /// Writes the cache beside its place and moves it there, so that nobody reads half of it. False
  /// when it could not be written.
  @discardableResult
  package func write() -> Bool {
    guard let path else { return false }
    var writer = ByteWriter()
    writer.put(VerdictCache.mark)
    writer.put(entries.sorted { $0.key < $1.key }) { writer, entry in
      writer.put(entry.key)
      entry.value.write(to: &writer)
    }
    VerdictCache.makeFolder(of: path)
    let draft = "\(path).\(getpid())"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return false }
    var rest = writer.bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { break }
      rest = rest.dropFirst(max(count, 0))
    }
    close(file)
    guard rest.isEmpty, rename(draft, path) == 0 else {
      unlink(draft)
      return false
    }
    return true
  }

  private static func makeFolder(of path: String) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
  }

  private static func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, (1...(64 << 20)).contains(status.st_size) else { return nil }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = read(file, buffer.baseAddress.map { $0 + count }, size - count)
        guard got > 0 else { break }
        count += got
      }
    }
  }

  /// What the files of a plugin are like now.
  private struct Stamps {
    var binary: String
    var binaryStamp: Int
    var binarySize: Int
    var bundleStamp: Int

    init?(_ description: LV2Description) {
      var status = stat()
      binary = description.binary ?? ""
      binaryStamp = 0
      binarySize = -1
      if stat(binary, &status) == 0 {
        binaryStamp = Stamps.time(status)
        binarySize = Int(status.st_size)
      }
      guard stat(description.bundle, &status) == 0 else { return nil }
      bundleStamp = Stamps.time(status)
      // A description that is edited in place does not change its folder.
      if stat(description.bundle + "manifest.ttl", &status) == 0 {
        bundleStamp = max(bundleStamp, Stamps.time(status))
      }
    }

    private static func time(_ status: stat) -> Int {
      Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
    }
  }
}

extension VerdictCache.Entry {
  fileprivate func write(to writer: inout ByteWriter) {
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

  fileprivate init(from reader: inout ByteReader) {
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
