/// The Debian packages that contain plugins.
enum PluginPackages {
  private static let entries: [(prefix: String, package: String)] =
    PluginPackageTable.text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 ? (String(words[0]), String(words[1])) : nil
    }

  /// The package of a plugin, by the longest matching prefix of its URI; nil where no prefix
  /// matches.
  static func package(of uri: String) -> String? { entry(of: uri)?.package }

  /// The package to install for a missing plugin. nil where plugins with the same prefix are
  /// installed: then the package is there already.
  static func missingPackage(of uri: String, installed: [String]) -> String? {
    guard let entry = entry(of: uri), !installed.contains(where: { $0.hasPrefix(entry.prefix) })
    else { return nil }
    return entry.package
  }

  private static func entry(of uri: String) -> (prefix: String, package: String)? {
    entries.filter { uri.hasPrefix($0.prefix) }.max { $0.prefix.utf8.count < $1.prefix.utf8.count }
  }
}
