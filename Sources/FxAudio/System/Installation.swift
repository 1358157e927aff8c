import Glibc

/// Files that are installed with the program, found from its own place: a package and a folder that
/// was unpacked anywhere both work.
package enum Installation {
  /// The folder that contains `bin`, `lib` and `share`; nil if the system does not tell the
  /// program's path.
  package static let prefix: String? = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    let bytes = buffer.prefix(count).map(UInt8.init(bitPattern:))
    return prefix(ofProgram: String(decoding: bytes, as: UTF8.self))
  }()

  /// `/usr` for `/usr/bin/fxrun`.
  static func prefix(ofProgram path: String) -> String? {
    guard path.hasPrefix("/"), let name = path.lastIndex(of: "/"),
      let folder = path[..<name].lastIndex(of: "/")
    else { return nil }
    return String(path[..<folder])
  }
}
