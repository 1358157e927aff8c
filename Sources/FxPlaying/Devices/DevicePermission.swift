import Glibc

/// Finds out whether this user may open sound cards: alsa-lib returns the same code for a missing
/// card and for a missing permission.
package enum DevicePermission {
  package static let reason = "no permission; the user must be in the group 'audio'"

  /// True where the system has cards and this user may open none of them.
  package static var isDenied: Bool { isDenied(in: "/dev/snd") }

  /// - Parameter access: the `errno` of opening a file, 0 where it may be opened.
  static func isDenied(in folder: String, access: (String) -> Int32 = opening) -> Bool {
    guard let directory = opendir(folder) else { return errno == EACCES }
    defer { closedir(directory) }
    var controls: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("controlC") { controls.append("\(folder)/\(name)") }
    }
    return !controls.isEmpty && controls.allSatisfy { access($0) == EACCES }
  }

  /// The code of a device that could not be opened; -EACCES where a permission is missing.
  static func explained(_ code: Int32) -> Int32 {
    switch code {
    case -ENOENT, -ENODEV, -ENXIO: isDenied ? -EACCES : code
    default: code
    }
  }

  private static func opening(_ path: String) -> Int32 {
    Glibc.access(path, R_OK | W_OK) == 0 ? 0 : errno
  }
}
