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

  /// Bundles whose manifest mentions a URI, with a slash at the end.
  ///
  /// Some may turn out not to hold
  /// the plugin; one that spells the URI in an unusual way is not among them.
  func bundles(mentioning uri: String) -> [String] {
    var bundles: [String] = []
    for folder in folders {
      for name in FileTree.names(folder) where !name.hasPrefix(".") {
        let bundle = "\(folder)/\(name)/"
        if LV2Manifest(path: bundle + "manifest.ttl")?.mentions(uri) == true {
          bundles.append(bundle)
        }
      }
    }
    return bundles.sorted()
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

/// The text of a bundle's manifest, searched without parsing it.
struct LV2Manifest {
  /// Ends with a zero.
  private let bytes: [UInt8]

  /// nil when there is no such file or it is larger than a manifest can be.
  init?(path: String) {
    // A pipe without a writer does not hold us up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...(64 << 20)).contains(status.st_size)
    else { return nil }
    let size = Int(status.st_size)
    bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
      while count < size {
        let got = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        guard got > 0 else { break }
        count += got
      }
      buffer[count] = 0
      count += 1
    }
  }

  init(text: String) { bytes = Array(text.utf8) + [0] }

  /// True when the URI stands in the text whole, or behind a prefix that the text declares.
  func mentions(_ uri: String) -> Bool {
    let uri = Array(uri.utf8)
    if contains(uri) { return true }
    var start = 0
    while let declaration = position(of: Array("prefix".utf8), from: start) {
      start = declaration + 6
      guard let (prefix, iri) = prefixDeclaration(at: start) else { continue }
      guard iri.count < uri.count, uri.starts(with: iri) else { continue }
      let rest = uri[iri.count...].prefix { $0.isNameByte }
      if contains(prefix + rest) { return true }
    }
    return false
  }

  /// `name: <iri>`, with the colon as part of the name.
  private func prefixDeclaration(at start: Int) -> (prefix: [UInt8], iri: [UInt8])? {
    let line = bytes[start...].prefix(1024)
    guard let open = line.firstIndex(of: UInt8(ascii: "<")),
      let close = line[open...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    let prefix = line[start..<open].filter { $0 > UInt8(ascii: " ") }
    guard prefix.last == UInt8(ascii: ":") else { return nil }
    return (prefix, Array(line[(open + 1)..<close]))
  }

  private func contains(_ text: [UInt8]) -> Bool { position(of: text, from: 0) != nil }

  private func position(of text: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      (text + [0]).withUnsafeBytes { text in
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          let needle = text.baseAddress?.assumingMemoryBound(to: CChar.self), start < bytes.count,
          let found = strstr(base + start, needle)
        else { return nil }
        return UnsafePointer(found) - base
      }
    }
  }
}

extension UInt8 {
  /// Part of a local name that Turtle writes as it stands.
  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
