import Glibc

/// The folders that LV2 bundles are looked for in, and which bundles of theirs may hold a plugin.
struct LV2SearchPath: Sendable {
  /// Existing or not, in the order of the search.
  let folders: [String]

  /// The search path as one string, the way lilv takes it.
  var text: String { folders.joined(separator: ":") }

  /// `path` or, without one, `LV2_PATH`, or the customary folders.
  init(_ path: String?) {
    let path =
      path ?? getenv("LV2_PATH").map { String(cString: $0) }
      ?? "~/.lv2:/usr/lib/\(LV2SearchPath.machine)-linux-gnu/lv2:/usr/lib/lv2:/usr/local/lib/lv2"
    var folders: [String] = []
    for folder in path.split(separator: ":") {
      let folder = LV2SearchPath.expanded(String(folder))
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

  /// Bundles whose manifest mentions a URI, with a slash at the end; sorted.
  ///
  /// Some may turn out not to hold the plugin; one that spells the URI in an unusual way is not among them.
  func bundles(mentioning uri: String) -> [String] {
    LV2BundleIndex(self).bundles(mentioning: uri)
  }

  /// Every folder of the search path that has a manifest, whatever the manifest is, with a slash at
  /// the end; in the order of the search.
  func bundles() -> [String] {
    var bundles: [String] = []
    for folder in folders {
      for name in FileTree.names(folder).sorted() {
        let bundle = "\(folder)/\(name)/"
        if FileTree.kind(bundle + "manifest.ttl", follows: false) != nil { bundles.append(bundle) }
      }
    }
    return bundles
  }
}
