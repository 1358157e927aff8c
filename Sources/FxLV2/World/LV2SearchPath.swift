import FxAudio
import Glibc

/// The folders in which fxrun searches for LV2 bundles, and the bundles that may contain a plugin.
struct LV2SearchPath: Sendable {
  /// Existing or not, in search order.
  let folders: [String]

  /// The search path as one string, in lilv's form.
  var text: String { folders.joined(separator: ":") }

  /// `path` or, without one, `LV2_PATH`, or the default folders, of which the last is that of fxrun's
  /// own plugins, wherever fxrun is.
  init(_ path: String?) {
    let own = Installation.prefix.map { ":\($0)/lib/lv2" } ?? ""
    let path =
      path ?? getenv("LV2_PATH").map { String(cString: $0) }
      ?? "~/.lv2:/usr/lib/\(LV2SearchPath.machine)-linux-gnu/lv2:/usr/lib/lv2:/usr/local/lib/lv2\(own)"
    var folders: [String] = []
    for folder in path.split(separator: ":") {
      let folder = LV2SearchPath.plain(LV2SearchPath.expanded(String(folder)))
      if !folders.contains(folder) { folders.append(folder) }
    }
    self.folders = folders
  }

  private static var machine: String {
    #if arch(arm64)
      "aarch64"
    #else
      "x86_64"
    #endif
  }

  private static func expanded(_ folder: String) -> String {
    guard folder == "~" || folder.hasPrefix("~/"), let home = getenv("HOME") else { return folder }
    return String(cString: home) + folder.dropFirst()
  }

  /// Without slashes at the end.
  private static func plain(_ folder: String) -> String {
    var folder = folder
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder
  }

  /// Bundles whose manifest mentions a URI, with a slash at the end, in search order.
  ///
  /// Some of them may not contain the plugin. A bundle that spells the URI in an unusual way is not
  /// found.
  func bundles(mentioning uri: String) -> [String] {
    LV2BundleIndex(self).bundles(mentioning: uri)
  }

  /// Every folder of the search path with a `manifest.ttl`, even if that is not a regular file.
  /// With a slash at the end, in search order. A bundle that several paths reach is there once.
  func bundles() -> [String] {
    var bundles: [String] = []
    var known = KnownFolders()
    for folder in folders {
      for name in FileTree.names(folder) {
        let bundle = "\(folder)/\(name)/"
        guard FileTree.kind(bundle + "manifest.ttl", follows: false) != nil else { continue }
        if known.insert(bundle) { bundles.append(bundle) }
      }
    }
    return bundles
  }
}

/// Recognises folders that are reached by several paths, such as links.
struct KnownFolders {
  private var known = Set<FileIdentity>()

  /// True for a folder that was not inserted before.
  mutating func insert(_ path: String) -> Bool {
    guard let identity = FileIdentity(path: path) else { return true }
    return known.insert(identity).inserted
  }
}
