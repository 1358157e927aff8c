import FxAudio
import Glibc

/// The current manifests of a search path, found without reading them.
struct LV2Manifests {
  private(set) var stamp = TreeStamp()
  /// False when a manifest was written in the last two seconds. File systems count time in steps of
  /// up to two seconds, so a manifest that is written again could keep its time stamp.
  var isSettled: Bool { newest < start - 2 }
  /// Folders of bundles with a slash at the end, in search order.
  private(set) var bundles: [String] = []
  private var known = KnownFolders()
  /// Seconds since 1970: the latest change, and the time of this check.
  private var newest = 0
  private let start: Int

  init(_ searchPath: LV2SearchPath, now: Int) {
    start = now
    for folder in searchPath.folders { take(folder) }
  }

  /// Bundles whose manifest mentions a URI, in search order.
  func bundles(mentioning uri: String) -> [String] {
    bundles.filter { LV2Manifest(path: $0 + "manifest.ttl")?.mentions(uri) == true }
  }

  private mutating func take(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    for name in FileTree.names(folder) where !name.hasPrefix(".") {
      var status = stat()
      guard fstatat(descriptor, name + "/manifest.ttl", &status, 0) == 0 else { continue }
      let bundle = "\(folder)/\(name)/"
      if known.insert(bundle) { bundles.append(bundle) }
      stamp.add(name, status)
      newest = max(newest, status.st_mtim.tv_sec, status.st_ctim.tv_sec)
    }
    // Marks the end of a folder, so that moving a bundle to another folder changes the stamp.
    stamp.add(missing: "/")
  }
}
