/// A sound file to render, and how it was found.
package struct BatchFile: Sendable, Equatable {
  /// The path that the render opens.
  package let path: String
  /// The path within the given folder; it identifies the file wherever that folder is.
  package let relative: String

  package init(path: String, relative: String) {
    self.path = path
    self.relative = relative
  }

  /// A file that was named directly: its relative path is its name.
  package init(named path: String) {
    self.init(path: path, relative: Self.split(path).name)
  }

  /// A file from a list: its relative path is that of the list, without `.` and `..`.
  package init(listed path: String) {
    let steps = path.split(separator: "/").drop { $0 == "." || $0 == ".." }
    self.init(
      path: path, relative: steps.filter { $0 != "." && $0 != ".." }.joined(separator: "/"))
  }

  package var name: String { Self.split(path).name }
  package var stem: String { Self.ending(name).stem }
  package var ending: String { Self.ending(name).ending }
  package var relativeStem: String { Self.ending(relative).stem }

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
