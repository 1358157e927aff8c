import FxChain

/// Where an imported chain will stand, which decides how it names its files.
package struct ImportTarget: Sendable {
  /// The folder of the configuration: absolute, with a `/` at its end.
  private let source: String
  /// The folder of the chain: absolute, with a `/` at its end.
  private let folder: String
  /// The name of the chain without its extension, for the files that are made for it.
  let stem: String
  /// Whether files are copied beside the chain.
  private let collects: Bool

  /// - Parameters:
  ///   - configuration: the configuration's file.
  ///   - chain: the chain's file; nil for one in the current folder.
  ///   - collects: whether the files that the chain reads will be copied beside it.
  package init(configuration: String, chain: String?, collects: Bool) {
    source = Self.folder(of: configuration)
    folder = Self.folder(of: chain ?? "chain.json")
    let name = Self.lastName(chain ?? configuration)
    stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    self.collects = collects
  }

  private static func folder(of path: String) -> String {
    let absolute = ChainFile.absolute(path)
    return absolute.lastIndex(of: "/").map { String(absolute[...$0]) } ?? "/"
  }

  /// A file that a configuration names: its absolute path.
  func found(_ name: String) -> String { name.hasPrefix("/") ? name : source + name }

  /// How the chain names a file.
  ///
  /// - Parameter path: the absolute path.
  func written(_ path: String) -> String {
    if collects { return Self.lastName(path) }
    let (from, to) = (Self.parts(folder), Self.parts(path))
    let common = zip(from, to).prefix { $0 == $1 }.count
    // Another user's folder or the system's is clearer as a whole.
    guard common > 1 || from.isEmpty else { return path }
    let up = Array(repeating: "..", count: from.count - common)
    return (up + to[common...]).joined(separator: "/")
  }

  static func lastName(_ path: String) -> String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  /// The names on the way, without `.` and with `..` resolved.
  private static func parts(_ path: String) -> [String] {
    var parts: [String] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", parts.last != nil { parts.removeLast() } else { parts.append(String(part)) }
    }
    return parts
  }
}
