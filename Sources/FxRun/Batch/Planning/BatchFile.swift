/// A sound file to render, and how it was found.
package struct BatchFile: Sendable, Equatable {
  /// The path in messages and records. The render opens it, unless there is a `raw` one.
  package let path: String
  /// The path as bytes, if it is not UTF-8.
  package let raw: RawPath?
  /// The path within the given folder; it identifies the file wherever that folder is.
  package let relative: String

  package init(path: String, relative: String) {
    self.path = path
    self.relative = relative
    raw = nil
  }

  package init(_ path: RawPath, relative: RawPath) {
    self.path = path.text
    self.relative = relative.text
    raw = path.isText ? nil : path
  }

  /// The path for the system.
  var rawPath: RawPath { raw ?? RawPath(path) }

  /// A file that was named directly: its relative path is its name.
  package init(named path: String) { self.init(named: RawPath(path)) }

  package init(named path: RawPath) {
    let name = path.bytes.split(separator: UInt8(ascii: "/")).last ?? []
    self.init(path, relative: RawPath(name))
  }

  /// A file from a list: its relative path is that of the list, without `.` and `..`.
  package init(listed path: String) { self.init(listed: RawPath(path)) }

  package init(listed path: RawPath) {
    let dot = UInt8(ascii: ".")
    let steps = path.bytes.split(separator: UInt8(ascii: "/")).filter {
      !$0.elementsEqual([dot]) && !$0.elementsEqual([dot, dot])
    }
    self.init(path, relative: RawPath(steps.joined(separator: [UInt8(ascii: "/")])))
  }

  package var name: String { Self.split(path).name }
  package var stem: String { Self.ending(name).stem }
  package var ending: String { Self.ending(name).ending }
  var relativeStem: String { Self.ending(relative).stem }

  package var parent: String {
    let folder = Self.split(path).folder
    let name = folder.split(separator: "/").last.map(String.init) ?? ""
    return name == "." || name == ".." ? "" : name
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  private static func ending(_ path: String) -> (stem: String, ending: String) {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[start...].lastIndex(of: "."), dot > start else { return (path, "") }
    return (String(path[..<dot]), String(path[path.index(after: dot)...]))
  }
}
