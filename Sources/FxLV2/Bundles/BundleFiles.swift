import FxAudio
import Glibc

/// The Turtle files of a bundle, or of a saved state: their current state, and problems that are
/// visible without parsing.
struct BundleFiles {
  private(set) var stamp = TreeStamp()
  /// The reason why the bundle cannot be read, found without opening a file; nil when there is
  /// none.
  private(set) var problem: String?
  private var files: [String] = []

  private static let sizeLimit = 64 << 20
  /// Deeper than any description, and far below what overflows a parser's stack.
  private static let nestingLimit = 1000
  private static let folderDepth = 2

  /// `path` is a folder or a file.
  init(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
      take(path, "it", status)
      return
    }
    takeFolder(path.hasSuffix("/") ? path : path + "/", "", depth: 0)
  }

  private mutating func takeFolder(_ folder: String, _ prefix: String, depth: Int) {
    for name in FileTree.names(folder) {
      let path = folder + name
      if name.hasSuffix(".ttl") {
        takeFile(path, prefix + name, depth)
      } else if depth < BundleFiles.folderDepth, FileTree.kind(path, follows: false) == S_IFDIR {
        takeFolder(path + "/", "\(prefix)\(name)/", depth: depth + 1)
      }
    }
  }

  private mutating func takeFile(_ path: String, _ name: String, _ depth: Int) {
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
      stamp.add(missing: path)
      // Other files with broken links cause errors only when they are needed.
      if name == "manifest.ttl" { note("\(name) cannot be read: \(reason(errno))") }
      return
    }
    guard status.st_mode & S_IFMT == S_IFDIR, name != "manifest.ttl" else {
      return take(path, name, status)
    }
    takeFolder(path + "/", "\(name)/", depth: depth + 1)
  }

  private mutating func take(_ path: String, _ name: String, _ status: stat) {
    stamp.add(path, status)
    if let kind = BundleFiles.kind(status) {
      note("\(name) is \(kind), not a file")
    } else if status.st_size > BundleFiles.sizeLimit {
      note("\(name) is larger than \(BundleFiles.sizeLimit >> 20) MB")
    } else if status.st_size == 0, name == "manifest.ttl" {
      // lilv reports an empty manifest as unreadable.
      note("\(name) is empty")
    } else {
      files.append(path)
    }
  }

  private mutating func note(_ problem: String) { self.problem = self.problem ?? problem }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// The kind of a file that is not a regular file; nil for a regular file.
  private static func kind(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  // MARK: Contents

  /// The reason why the files should not be parsed; nil when there is none. Reads all files.
  func contentProblem() -> String? {
    for file in files {
      guard let bytes = CacheFile(path: file).contents() else { continue }
      let name = file.split(separator: "/").last ?? ""
      if BundleFiles.nesting(bytes) > BundleFiles.nestingLimit {
        return "\(name) nests brackets more than \(BundleFiles.nestingLimit) deep"
      }
      if let (target, kind) = BundleFiles.strangeTarget(bytes, of: file) {
        return "\(name) leads to \(target), which is \(kind), not a file"
      }
    }
    return nil
  }

  /// The deepest nesting of brackets; brackets in strings count too.
  static func nesting(_ bytes: [UInt8]) -> Int {
    var depth = 0
    var deepest = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "("):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: ")"): depth = max(0, depth - 1)
      default: break
      }
    }
    return deepest
  }

  /// A path between angle brackets that leads to a pipe, a device or another special file.
  private static func strangeTarget(_ bytes: [UInt8], of file: String) -> (String, String)? {
    let folder = String(file[...(file.lastIndex(of: "/") ?? file.startIndex)])
    var start = 0
    while let open = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
      start = open + 1
      guard let close = bytes[start...].prefix(4096).firstIndex(of: UInt8(ascii: ">")) else {
        continue
      }
      let text = String(decoding: bytes[start..<close], as: UTF8.self)
      start = close + 1
      let path: String
      if text.hasPrefix("file://") {
        path = String(text.dropFirst(7))
      } else if text.contains(":") || text.isEmpty {
        continue
      } else {
        path = text.hasPrefix("/") ? text : folder + text
      }
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR,
        let kind = kind(status)
      else { continue }
      return (text, kind)
    }
    return nil
  }
}
